"""The end of a run with reflection: the answer that was judged to solve the query, else the last one there was."""

from __future__ import annotations

from toolquiver.nodes.agents import numbers_of
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.reflecting import Reflecting
from toolquiver.nodes.run import Run


async def deliver(state: Reflecting, _: Run) -> Update:
    """Say how it ended, and what it took."""
    numbers = {"numbers": numbers_of(state, state["reflections"])}
    if state["answer"].strip() and state["passed"]:
        return {"status": "solved", "reason": state["verdict_reason"], **numbers}
    why = state["verdict_reason"] or state["reason"]
    reason = f"Not solved, and {state['decided']}. {state['stopped'] or why}"
    return {"answer": state["best"], "status": "partial" if state["best"] else "failed", "reason": reason, **numbers}
