"""The end of a run with reflection: the answer that was judged to solve the query, else the last one there was."""

from __future__ import annotations

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.loop.anytool_state import AnyToolState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import numbers_of
from toolquiver.nodes.search.coordinate import FULL, SPENT
from toolquiver.nodes.search.settle import NOTHING


async def deliver(state: AnyToolState, run: Run) -> Update:
    """Say how it ended, and what it took."""
    numbers = {"numbers": numbers_of(state, state["reflections"])}
    if state["answer"].strip() and state["passed"]:
        return {"status": "solved", "reason": state["verdict_reason"], **numbers}
    if not state["pool"] and not await run.has_apis():
        return {"answer": "", "status": "failed", "reason": NOTHING, **numbers}
    why = state["verdict_reason"] or state["reason"]
    whys = [agent["why"] for agent in state["agents"].values() if not state["pool"]]
    if SPENT in whys:
        why = "The search had too few tokens to find an API. Raise token_budget."
    elif full := next((why for why in whys if why.startswith(FULL)), ""):
        why = f"An agent of the search stopped because {full}."
    reason = f"Not solved, and {state['decided']}. {state['stopped'] or why}"
    return {"answer": state["best"], "status": "partial" if state["best"] else "failed", "reason": reason, **numbers}
