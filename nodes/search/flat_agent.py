"""One agent for the whole search, with the functions of all: the ablation without hierarchy (AnyTool, 5.3)."""

from __future__ import annotations

from langchain_core.messages import BaseMessage

from toolquiver.models import Function
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search import agent_functions as functions
from toolquiver.nodes.search import catalog_functions, pooling
from toolquiver.nodes.search.agent_turn import AgentKind, take_a_turn
from toolquiver.nodes.search.agents import AgentInput
from toolquiver.nodes.search.listing import categories_named, category_page
from toolquiver.nodes.search.turn import Turn
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("flat_agent")


async def flat_agent(state: AgentInput, run: Run) -> Update:
    """Take a turn: look anywhere, put APIs into the pool, ask whether it suffices, or finish."""
    return await take_a_turn(state, run, _KIND)


async def _prompt(turn: Turn) -> list[BaseMessage]:
    query = turn.state["query"]
    page = await category_page(query, turn.run)
    return _PROMPT.messages(query=query, listed=page.lines, left=page.left, checks=turn.run.context.check_function)


async def _functions(turn: Turn) -> list[Function]:
    """Only what was listed can be named: tools by category and name, APIs by their function's name."""
    seen = turn.known
    categories, others = await categories_named(turn.state["query"], seen, turn.run)
    tools, apis = [name for name in seen if "/" in name], [name for name in seen if "/" not in name]
    return [
        functions.tools_in(categories),
        *([functions.tool_descriptions(tools), functions.apis_in(tools)] if tools else []),
        *([functions.api_detail(apis), functions.add_api(apis)] if apis else []),
        *([functions.search_apis()] if others or turn.run.context.search_function else []),
        *([functions.CHECK_SOLVABLE] if turn.run.context.check_function else []),
        functions.FINISH_SEARCH,
    ]


_KIND = AgentKind(
    "flat_agent",
    _prompt,
    _functions,
    {
        functions.ADD: pooling.add_to_pool,
        functions.CHECK: pooling.check,
        functions.TOOLS_IN: catalog_functions.tools_in_category,
        functions.TOOL_DESCRIPTIONS: catalog_functions.tool_descriptions,
        functions.APIS_IN: catalog_functions.apis_in_tool,
        functions.API_DETAIL: catalog_functions.api_detail,
        functions.SEARCH: catalog_functions.search_apis,
    },
)
