"""The candidates of a subtask, and the APIs that help with what a hint says is missing."""

from __future__ import annotations

from toolquiver.catalog import API, ApiId
from toolquiver.nodes.apis.converters import converters, is_conversion, takes
from toolquiver.nodes.apis.usable import usable
from toolquiver.nodes.finder import Finder
from toolquiver.nodes.state import ExecutorState
from toolquiver.nodes.texts.conversions import CONVERTING

_RANKED = 100


async def candidates(run: Finder, state: ExecutorState, text: str, planned: list[ApiId] | None = None) -> list[API]:
    """The APIs the user gave; else the planned ones, what agents found that fits `text` best, and `search`.

    Of what search does not rank, agents' latest comes first. None is among them that was removed.
    """
    if state["allowed"] is not None:
        return usable(await run.apis(state["allowed"]), state.get("removed"))
    if found := state.get("found") or []:
        ranks = {hit.api.id: rank for rank, hit in enumerate(await run.hits(text, _RANKED))}
        latest = {api: -place for place, api in enumerate(found)}
        found = sorted(found, key=lambda api: (ranks.get(api, _RANKED), latest[api]))[: run.context.top_k]
    apis = await run.search(text, list(dict.fromkeys([*(planned or []), *found])))
    return usable(apis, state.get("removed"))


async def helpers(run: Finder, hint: str) -> list[API]:
    """The APIs that fit what a hint says is missing; where that is a conversion, those that make it come first."""
    apis = await run.search(f"{hint} {CONVERTING}" if is_conversion(hint) else hint)
    first = converters(apis, hint)
    return first + [api for api in apis if takes(api, hint) and api not in first]
