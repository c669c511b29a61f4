"""What an agent's functions do: they make agents, fill the pool, and look (AnyTool, table 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolquiver.catalog import ApiId
from toolquiver.contexts import RetrieverContext
from toolquiver.nodes.retriever import functions as names
from toolquiver.nodes.retriever.sight import Said, Sight
from toolquiver.nodes.retriever.state import AgentInput, NewAgent, Report


@dataclass(frozen=True)
class Turn:
    """One turn of one agent; `report` grows as its calls are carried out."""

    state: AgentInput
    context: RetrieverContext
    sight: Sight
    report: Report


Act = Callable[[Turn, Mapping[str, Any]], Said]
"""What a function does: from the turn and the arguments to what the agent is told. It runs in a thread."""


def create_category_agent(turn: Turn, arguments: Mapping[str, Any]) -> Said:
    """create_agent_category_level; a category whose tools one tool agent can take gets that agent at once."""
    category = str(arguments.get(names.CATEGORY, ""))
    tools = [tool.name for tool in turn.sight.catalog.list_tools(category=category)]
    if not category or not tools:
        return Said(f"There is no category {category!r}. Name it as it was listed.", valid=False)
    if category in [*turn.state["explored"], *(new["category"] for new in turn.report["creates"])]:
        return Said(f"{category} has an agent already.")
    small = len(tools) <= turn.context.tools_per_agent
    new = NewAgent(kind="tool" if small else "category", category=category, tools=tools if small else [])
    turn.report["creates"].append(new)
    return Said(f"{category} is given to an agent.")


def create_tool_agent(turn: Turn, arguments: Mapping[str, Any]) -> Said:
    """create_agent_tool_level; says which tools were not given, because they are too many or have an agent already."""
    found, unknown = turn.sight.tools_named(arguments)
    most = turn.context.tools_per_agent
    taken = {*turn.state["explored"], *(tool for new in turn.report["creates"] for tool in new["tools"])}
    free = [tool.name for tool in found.values() if tool.name not in taken]
    had = [tool.name for tool in found.values() if tool.name in taken]
    given, left = free[:most], free[most:]
    if given:
        turn.report["creates"].append(NewAgent(kind="tool", category=turn.sight.category, tools=given))
    told = [
        f"Given to an agent: {', '.join(given)}." if given else "",
        f"They have an agent already: {', '.join(had)}." if had else "",
        f"An agent takes at most {most} tools; not given: {', '.join(left)}." if left else "",
        unknown,
    ]
    return Said(" ".join(filter(None, told)), valid=not (unknown or left))


def add_to_pool(turn: Turn, arguments: Mapping[str, Any]) -> Said:
    """add_API_into_API_pool: takes what fits, none twice, none that was removed; the agent hears what did not fit."""
    apis, unknown = turn.sight.apis_named(arguments)
    removed, size = turn.state["removed"], turn.context.pool_size
    pool = [*turn.state["pool"], *turn.report["adds"]]
    new = fitting([api.id for api in apis], pool, removed, size)
    turn.report["adds"] += new
    left = [api.function for api in apis if api.id not in {*pool, *new, *removed}]
    gone = [api.function for api in apis if api.id in removed]
    told = [
        f"{len(new)} added; the pool has room for {size - len(pool) - len(new)} more.",
        f"No room for {', '.join(left)}." if left else "",
        f"Removed earlier, because it did not help: {', '.join(gone)}." if gone else "",
        unknown,
    ]
    return Said(" ".join(filter(None, told)), valid=not (unknown or left))


def fitting(wanted: Sequence[ApiId], pool: Sequence[ApiId], removed: Sequence[ApiId], size: int) -> list[ApiId]:
    """Of the APIs wanted, those that are new to the pool and fit into it."""
    new = [api for api in dict.fromkeys(wanted) if api not in pool and api not in removed]
    return new[: max(0, size - len(pool))]


ACTS: dict[str, Act] = {
    names.CREATE_CATEGORY: create_category_agent,
    names.CREATE_TOOL: create_tool_agent,
    names.TOOLS_IN: lambda turn, arguments: turn.sight.tools_in_category(arguments),
    names.TOOL_DESCRIPTIONS: lambda turn, arguments: turn.sight.tool_descriptions(arguments),
    names.APIS_IN: lambda turn, arguments: turn.sight.apis_in_tool(arguments),
    names.API_DETAIL: lambda turn, arguments: turn.sight.api_detail(arguments),
    names.ADD: add_to_pool,
}
"""The functions that are carried out at once; the others are the check, which waits for all agents, and the end."""
