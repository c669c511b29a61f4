"""The candidates of a subtask: those that are given, or those that search finds."""

from __future__ import annotations

from typing import cast

from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.state import AfterRetrieve, SmurfsState, task


async def retrieve(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Begin a subtask: its tool list for step 0, an empty local memory, no hint. No model is asked."""
    given = state["allowed"]
    pool = given if given is not None else [api.id for api in await run.best(task(state))]
    return {
        "pool": pool,
        "tool_lists": [pool],
        "trail": [],
        "hint": "",
        "decided": "tools found" if pool else "no tool found",
    }


def after_retrieve(state: SmurfsState) -> AfterRetrieve:
    """The edge that the node has decided on."""
    return cast("AfterRetrieve", state["decided"])
