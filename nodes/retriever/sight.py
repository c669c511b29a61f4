"""What agents see of the catalogue: lists in pages, descriptions, details (AnyTool, table 8).

Lists are sorted by search: by the reason why the last try failed where there is one, then by the query. So an agent
that is woken finds first what is lacking.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from toolquiver.catalog import API, ApiId, Catalog, Tool
from toolquiver.contexts import RetrieverContext
from toolquiver.nodes.describe import api_line, described, parameter_line
from toolquiver.nodes.retriever.functions import APIS, APIS_IN, CATEGORY, PAGE, TOOL, TOOLS, TOOLS_IN
from toolquiver.nodes.run import Run
from toolquiver.registration import names_given

_RANKED = 200  # hits of search that put a list in order
_EXAMPLES = 3  # tools that are named with a category
_CHARACTERS = 12_000  # of descriptions in one reply; the rest is named
_IN_POOL, _REMOVED = " (in the pool)", " (removed, because it did not help)"

T = TypeVar("T")


class Said(NamedTuple):
    """What a function tells the agent, and whether its call was valid."""

    text: str
    valid: bool = True


@dataclass(frozen=True, kw_only=True)
class Sight:
    """The part of the catalogue that an agent looks through.

    `category` is empty for an agent that looks through all; then tools are named with theirs, as `category/tool`.
    `tools` are the agent's own, none for all of the category. `wanted` are the texts that lists are sorted by, the most
    important first.
    """

    catalog: Catalog
    wanted: Sequence[str]
    page: int
    category: str = ""
    tools: Sequence[str] = ()
    pool: Collection[ApiId] = ()
    removed: Collection[ApiId] = ()

    def categories(self, explored: Collection[str] = ()) -> list[str]:
        """A line for each category that is not explored; the first ones say how many tools they have, and which fit."""
        fitting: dict[str, dict[str, None]] = {}
        for api in self._hits(None):
            fitting.setdefault(api.category, {})[api.tool] = None
        left = [one for one in self.catalog.categories() if one.name not in explored]
        ranked = _sorted(left, lambda one: one.name, fitting)
        lines = []
        for one in ranked[: self.page]:
            examples = list(fitting.get(one.name, ()))[:_EXAMPLES]
            named = f": {', '.join(examples)}" if examples else ""
            lines.append(f"- {one.name} (tools: {one.tools}){named}")
        return [*lines, *(f"- {one.name}" for one in ranked[self.page :])]

    def tool_page(self, explored: Collection[str] = (), number: int = 1, category: str = "") -> list[str]:
        """A page of a category's tools that are not explored, each with a line on what it is for."""
        category = category or self.category
        best = [api.tool for api in self._hits(category)]
        ranked = _sorted(self.catalog.list_tools(category=category), lambda tool: tool.name, best)
        left = [tool for tool in ranked if tool.name not in explored]
        lines = [described(self.label(tool), tool.description) for tool in left]
        return _paged(lines, number, self.page, f"{TOOLS_IN} shows them")

    def api_page(self, number: int = 1, *, new: bool = False) -> list[str]:
        """A page of the APIs of the agent's tools; `new` leaves out what was in the pool."""
        known = {*self.pool, *self.removed}
        apis = [api for tool in self.tools for api in self.catalog.apis(category=self.category, tool=tool)]
        apis = _sorted(apis, lambda api: api.id, [api.id for api in self._hits(self.category)])
        apis = [api for api in apis if not (new and api.id in known)]
        lines = [described(f"{api.function}{self._mark(api)}", api.description) for api in apis]
        return _paged(lines, number, self.page, f"{APIS_IN} shows them")

    def tools_in_category(self, arguments: Mapping[str, Any]) -> Said:
        """get_tools_in_category: a page of tools."""
        name = str(arguments.get(CATEGORY, ""))
        may_look = not self.category or name == self.category
        if not (may_look and self.catalog.list_tools(category=name)):
            return Said(f"There is no category {name!r} here.", valid=False)
        return Said("\n".join(self.tool_page(number=_number(arguments), category=name)))

    def tool_descriptions(self, arguments: Mapping[str, Any]) -> Said:
        """get_tool_descriptions: what tools are for, and how many APIs they have."""
        found, unknown = self.tools_named(arguments)
        texts = {tool: f"{tool} ({one.apis} APIs): {one.description or 'not described'}" for tool, one in found.items()}
        return _described(texts, unknown)

    def apis_in_tool(self, arguments: Mapping[str, Any]) -> Said:
        """get_APIs_in_tool: a page of the APIs of one tool."""
        found, unknown = self.tools_named(arguments, TOOL)
        if not found:
            return Said(unknown, valid=False)
        tool = next(iter(found.values()))
        inside = replace(self, category=tool.category, tools=[tool.name])
        return Said("\n".join(inside.api_page(_number(arguments))))

    def api_detail(self, arguments: Mapping[str, Any]) -> Said:
        """get_API_detail: what APIs take, parameter by parameter, and what they return."""
        apis, unknown = self.apis_named(arguments)
        texts = {
            api.function: "\n".join(
                [api_line(api, in_full=True), *(f"  {parameter_line(p)}" for p in api.parameter_list())]
            )
            for api in apis
        }
        return _described(texts, unknown)

    def tools_named(self, arguments: Mapping[str, Any], key: str = TOOLS) -> tuple[dict[str, Tool], str]:
        """The tools that a call names, by name, and what is said of names that are not there."""
        names = names_given(arguments, key)
        every = self.catalog.list_tools(category=self.category or None)
        here = {self.label(one): one for one in every if not self.tools or one.name in self.tools}
        return {name: here[name] for name in names if name in here}, _unknown("tool", names, here)

    def apis_named(self, arguments: Mapping[str, Any]) -> tuple[list[API], str]:
        """The APIs that a call names by function name, and what is said of names that are not there."""
        names = names_given(arguments, APIS)
        found = {name: api for name in names if (api := self.catalog.by_function(name)) and self._own(api)}
        return list(found.values()), _unknown("API", names, found)

    def label(self, tool: Tool) -> str:
        """A tool's name as this agent knows it."""
        return tool.name if self.category else f"{tool.category}/{tool.name}"

    def _own(self, api: API) -> bool:
        return (not self.category or api.category == self.category) and (not self.tools or api.tool in self.tools)

    def _mark(self, api: API) -> str:
        return _REMOVED if api.id in self.removed else _IN_POOL if api.id in self.pool else ""

    def _hits(self, category: str | None) -> list[API]:
        hits = [hit.api for text in self.wanted for hit in self.catalog.search(text, _RANKED, category=category)]
        return list({api.id: api for api in hits}.values())


def _sorted(items: Sequence[T], key: Callable[[T], Hashable], best: Collection[Hashable]) -> list[T]:
    """The items in the order of `best`; those that are not in it follow in theirs."""
    ranks = {name: rank for rank, name in enumerate(dict.fromkeys(best))}
    return sorted(items, key=lambda item: ranks.get(key(item), len(ranks)))


def _paged(lines: Sequence[str], number: int, size: int, how: str) -> list[str]:
    """Page `number` of a list, as the lines of a list, and a line on what is left."""
    start = (number - 1) * size
    if start >= len(lines):
        return [f"There is no page {number}; the list has {-(-len(lines) // size)}." if lines else "Nothing is left."]
    left = len(lines) - start - size
    rest = [f"{left} more from page {number + 1} on; {how}."] if left > 0 else []
    return [*(f"- {line}" for line in lines[start : start + size]), *rest]


def _described(texts: Mapping[str, str], unknown: str) -> Said:
    """So many of the texts as there is room for, at least one, then the names of the others, and of the unknown."""
    length, kept = 0, list[str]()
    for text in texts.values():
        length += len(text)
        if kept and length > _CHARACTERS:
            break
        kept.append(text)
    rest = ", ".join(list(texts)[len(kept) :])
    told = [*kept, f"There is no room for the rest. Ask again for {rest}." if rest else "", unknown]
    return Said("\n".join(filter(None, told)), valid=not unknown)


def _number(arguments: Mapping[str, Any]) -> int:
    """The page that is asked for; some models give a number as a text, or with a point."""
    try:
        return max(1, int(float(arguments.get(PAGE) or 1)))
    except (TypeError, ValueError, OverflowError):
        return 1


def _unknown(kind: str, names: Sequence[str], known: Collection[str]) -> str:
    if not names:
        return f"Name the {kind}s as they were listed."
    unknown = [repr(name) for name in names if name not in known]
    return f"There is no {kind} {', '.join(unknown)} here. Name them as they were listed." if unknown else ""


async def searched(run: Run[RetrieverContext]) -> Catalog:
    """The catalogue that is searched: all of it, or so many APIs of it, drawn at random (AnyTool, table 5)."""
    most = run.context.searched_apis
    return await asyncio.to_thread(lambda: _sampled(run.catalog, run.catalog.version(), most)) if most else run.catalog


@lru_cache(maxsize=2)
def _sampled(catalog: Catalog, version: tuple[int, int], most: int) -> Catalog:
    del version  # only tells one state of the catalogue from the next
    apis = catalog.apis()
    part = Catalog.create()
    part.add(*random.Random(most).sample(apis, min(most, len(apis))))  # noqa: S311 - no secret
    return part
