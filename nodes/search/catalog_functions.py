"""Looking into the catalogue: what agents are told of tools and APIs (AnyTool, table 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from toolquiver.catalog import API
from toolquiver.nodes.describe import api_line, described, parameter_line
from toolquiver.nodes.search.agent_functions import APIS, CATEGORY, PAGE, TEXT, TOOL, TOOLS
from toolquiver.nodes.search.listing import RANKED, Page, paged, ranked_apis, ranked_tools
from toolquiver.nodes.search.turn import Turn

_IN_POOL, _REMOVED = " (in the pool)", " (removed, because it did not help)"
_DIGITS = 18  # of the number of a page
_NO_MORE = "Search lists only the likeliest; other words find others."


async def tools_in_category(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """A page of a category's tools, by name; who has a category looks into no other."""
    category = str(arguments.get(CATEGORY, ""))
    may_look = turn.everywhere or category == turn.agent["category"]
    tools = await ranked_tools(turn.state["query"], category, turn.run) if may_look else []
    if not tools:
        return f"There is no category {category!r} here."
    page = paged([turn.label(category, tool.name) for tool in tools], _number(arguments), turn.run.context.page)
    turn.listed(page.lines)
    return _said(page)


async def tool_descriptions(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """What tools are for, and how many APIs they have."""
    tools, unknown = await turn.tools(arguments, TOOLS)
    names = [turn.label(tool.category, tool.name) for tool in tools]
    texts = [described(f"{name} ({tool.apis} APIs)", tool.description) for name, tool in zip(names, tools, strict=True)]
    return await _that_fit(turn, names, texts, unknown)


async def apis_in_tool(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """A page of a tool's APIs, by name, each with a line on what it is for; of several tools the first one's."""
    tools, unknown = await turn.tools(arguments, TOOL)
    if not tools:
        return unknown
    first, *others = tools
    apis = await ranked_apis(turn.state["query"], first.category, [first.name], turn.run)
    names = ", ".join(turn.label(tool.category, tool.name) for tool in others)
    rest = f"One tool at a time: ask again for {names}." if names else ""
    return "\n".join(filter(None, [_said(apis_page(turn, apis, _number(arguments))), rest, unknown]))


def apis_page(turn: Turn, apis: Sequence[API], number: int) -> Page:
    """A page of APIs; those that were removed from the pool for good keep their places, so that no page shifts."""
    pool, size = turn.pool, turn.run.context.page
    names = [f"{api.function}{_IN_POOL * (api.id in pool)}{_gone(turn, api)}" for api in apis]
    page = paged([described(name, api.description) for name, api in zip(names, apis, strict=True)], number, size)
    here = apis[(max(1, number) - 1) * size :][: len(page.lines)]
    turn.listed([api.function for api in here if not _gone(turn, api)])
    return page


def _gone(turn: Turn, api: API) -> str:
    """What is said of an API that was removed; such a one is named, but not listed to be chosen."""
    return _REMOVED if api.id in turn.state["removed"] else ""


async def api_detail(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """APIs in full: what they take, with each parameter, and what they return."""
    apis, unknown = await turn.apis(arguments, APIS)
    texts = [
        "\n".join([api_line(api, in_full=True), *(f"  {parameter_line(p)}" for p in api.parameter_list())])
        for api in apis
    ]
    return await _that_fit(turn, [api.function for api in apis], texts, unknown)


async def _that_fit(turn: Turn, names: Sequence[str], texts: Sequence[str], unknown: str) -> str:
    """What was asked about these names, as far as it fits into the turn, and the names of the rest."""
    few = await turn.room_for(texts[: turn.run.context.page])
    turn.listed(names[:few])
    rest = f"Ask again for {', '.join(names[few:])}." if names[few:] else ""
    return "\n".join(filter(None, [*texts[:few], rest, unknown]))


async def search_apis(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """A page of the APIs that fit a text best, of all categories or of the agent's own category or tools."""
    agent, number, size = turn.agent, _number(arguments), turn.run.context.page
    found, cut = await asyncio.to_thread(_found, turn, str(arguments.get(TEXT, "")))
    apis = found[(number - 1) * size :][:size]
    finds_apis = agent["kind"] in ("tool", "flat")
    turn.listed([turn.label(api.category, api.tool) for api in apis] if agent["kind"] != "tool" else [])
    turn.listed([api.function for api in apis if not _gone(turn, api)] if finds_apis else [])
    names = [f"{turn.label(api.category, api.tool)}: {api.function}{_gone(turn, api)}" for api in found]
    lines = [described(name, api.description) for name, api in zip(names, found, strict=True)]
    page = paged(lines, number, size)
    ends = cut and bool(page.lines) and not page.left
    return _said(page._replace(left=_NO_MORE) if ends else page) if lines else "Nothing fits."


def _found(turn: Turn, text: str) -> tuple[list[API], bool]:
    """What is found, and whether it is cut at the most hits that are listed.

    Of several tools the best of each comes first, then the second of each.
    """
    agent = turn.agent
    category = None if turn.everywhere else agent["category"]
    tools = agent["tools"] if agent["kind"] == "tool" else [None]
    searches = [turn.run.catalog.search(text, RANKED, category=category, tool=tool) for tool in tools]
    in_turn = [hit.api for hits in zip_longest(*searches) for hit in hits if hit]
    return in_turn, any(len(hits) >= RANKED for hits in searches)


def _number(arguments: Mapping[str, Any]) -> int:
    """The page that is asked for; some models give it as a text, or as a number with a point."""
    number = str(arguments.get(PAGE, 1)).strip().removesuffix(".0")[:_DIGITS]
    return max(1, int(number)) if number.isdecimal() else 1


def _said(page: Page) -> str:
    return "\n".join(filter(None, [*page.lines, page.left or ("" if page.lines else "The list is empty.")]))
