"""The candidates of a subtask: those given, or those that search finds."""

from __future__ import annotations

from typing import Literal

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.calculate import by_formula
from toolquiver.nodes.expand import expanded
from toolquiver.nodes.plan_script import DRAFTED, beside, draft_of
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed


async def retrieve(state: Executed, run: Run) -> Update:
    """Begin a subtask: its first tool list, the planned tool in front, and empty memories of its own.

    What was learnt from tries before is the first hint. The call that a script has for it is chosen unasked.
    """
    current, draft = state["current"], draft_of(state)
    planned = [api for api in state["planned"][current : current + 1] if api]
    task = state["subtasks"][current]
    text, cost = (task, Update()) if draft else await expanded(task, state, run)
    apis = await run.candidates(state, text, planned)
    pool = [api.id for api in (await beside(draft, apis, task, run) if draft else apis)]
    return {
        **cost,
        "decided": DRAFTED if draft else "sums" if by_formula(apis, run) else "tools",
        "chosen": draft["api"] if draft else None,
        "thought": "",
        "formula": [],
        "pool": pool,
        "tool_lists": [pool],
        "trail": [],
        "aim": None,
        "missing": [],
        "doubted": False,
        "hint": state.get("lesson", ""),
        "step_answer": "",
    }


def after_retrieve(
    state: Executed,
) -> Literal["tools found", "a call is written", "tools that only compute", "no tool fits"]:
    """Without a candidate there is nothing to execute."""
    if not state["pool"]:
        return "no tool fits"
    if state["decided"] == DRAFTED:
        return "a call is written"
    return "tools that only compute" if state["decided"] == "sums" else "tools found"
