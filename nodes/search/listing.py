"""What agents are shown of the catalogue: names in pages, those that fit the query best first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from toolquiver.catalog import API, Catalog, Category, Tool
from toolquiver.nodes.run import Run

RANKED = 200
"""Hits of search that put a list in order, or are listed."""
_EXAMPLES = 3  # tools that are named with a category

T = TypeVar("T")


class Page(NamedTuple):
    """A part of a list, and a line on what is left of it."""

    lines: list[str]
    left: str


def paged(lines: Sequence[str], number: int, size: int) -> Page:
    """Page `number` (from 1) of a list."""
    start = (max(1, number) - 1) * size
    left = len(lines) - start - size
    if start >= len(lines) and lines:
        return Page([], f"There is no page {number}; the list has {-(-len(lines) // size)}.")
    return Page(list(lines[start : start + size]), f"{left} more, on page {max(1, number) + 1}." if left > 0 else "")


async def category_page(query: str, run: Run) -> Page:
    """The first categories, those with the best hits first, each with the tools in it that fit best, if any do.

    Of the others only the names: all can be chosen.
    """
    return await asyncio.to_thread(_category_page, run.catalog, query, run.context.page)


def _category_page(catalog: Catalog, query: str, size: int) -> Page:
    tools: dict[str, dict[str, None]] = {}
    for hit in catalog.search(query, RANKED):
        tools.setdefault(hit.api.category, {})[hit.api.tool] = None
    ranks = {name: rank for rank, name in enumerate(tools)}
    categories = catalog.categories()
    ranked = _by_rank(categories, [ranks.get(one.name) for one in categories])
    lines = [_category_line(one, list(tools.get(one.name, ()))[:_EXAMPLES]) for one in ranked[:size]]
    others = ", ".join(one.name for one in ranked[size:])
    return Page(lines, f"{len(ranked) - size} more: {others}." if others else "")


def _category_line(category: Category, tools: Sequence[str]) -> str:
    examples = f", such as {', '.join(tools)}" if tools else ""
    return f"{category.name} ({category.tools} tools{examples})"


async def ranked_tools(query: str, category: str, run: Run) -> list[Tool]:
    """The tools of a category, those with the best hits first."""

    def found() -> list[Tool]:
        hits = run.catalog.search(query, RANKED, category=category)
        ranks = {name: rank for rank, name in enumerate(dict.fromkeys(hit.api.tool for hit in hits))}
        tools = run.catalog.list_tools(category=category)
        return _by_rank(tools, [ranks.get(tool.name) for tool in tools])

    return await asyncio.to_thread(found)


async def ranked_apis(query: str, category: str, tools: Sequence[str], run: Run) -> list[API]:
    """The APIs of these tools of a category, the best hits first."""

    def found() -> list[API]:
        hits = run.catalog.search(query, RANKED, category=category)
        ranks = {hit.api.id: rank for rank, hit in enumerate(hits)}
        apis = [api for tool in tools for api in run.catalog.apis(category=category, tool=tool)]
        return _by_rank(apis, [ranks.get(api.id) for api in apis])

    return await asyncio.to_thread(found)


def _by_rank(items: Sequence[T], ranks: Sequence[int | None]) -> list[T]:
    """The items with the lowest ranks first; those that have none follow in their order."""
    order = sorted(range(len(items)), key=lambda place: RANKED if (rank := ranks[place]) is None else rank)
    return [items[place] for place in order]
