"""The candidates of a subtask: those given, or those that search finds."""

from __future__ import annotations

from typing import Literal

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.calculate import by_formula
from toolquiver.nodes.expand import expanded
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed


async def retrieve(state: Executed, run: Run) -> Update:
    """Begin a subtask: its first tool list, the planned tool in front, and empty memories of its own.

    What was learnt from tries before is the first hint.
    """
    current = state["current"]
    planned = [api for api in state["planned"][current : current + 1] if api]
    text, cost = await expanded(state["subtasks"][current], state, run)
    apis = await run.candidates(state, text, planned)
    pool = [api.id for api in apis]
    return {
        **cost,
        "decided": "sums" if by_formula(apis, run) else "tools",
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


def after_retrieve(state: Executed) -> Literal["tools found", "tools that only compute", "no tool fits"]:
    """Without a candidate there is nothing to execute."""
    if not state["pool"]:
        return "no tool fits"
    return "tools that only compute" if state["decided"] == "sums" else "tools found"
