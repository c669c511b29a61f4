"""The candidates of a subtask: those given, or those that search finds."""

from __future__ import annotations

from typing import Literal

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed


async def retrieve(state: Executed, run: Run) -> Update:
    """Begin a subtask: its first tool list, empty memories of its own."""
    given = state.get("candidates")
    ids = given if given is not None else await run.search(state["subtasks"][state["current"]], run.context.top_k)
    pool = [api.id for api in await run.apis(ids)]
    return {"pool": pool, "tool_lists": [pool], "trail": [], "hint": "", "step_answer": ""}


def after_retrieve(state: Executed) -> Literal["tools found", "no tool fits"]:
    """Without a candidate there is nothing to execute."""
    return "tools found" if state["pool"] else "no tool fits"
