"""The candidates of a subtask: those that are given, or those that search finds."""

from __future__ import annotations

import asyncio
from typing import cast

from toolquiver.catalog import ApiId
from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.state import AfterRetrieve, SmurfsState, task

_FEEDERS = 3  # APIs besides the hits, whose outputs are inputs that these require
_RANKED = 100


async def retrieve(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Begin a subtask: its tool list for step 0, an empty local memory, no hint. No model is asked."""
    pool = state["allowed"] if state["allowed"] is not None else await _found(task(state), run)
    return {
        "pool": pool,
        "tool_lists": [pool],
        "trail": [],
        "hint": "",
        "decided": "tools found" if pool else "no tool found",
    }


async def _found(text: str, run: Run[SmurfsContext]) -> list[ApiId]:
    """What search finds for a text, the best first, then a few APIs that return what these need."""
    hits = await run.best(text)

    def feeders() -> list[ApiId]:
        known = {api.id for api in hits}
        new = [api.id for api in run.catalog.producers(hits) if api.id not in known]
        ranks = {hit.api.id: rank for rank, hit in enumerate(run.catalog.search(text, _RANKED))} if new else {}
        return sorted(new, key=lambda api: ranks.get(api, _RANKED))[:_FEEDERS]

    return [*(api.id for api in hits), *await asyncio.to_thread(feeders)]


def after_retrieve(state: SmurfsState) -> AfterRetrieve:
    """The edge that the node has decided on."""
    return cast("AfterRetrieve", state["decided"])
