"""Plain agent: reads the whole catalogue group by group; a baseline (AnyTool, A.4)."""

from __future__ import annotations

import asyncio

from toolquiver.catalog import API
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import api_line, described
from toolquiver.nodes.dialogue import requests_in
from toolquiver.nodes.run import Run
from toolquiver.nodes.search import agent_functions as functions
from toolquiver.nodes.search.agent_turn import spoken
from toolquiver.nodes.search.agents import AgentInput, a_report
from toolquiver.nodes.search.pooling import add_to_pool, check
from toolquiver.nodes.search.turn import Turn
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("plain_agent")
_GROUP = {"names": 500, "descriptions": 100, "details": 50}
"""How many APIs a group has, by what the agent is shown of each."""


async def plain_agent(state: AgentInput, run: Run) -> Update:
    """Take the next group of the catalogue and put into the pool what fits; then ask whether the pool suffices.

    A group on which nothing valid is said, or of which a model refuses to speak, is lost, and counted.
    """
    detail, number = run.context.plain_detail, state["agent"]["page"]
    size = _GROUP[detail]
    apis = await asyncio.to_thread(run.catalog.apis)
    group = apis[number * size : (number + 1) * size]
    turn = Turn(state, run, a_report(state["agent"], "acts"))
    messages = _PROMPT.messages(query=state["query"], listed=[_line(api, detail) for api in group])
    offered = [functions.add_api([api.function for api in group]), functions.FINISH_SEARCH]
    message, over = await spoken(turn, "plain_agent", offered, messages)
    if over and "usage" not in turn.spent:  # an answer that was refused is paid for; the next group may have one
        return over
    requests = requests_in(message) if message else []
    for request in requests:
        if request["name"] == functions.ADD and isinstance(request["arguments"], dict):
            await add_to_pool(turn, request["arguments"])
    if turn.report["adds"] and run.context.check_function:
        await check(turn, {})
    turn.report["page"] = number + 1
    turn.report["lost"] = not any(request["name"] in (functions.ADD, functions.FINISH) for request in requests)
    if (number + 1) * size >= len(apis):
        turn.report["outcome"] = "finishes"
    return {"reports": [turn.report], "usage": turn.spent.get("usage", {})}


def _line(api: API, detail: str) -> str:
    if detail == "details":
        return api_line(api)
    return described(f"{api.function} (of {api.tool})", api.description if detail == "descriptions" else "")
