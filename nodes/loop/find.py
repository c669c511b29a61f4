"""Search over the whole catalogue for the query, by words and meaning: what it is sure of needs no model."""

from __future__ import annotations

from typing import Literal

from toolquiver.catalog import ApiId
from toolquiver.catalog.search import Hit
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.decided import Decided
from toolquiver.nodes.loop.quiver_state import QuiverState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.expand import expanded
from toolquiver.nodes.search.settle import NOTHING
from toolquiver.nodes.search.sureness import share_a_word, sure, unspoken
from toolquiver.nodes.texts.conversions import with_conversion
from toolquiver.nodes.texts.parts import parts_of

_RANKED = 100


async def find(state: QuiverState, run: Run) -> Update:
    """Look each part of the query up; the pool is what was found for any.

    It is sure when it is sure of every part. Where it finds nothing at all, it tries once more by what the model says
    of the tool that the query wants. Of a catalogue that fits in the pool all is in it, the best first. Candidates that
    are given are taken, unless the query has nothing to do with any.
    """
    if state["allowed"] is not None:
        return {"pool": state["allowed"], "decided": await _of_given(state["allowed"], state["query"], run)}
    if not await run.has_apis():
        return {"pool": [], "decided": "no tool fits", "reason": NOTHING}
    query, cost = state["query"], Update()
    found = [await run.hits(with_conversion(part)) for part in parts_of(query)]
    if not any(found):
        text, cost = await expanded(query, state, run)
        found = [await run.hits(text)] if text != query else []
    pool = _in_turn(found)
    if not pool:
        return {"pool": [], "decided": "no tool fits", **cost}
    if await run.is_small():
        size = run.context.pool_size
        pool = list(dict.fromkeys([*pool, *(hit.api.id for hit in await run.hits(query, size, size))]))
    certain = run.context.search_decides and not cost and all(sure(hits, run.context.shown) for hits in found)
    return {"pool": pool, "decided": "sure" if certain else "not sure", **cost}


async def _of_given(given: list[ApiId], query: str, run: Run) -> Decided:
    """Whether these may be worked with unasked: they share a word with the query, which some need not, or are found."""
    apis = await run.apis(given)
    if not apis:
        return "no tool fits"
    if share_a_word(query, apis) or unspoken(apis):
        return "sure"
    found = {hit.api.id for hit in await run.hits(query, _RANKED) if hit.evidence}
    return "sure" if found & set(given) else "not sure"


def _in_turn(found: list[list[Hit]]) -> list[str]:
    """The ids of what was found, the best of each part first, each once."""
    longest = max(map(len, found), default=0)
    turns = [hits[place].api.id for place in range(longest) for hits in found if place < len(hits)]
    return list(dict.fromkeys(turns))


def after_find(state: QuiverState) -> Literal["search is sure", "not sure", "no tool fits"]:
    """Only where search is not sure a model is asked."""
    if state["decided"] == "sure":
        return "search is sure"
    return "not sure" if state["decided"] == "not sure" else "no tool fits"
