"""What agents are shown of the catalogue: names in pages, those that fit the query best first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from toolquiver.catalog import API, Catalog, Category, Tool
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agent_functions import SEARCH

RANKED = 200
"""Hits of search that put a list in order, or are listed."""
_EXAMPLES = 3  # tools that are named with a category
_NAMED = 64  # categories that an agent is told of unasked; ToolBench has 49, a folder of OpenAPI documents hundreds

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

    Of the others only the names, which can be chosen too; of those that are not even named it is said how to find them.
    """
    return await asyncio.to_thread(_category_page, run.catalog, query, run.context.page)


def _category_page(catalog: Catalog, query: str, size: int) -> Page:
    ranked, tools = _ranked_categories(catalog, query)
    lines = [_category_line(one, tools.get(one.name, [])[:_EXAMPLES]) for one in ranked[:size]]
    others = [one.name for one in ranked[size:_NAMED]]
    rest = len(ranked) - max(size, _NAMED)
    more = f"{len(others)} more: {', '.join(others)}." if others else ""
    return Page(lines, " ".join(filter(None, [more, f"{rest} others; {SEARCH} finds them." if rest > 0 else ""])))


def _ranked_categories(catalog: Catalog, query: str) -> tuple[list[Category], dict[str, list[str]]]:
    """The categories, those with the best hits first, and of each the tools that were hit."""
    tools: dict[str, dict[str, None]] = {}
    for hit in catalog.search(query, RANKED):
        tools.setdefault(hit.api.category, {})[hit.api.tool] = None
    ranks = {name: rank for rank, name in enumerate(tools)}
    categories = catalog.categories()
    ranked = _by_rank(categories, [ranks.get(one.name) for one in categories])
    return ranked, {category: list(names) for category, names in tools.items()}


async def categories_named(query: str, known: Sequence[str], run: Run) -> tuple[list[str], bool]:
    """The categories that an agent can choose, and whether there are others.

    They are those that it was told of, and those of the tools that it knows since, by category and name.
    """

    def named() -> tuple[list[str], bool]:
        names, most = [one.name for one in run.catalog.categories()], max(run.context.page, _NAMED)
        if len(names) <= most:
            return names, False
        first = {one.name for one in _ranked_categories(run.catalog, query)[0][:most]}
        return [name for name in names if name in first or any(one.startswith(f"{name}/") for one in known)], True

    return await asyncio.to_thread(named)


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
