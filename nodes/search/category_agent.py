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
from toolquiver.nodes.search.agent_turn import AgentKind, take_a_turn
from toolquiver.nodes.search.agents import AgentInput, NewAgent
from toolquiver.nodes.search.listing import paged, ranked_tools
from toolquiver.nodes.search.turn import Turn
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("category_agent")


async def category_agent(state: AgentInput, run: Run) -> Update:
    """Take a turn: look at tools, give some to an agent, or finish."""
    return await take_a_turn(state, run, _KIND)


async def _prompt(turn: Turn) -> list[BaseMessage]:
    category, most = turn.agent["category"], turn.run.context.tools_per_agent
    tools = await ranked_tools(turn.state["query"], category, turn.run)
    page = paged([described(tool.name, tool.description) for tool in tools], 1, turn.run.context.page)
    turn.listed([tool.name for tool in tools[: len(page.lines)]])
    return _PROMPT.messages(
        query=turn.state["query"], category=category, listed=page.lines, left=page.left, most=str(most)
    )


async def _functions(turn: Turn) -> list[Function]:
    seen = turn.known
    return [
        functions.create_tool(seen, turn.run.context.tools_per_agent),
        functions.tools_in([turn.agent["category"]]),
        functions.tool_descriptions(seen),
        *([functions.search_apis()] if turn.run.context.search_function else []),
        functions.FINISH_SEARCH,
    ]


async def _create(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """Make a tool agent for at most so many tools as one may have, of those that have none yet.

    Says which were left out, which have an agent already, and which are not there.
    """
    tools, unknown = await turn.tools(arguments, functions.TOOLS)
    most = turn.run.context.tools_per_agent
    taken = {*turn.state["taken"], *(tool for new in turn.report["creates"] for tool in new["tools"])}
    free, had = ([tool.name for tool in tools if (tool.name in taken) is one] for one in (False, True))
    given, left = free[:most], free[most:]
    if given:
        turn.report["creates"].append(NewAgent(kind="tool", category=turn.agent["category"], tools=given))
    told = f"{', '.join(given)}: given to an agent." if given else ""
    before = f"Already given to an agent: {', '.join(had)}." if had else ""
    rest = f"An agent takes at most {most} tools; not given: {', '.join(left)}." if left else ""
    return " ".join(filter(None, [told, before, rest, unknown]))


_KIND = AgentKind(
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
