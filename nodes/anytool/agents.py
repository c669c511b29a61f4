"""The agents of the search: meta, category, tool, and the one agent of the flat search (AnyTool, 4.1 and 5.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from toolquiver.contexts import RetrieverContext
from toolquiver.nodes.anytool import functions as names
from toolquiver.nodes.anytool.pool import add_to_pool
from toolquiver.nodes.anytool.sight import Said, Sight
from toolquiver.nodes.anytool.state import AgentInput, NewAgent
from toolquiver.nodes.anytool.turn import Act, Turn, take_a_turn
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_META, _WAKE_META = load_prompt("anytool/meta"), load_prompt("anytool/wake_meta")
_CATEGORY, _WAKE_CATEGORY = load_prompt("anytool/category"), load_prompt("anytool/wake_category")
_TOOL, _WAKE_TOOL = load_prompt("anytool/tool"), load_prompt("anytool/wake_tool")
_FLAT, _WAKE_FLAT = load_prompt("anytool/flat"), load_prompt("anytool/wake_flat")


def _looks(look: Callable[[Sight, Mapping[str, Any]], Said]) -> Act:
    return lambda turn, arguments: look(turn.sight, arguments)


_LOOKS: dict[str, Act] = {
    names.TOOLS_IN: _looks(Sight.tools_in_category),
    names.TOOL_DESCRIPTIONS: _looks(Sight.tool_descriptions),
    names.APIS_IN: _looks(Sight.apis_in_tool),
    names.API_DETAIL: _looks(Sight.api_detail),
}


async def meta_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """Which categories may hold what the query needs? Give each to an agent (table 14; woken: table 20)."""
    turn = await Turn.of(state, run)
    explored = () if turn.agent_is_new else state["explored"]
    shown = {"listed": await _listed(turn, lambda sight: sight.categories(explored))}
    acts = {names.CREATE_CATEGORY: _create_category_agent, **_some(names.TOOLS_IN, names.TOOL_DESCRIPTIONS)}
    return await take_a_turn(turn, _META, _WAKE_META, shown, acts)


async def category_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """Which tools of a category may hold what the query needs? Give them to agents (table 15; woken: table 19)."""
    turn = await Turn.of(state, run)
    listed = await _listed(turn, lambda sight: sight.tool_page(state["explored"]))
    shown = {"listed": listed, "category": state["agent"]["category"], "most": str(run.context.tools_per_agent)}
    acts = {names.CREATE_TOOL: _create_tool_agent, **_some(names.TOOLS_IN, names.TOOL_DESCRIPTIONS)}
    return await take_a_turn(turn, _CATEGORY, _WAKE_CATEGORY, shown, acts)


async def tool_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """Which APIs of a few tools does the query need? Put them into the pool (table 16; woken: table 18)."""
    turn, agent = await Turn.of(state, run), state["agent"]
    listed = await _listed(turn, lambda sight: sight.api_page(new=not turn.agent_is_new))
    shown = {"listed": listed, "category": agent["category"], "tools": agent["tools"]}
    acts = {names.ADD: add_to_pool, **_some(names.APIS_IN, names.API_DETAIL)}
    return await take_a_turn(turn, _TOOL, _WAKE_TOOL, shown, acts)


async def flat_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """The whole search by one agent, with the functions of all: the ablation without hierarchy (table 3)."""
    turn = await Turn.of(state, run)
    shown = {"listed": await _listed(turn, lambda sight: sight.categories())}
    return await take_a_turn(turn, _FLAT, _WAKE_FLAT, shown, {names.ADD: add_to_pool, **_LOOKS})


async def _listed(turn: Turn, look: Callable[[Sight], list[str]]) -> list[str]:
    """The list that the agent is told unasked: at its beginning, and when it is woken."""
    return await asyncio.to_thread(look, turn.sight) if turn.agent_is_new or turn.unheard else []


def _some(*functions: str) -> dict[str, Act]:
    return {name: _LOOKS[name] for name in functions}


def _create_category_agent(turn: Turn, arguments: Mapping[str, Any]) -> Said:
    """create_agent_category_level; a category whose tools one tool agent can take gets that agent at once."""
    category = str(arguments.get(names.CATEGORY, ""))
    tools = [tool.name for tool in turn.sight.catalog.list_tools(category=category)]
    if not category or not tools:
        return Said(f"There is no category {category!r}. Name it as it was listed.", valid=False)
    if category in [*turn.state["explored"], *(new["category"] for new in turn.report["creates"])]:
        return Said(f"{category} has an agent already.")
    small = len(tools) <= turn.run.context.tools_per_agent
    new = NewAgent(kind="tool" if small else "category", category=category, tools=tools if small else [])
    turn.report["creates"].append(new)
    return Said(f"{category} is given to an agent.")


def _create_tool_agent(turn: Turn, arguments: Mapping[str, Any]) -> Said:
    """create_agent_tool_level; says which tools were not given, because they are too many or have an agent already."""
    found, unknown = turn.sight.tools_named(arguments)
    most = turn.run.context.tools_per_agent
    taken = {*turn.state["explored"], *(tool for new in turn.report["creates"] for tool in new["tools"])}
    free, had = ([tool.name for tool in found if (tool.name in taken) is one] for one in (False, True))
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
