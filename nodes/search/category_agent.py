"""Category agent: which tools of a category may hold what the query needs? (AnyTool, 4.1)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage

from toolquiver.models import Function
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import described
from toolquiver.nodes.run import Run
from toolquiver.nodes.search import agent_functions as functions
from toolquiver.nodes.search import catalog_functions
from toolquiver.nodes.search.agent_turn import Office, take_a_turn
from toolquiver.nodes.search.agents import NewAgent, Sent
from toolquiver.nodes.search.desk import Desk
from toolquiver.nodes.search.listing import paged, ranked_tools
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("category_agent")


async def category_agent(state: Sent, run: Run) -> Update:
    """Take a turn: look at tools, give some to an agent, or finish."""
    return await take_a_turn(state, run, _OFFICE)


async def _prompt(desk: Desk) -> list[BaseMessage]:
    category, most = desk.agent["category"], desk.run.context.tools_per_agent
    tools = await ranked_tools(desk.state["query"], category, desk.run)
    page = paged([described(tool.name, tool.description) for tool in tools], 1, desk.run.context.page)
    desk.listed([tool.name for tool in tools[: len(page.lines)]])
    return _PROMPT.messages(
        query=desk.state["query"], category=category, listed=page.lines, left=page.left, most=str(most)
    )


async def _functions(desk: Desk) -> list[Function]:
    seen = desk.known
    return [
        functions.create_tool(seen, desk.run.context.tools_per_agent),
        functions.tools_in([desk.agent["category"]]),
        functions.tool_descriptions(seen),
        *([functions.search_apis()] if desk.run.context.search_function else []),
        functions.FINISH_SEARCH,
    ]


async def _create(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """Make a tool agent for at most so many tools as one may have, of those that have none yet.

    Says which were left out, which have an agent already, and which are not there.
    """
    tools, unknown = await desk.tools(arguments, functions.TOOLS)
    most = desk.run.context.tools_per_agent
    taken = {*desk.state["taken"], *(tool for new in desk.report["creates"] for tool in new["tools"])}
    free, had = ([tool.name for tool in tools if (tool.name in taken) is one] for one in (False, True))
    given, left = free[:most], free[most:]
    if given:
        desk.report["creates"].append(NewAgent(kind="tool", category=desk.agent["category"], tools=given))
    told = f"{', '.join(given)}: given to an agent." if given else ""
    before = f"Already given to an agent: {', '.join(had)}." if had else ""
    rest = f"An agent takes at most {most} tools; not given: {', '.join(left)}." if left else ""
    return " ".join(filter(None, [told, before, rest, unknown]))


_OFFICE = Office(
    "category_agent",
    _prompt,
    _functions,
    {
        functions.CREATE_TOOL: _create,
        functions.TOOLS_IN: catalog_functions.tools_in_category,
        functions.TOOL_DESCRIPTIONS: catalog_functions.tool_descriptions,
        functions.SEARCH: catalog_functions.search_apis,
    },
)
