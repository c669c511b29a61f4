"""The candidates of a subtask: those given, or those that search finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from toolquiver.catalog import API
from toolquiver.models import tokens
from toolquiver.nodes.apis.changing import harmless
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.decided import Decided
from toolquiver.nodes.executor import finding
from toolquiver.nodes.executor.calculate import by_formula
from toolquiver.nodes.executor.read import by_reading
from toolquiver.nodes.executor.siblings import is_sibling
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.expand import expanded
from toolquiver.nodes.state import ExecutorState

_LEAST = 2_000  # tokens of a subtask, where there are so many


async def retrieve(state: ExecutorState, run: Run) -> Update:
    """Begin a subtask: its first tool list, the planned tool first, and empty memories.

    The lesson of earlier tries is the first hint. Tools that change something are left out unless the task asks for a
    change; if the task is not a question, the first hit and the tools that were given stay. A sibling is its own only
    candidate.
    Of the tokens left a part is kept for the subtasks that wait.
    """
    current = state["current"]
    planned = [api for api in state["planned"][current : current + 1] if api]
    task = state["subtasks"][current]
    before = state["subtasks"][current - 1] if current else ""
    sibling = is_sibling(state)
    text, cost = (task, Update()) if sibling else await expanded(task, state, run, before=before)
    found = await (run.apis(planned) if sibling else finding.candidates(run, state, text, planned))
    apis = harmless(found, task, first=1 if state["allowed"] is None else len(found))
    pool = [api.id for api in apis]
    return {
        **cost,
        "spent_before": _kept_for_others(state, run),
        "decided": _way(apis, run),
        "chosen": None,
        "thought": "",
        "formula": [],
        "unread": None,
        "pool": pool,
        "tool_lists": [pool],
        "trail": [],
        "aim": None,
        "missing": [],
        "doubted": False,
        "hint": state.get("lesson", ""),
        "unexplained": False,
        "step_answer": "",
    }


def _kept_for_others(state: ExecutorState, run: Run) -> int:
    """Tokens that the subtask may not spend, while others that are certainly needed wait."""
    left = run.context.token_budget - tokens(state["usage"])
    if state["sure"] - state["current"] <= 1 or not state["usage"]:
        return 0
    return max(0, left - max(_LEAST, int(left * run.context.subtask_part)))


def _way(apis: Sequence[API], run: Run) -> Decided:
    return "sums" if by_formula(apis, run) else "pages" if by_reading(apis, run) else "tools"


def after_retrieve(
    state: ExecutorState,
) -> Literal["tools found", "tools that only compute", "tools that tell of names", "no tool fits"]:
    """Without a candidate there is nothing to execute."""
    if not state["pool"]:
        return "no tool fits"
    match state["decided"]:
        case "sums":
            return "tools that only compute"
        case "pages":
            return "tools that tell of names"
    return "tools found"
