"""The paper's baselines: an agent that reads the whole catalogue (A.4), and retrieval by embeddings (A.5)."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any, Literal, cast

import numpy as np
from pydantic import BaseModel, Field, create_model

from toolquiver.catalog import API, Catalog, meaning
from toolquiver.contexts import RetrieverContext
from toolquiver.errors import InputError
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both, refused
from toolquiver.nodes.describe import api_line, described
from toolquiver.nodes.dialogue import requests_in
from toolquiver.nodes.retriever.acts import fitting
from toolquiver.nodes.retriever.check import ruled, within_search
from toolquiver.nodes.retriever.functions import ADD, APIS, FINISH, functions_of
from toolquiver.nodes.retriever.sight import searched
from toolquiver.nodes.retriever.state import SearchState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search_io import SearchEnd
from toolquiver.prompts import load_prompt
from toolquiver.registration import names_given

_PLAIN, _EMBEDDING = load_prompt("anytool/plain"), load_prompt("anytool/embedding")
_GROUP = {"names": 500, "descriptions": 100, "details": 50}
"""How many APIs a group has, by what the agent is shown of each (A.4)."""
_SEGMENT = 4_000  # characters, about 1,000 tokens
_SEGMENTS = 5  # that the model is shown

Segment = list[tuple[str, str]]
"""A stretch of the catalogue: function names with the text of each API."""


async def plain_agent(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """Read the next group of the catalogue and put into the pool what fits; then ask whether the pool suffices.

    A group on which nothing valid is said, or of which a model refuses to speak, is lost, and counted.

    Raises:
        InputError: the budget does not hold the first group.
    """
    detail, number, size = run.context.plain_detail, state["group"], run.context.pool_size
    catalog = await searched(run)
    apis = await asyncio.to_thread(catalog.apis)
    group = apis[number * _GROUP[detail] :][: _GROUP[detail]]
    messages = _PLAIN.messages(query=state["query"], listed=[_line(api, detail) for api in group])
    functions = functions_of("plain", most_tools=1, checks=False)
    message, cost = await run.turn("plain_agent", functions, messages, within_search(state, run))
    if "stopped" in cost and not refused(cost):
        if not state["usage"]:
            raise run.too_small()
        return {"ended": "budget"}
    requests = requests_in(message) if message else []
    named = [name for one in requests if one["name"] == ADD for name in names_given(one["arguments"] or {}, APIS)]
    known = {api.function: api.id for api in group}
    new = fitting([known[name] for name in named if name in known], state["pool"], state["removed"], size)
    pool = [*state["pool"], *new]
    update: Update = {
        "pool": pool,
        "group": number + 1,
        "lost": state["lost"] + (not any(request["name"] in (ADD, FINISH) for request in requests)),
        "usage": cost.get("usage", {}),
    }
    if new and run.context.check_function:
        suffices, _, asked = await ruled(pool, after(state, cost), run)
        update = both(update, asked) | {"solvable": suffices}
    ended: SearchEnd = ""
    if update.get("solvable"):
        ended = "suffices"
    elif group[-1] == apis[-1]:
        ended = "done"
    elif len(pool) >= size:
        ended = "full"
    return {**update, "ended": ended}


def after_plain_agent(state: SearchState) -> Literal["the next group", "no group is left"]:
    """One group after the other, until the pool suffices or is full."""
    return "no group is left" if state["ended"] else "the next group"


def _line(api: API, detail: str) -> str:
    if detail == "details":
        return api_line(api)
    return described(f"{api.function} (of {api.tool})", api.description if detail == "descriptions" else "")


async def by_embedding(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """The APIs that the model picks out of the segments of the catalogue that are nearest to the query.

    Raises:
        InputError: the extra `dense`, which has the embeddings, is not installed.
    """
    if not meaning.available():
        raise InputError("Retrieval by embeddings needs the extra: pip install 'toolquiver[dense]'.")
    segments, vectors = await asyncio.to_thread(lambda: _segments(run.catalog, run.catalog.version()))
    query = await asyncio.to_thread(meaning.embed, [state["query"]])
    nearest = np.argsort(-(vectors @ query[0]), kind="stable")[:_SEGMENTS]
    found = [api for place in nearest for api in segments[int(place)]]
    names = tuple(name for name, _ in found)
    messages = _EMBEDDING.messages(query=state["query"], listed=[f"{name}: {text}" for name, text in found])
    decision, cost = await run.decide("extract", _picked(names, run.context.pool_size), messages, state)
    picked = cast("Any", decision).apis if decision else []
    apis = [await run.named(name) for name in dict.fromkeys(picked)]
    reason = "" if decision else "The model gave no valid answer."
    return {"pool": [api.id for api in apis if api], "reason": reason, "ended": "done", **cost}


def _picked(names: tuple[str, ...], most: int) -> type[BaseModel]:
    """The APIs that a request may need, of those with these names."""
    return create_model("Picked", apis=(list[Literal[names]], Field(max_length=most)))  # type: ignore[valid-type]


@lru_cache(maxsize=2)
def _segments(catalog: Catalog, version: tuple[int, int]) -> tuple[list[Segment], meaning.Vectors]:
    """The catalogue of this version in segments, and their vectors."""
    del version  # only tells one state of the catalogue from the next
    segments: list[Segment] = [[]]
    length = 0
    for api in catalog.apis():
        text = " ".join(f"{api.category} {api.tool} {api.name} {api.description}".split())[:_SEGMENT]
        if length + len(text) > _SEGMENT and segments[-1]:
            segments.append([])
            length = 0
        segments[-1].append((api.function, text))
        length += len(text)
    return segments, meaning.embed(["\n".join(text for _, text in segment) for segment in segments])
