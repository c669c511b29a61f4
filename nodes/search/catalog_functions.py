"""Looking into the catalogue: what agents are told of tools and APIs (AnyTool, table 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from toolquiver.catalog import API
from toolquiver.nodes.describe import api_line, described, parameter_line
from toolquiver.nodes.search.agent_functions import APIS, CATEGORY, PAGE, TEXT, TOOL, TOOLS
from toolquiver.nodes.search.desk import Desk
from toolquiver.nodes.search.listing import RANKED, Page, paged, ranked_apis, ranked_tools

_IN_POOL = " (in the pool)"


async def tools_in_category(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """A page of a category's tools, by name."""
    category = str(arguments.get(CATEGORY, ""))
    tools = await ranked_tools(desk.state["query"], category, desk.run)
    if not tools:
        return f"There is no category {category!r}."
    page = paged([desk.label(category, tool.name) for tool in tools], _number(arguments), desk.run.context.page)
    desk.listed(page.lines)
    return _said(page)


async def tool_descriptions(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """What tools are for, and how many APIs they have."""
    tools, unknown = await desk.tools(arguments, TOOLS)
    shown, left = tools[: desk.run.context.page], tools[desk.run.context.page :]
    desk.listed([desk.label(tool.category, tool.name) for tool in shown])
    lines = [
        described(f"{desk.label(tool.category, tool.name)} ({tool.apis} APIs)", tool.description) for tool in shown
    ]
    rest = f"Ask again for {', '.join(desk.label(tool.category, tool.name) for tool in left)}." if left else ""
    return "\n".join(filter(None, [*lines, rest, unknown]))


async def apis_in_tool(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """A page of a tool's APIs, by name, each with a line on what it is for."""
    tools, unknown = await desk.tools(arguments, TOOL)
    if not tools:
        return unknown
    apis = await ranked_apis(desk.state["query"], tools[0].category, [tools[0].name], desk.run)
    return _said(apis_page(desk, apis, _number(arguments)))


def apis_page(desk: Desk, apis: Sequence[API], number: int) -> Page:
    """A page of APIs; those that were removed from the pool for good are not in it."""
    left = [api for api in apis if api.id not in desk.state["removed"]]
    pool = desk.pool
    lines = [described(f"{api.function}{_IN_POOL * (api.id in pool)}", api.description) for api in left]
    size = desk.run.context.page
    page = paged(lines, number, size)
    desk.listed([api.function for api in left[(max(1, number) - 1) * size :][: len(page.lines)]])
    return page


async def api_detail(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """APIs in full: what they take, with each parameter, and what they return."""
    apis, unknown = await desk.apis(arguments, APIS)
    size = desk.run.context.page
    desk.listed([api.function for api in apis[:size]])
    details = [
        "\n".join([api_line(api, in_full=True), *(f"  {parameter_line(p)}" for p in api.parameter_list())])
        for api in apis[:size]
    ]
    rest = f"Ask again for {', '.join(api.function for api in apis[size:])}." if apis[size:] else ""
    return "\n".join(filter(None, [*details, rest, unknown]))


async def search_apis(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """A page of the APIs that fit a text best, of all categories or of the agent's own category or tools."""
    agent, number, size = desk.agent, _number(arguments), desk.run.context.page
    found = await asyncio.to_thread(_found, desk, str(arguments.get(TEXT, "")))
    apis = found[(number - 1) * size :][:size]
    finds_apis = agent["kind"] in ("tool", "flat")
    desk.listed([desk.label(api.category, api.tool) for api in apis] if agent["kind"] != "tool" else [])
    desk.listed([api.function for api in apis] if finds_apis else [])
    lines = [described(f"{desk.label(api.category, api.tool)}: {api.function}", api.description) for api in found]
    return _said(paged(lines, number, size)) if lines else "Nothing fits."


def _found(desk: Desk, text: str) -> list[API]:
    """What is found, without what was removed; of several tools the best of each first, then the second of each."""
    agent, removed = desk.agent, desk.state["removed"]
    category = None if desk.everywhere else agent["category"]
    tools = agent["tools"] if agent["kind"] == "tool" else [None]
    searches = [desk.run.catalog.search(text, RANKED, category=category, tool=tool) for tool in tools]
    in_turn = [hit.api for hits in zip_longest(*searches) for hit in hits if hit]
    return [api for api in in_turn if api.id not in removed]


def _number(arguments: Mapping[str, Any]) -> int:
    number = arguments.get(PAGE, 1)
    return number if isinstance(number, int) and number > 0 else 1


def _said(page: Page) -> str:
    return "\n".join(filter(None, [*page.lines, page.left or ("" if page.lines else "The list is empty.")]))
