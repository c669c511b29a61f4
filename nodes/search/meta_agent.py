"""Meta agent: which categories may hold what the query needs? (AnyTool, 4.1)"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage

from toolquiver.models import Function
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search import agent_functions as functions
from toolquiver.nodes.search import catalog_functions
from toolquiver.nodes.search.agent_turn import AgentKind, take_a_turn
from toolquiver.nodes.search.agents import AgentInput, NewAgent
from toolquiver.nodes.search.listing import categories_named, category_page
from toolquiver.nodes.search.turn import Turn
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("meta_agent")


async def meta_agent(state: AgentInput, run: Run) -> Update:
    """Take a turn: look into categories, give some to agents, or finish."""
    return await take_a_turn(state, run, _KIND)


async def _prompt(turn: Turn) -> list[BaseMessage]:
    query = turn.state["query"]
    page = await category_page(query, turn.run)
    return _PROMPT.messages(query=query, listed=page.lines, left=page.left)


async def _functions(turn: Turn) -> list[Function]:
    seen = turn.known
    categories, others = await categories_named(turn.state["query"], seen, turn.run)
    return [
        functions.create_category(categories),
        functions.tools_in(categories),
        *([functions.tool_descriptions(seen)] if seen else []),
        *([functions.search_apis()] if others or turn.run.context.search_function else []),
        functions.FINISH_SEARCH,
    ]


async def _create(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """Make a category agent; a category with so few tools that one tool agent can take them gets that at once."""
    category = str(arguments.get(functions.CATEGORY, ""))
    tools = await asyncio.to_thread(turn.run.catalog.list_tools, category=category)
    if not tools:
        return f"There is no category {category!r}."
    names = [tool.name for tool in tools]
    small = len(names) <= turn.run.context.tools_per_agent
    turn.report["creates"].append(
        NewAgent(kind="tool" if small else "category", category=category, tools=names if small else [])
    )
    return f"{category} has an agent."


_KIND = AgentKind(
    "meta_agent",
    _prompt,
    _functions,
    {
        functions.CREATE_CATEGORY: _create,
        functions.TOOLS_IN: catalog_functions.tools_in_category,
        functions.TOOL_DESCRIPTIONS: catalog_functions.tool_descriptions,
        functions.SEARCH: catalog_functions.search_apis,
    },
)
