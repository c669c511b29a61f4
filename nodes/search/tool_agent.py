"""Tool agent: which APIs of a few tools does the query need? (AnyTool, 4.1)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from toolquiver.catalog import API
from toolquiver.models import Function
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search import agent_functions as functions
from toolquiver.nodes.search import catalog_functions, pooling
from toolquiver.nodes.search.agent_turn import AgentKind, take_a_turn
from toolquiver.nodes.search.agents import AgentInput
from toolquiver.nodes.search.listing import ranked_apis
from toolquiver.nodes.search.turn import Turn
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("tool_agent")


async def tool_agent(state: AgentInput, run: Run) -> Update:
    """Take a turn: look at APIs, put some into the pool, ask whether it suffices, or finish."""
    return await take_a_turn(state, run, _KIND)


async def _prompt(turn: Turn) -> list[BaseMessage]:
    agent = turn.agent
    apis = await ranked_apis(turn.state["query"], agent["category"], agent["tools"], turn.run)
    page = catalog_functions.apis_page(turn, apis, 1)
    return _PROMPT.messages(
        query=turn.state["query"],
        tools=agent["tools"],
        category=agent["category"],
        listed=page.lines,
        left=_left(turn, apis) if len(agent["tools"]) > 1 else page.left,
        checks=turn.run.context.check_function,
    )


def _left(turn: Turn, apis: Sequence[API]) -> str:
    """What the prompt does not show, tool by tool: pages are turned of one tool at a time, in the same order."""
    size = turn.run.context.page
    shown, left = (Counter(api.tool for api in part) for part in (apis[:size], apis[size:]))
    rest = [f"{count} of {tool}, from its page {shown[tool] // size + 1} on" for tool, count in left.items()]
    return f"Not shown: {'; '.join(rest)}. {functions.APIS_IN} lists them." if rest else ""


async def _functions(turn: Turn) -> list[Function]:
    seen = turn.known
    named = [functions.add_api(seen), functions.api_detail(seen)] if seen else []
    return [
        *named,
        functions.apis_in(turn.agent["tools"]),
        *([functions.search_apis()] if turn.run.context.search_function else []),
        *([functions.CHECK_SOLVABLE] if turn.run.context.check_function else []),
        functions.FINISH_SEARCH,
    ]


_KIND = AgentKind(
    "tool_agent",
    _prompt,
    _functions,
    {
        functions.ADD: pooling.add_to_pool,
        functions.CHECK: pooling.check,
        functions.APIS_IN: catalog_functions.apis_in_tool,
        functions.API_DETAIL: catalog_functions.api_detail,
        functions.SEARCH: catalog_functions.search_apis,
    },
)
