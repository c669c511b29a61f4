"""A turn of each agent: meta, category, tool, and the one agent of the flat search (AnyTool, 4.1 and 5.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any, get_args

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from toolquiver.contexts import RetrieverContext
from toolquiver.models.turn import never_empty
from toolquiver.nodes.agents import Kind
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import refused
from toolquiver.nodes.dialogue import CallRequest, answered, asked_for, requests_in
from toolquiver.nodes.retriever.acts import ACTS, Turn
from toolquiver.nodes.retriever.functions import CHECK, FINISH, functions_of
from toolquiver.nodes.retriever.sight import Said, Sight, searched
from toolquiver.nodes.retriever.state import AgentInput, Report
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_BEGIN = {kind: load_prompt(f"anytool/{kind}") for kind in get_args(Kind)}
_WAKE = {kind: load_prompt(f"anytool/wake_{kind}") for kind in get_args(Kind)}
_CALL_ONE = "Call one of your functions. If there is nothing left to do, call finish_search."
_NOT_FINISHED = "Not ended: another call of this turn was not valid. Mend it, or call finish_search again."
_AT_ONCE = 8  # calls of a turn that is written down: so one that repeats itself comes to an end

Show = Callable[[Sight], dict[str, Any]]
"""What an agent's prompt shows of its part of the catalogue. It runs in a thread."""


async def meta_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """Which categories may hold what the query needs? Give each to an agent (table 14; woken: table 20)."""
    explored = state["explored"] if state["history"] else []
    return await _turn(state, run, lambda sight: {"listed": sight.categories(explored)})


async def category_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """Which tools of a category may hold what the query needs? Give them to agents (table 15; woken: table 19)."""
    named = {"category": state["agent"]["category"], "most": str(run.context.tools_per_agent)}
    return await _turn(state, run, lambda sight: {"listed": sight.tool_page(state["explored"]), **named})


async def tool_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """Which APIs of a few tools does the query need? Put them into the pool (table 16; woken: table 18)."""
    named = {"category": state["agent"]["category"], "tools": state["agent"]["tools"]}
    woken = bool(state["history"])
    return await _turn(state, run, lambda sight: {"listed": sight.api_page(new=woken), **named})


async def flat_agent(state: AgentInput, run: Run[RetrieverContext]) -> Update:
    """The whole search by one agent, with the functions of all: the ablation without hierarchy (table 3)."""
    return await _turn(state, run, lambda sight: {"listed": sight.categories()})


async def _turn(state: AgentInput, run: Run[RetrieverContext], show: Show) -> Update:
    """Let an agent speak and act once. Gives its report, what joins its history, and the cost.

    Raises:
        InputError: not even the first turn of the run fits the budget.
        ModelError: the model cannot be used, or cannot read the first turn of the run.
    """
    agent, context = state["agent"], run.context
    sight = Sight(
        catalog=await searched(run),
        wanted=[*state["failures"][-1:], state["query"]],
        page=context.page,
        category=agent["category"],
        tools=agent["tools"],
        pool=state["pool"],
        removed=state["removed"],
    )
    functions = functions_of(agent["kind"], most_tools=context.tools_per_agent, checks=context.check_function)
    told = await asyncio.to_thread(_told, state, context, sight, show)
    messages: list[Any] = [*state["history"], *told]
    message, cost = await run.turn(f"{agent['kind']}_agent", functions, messages, state, several=_AT_ONCE)
    report = Report(agent=agent["id"], outcome="acts", why="", creates=[], adds=[], asks=[], heard=agent["heard"])
    spent = {"usage": cost.get("usage", {})}
    if message is None:
        why = refused(cost)
        outcome = "refused" if why else "short" if "stopped" in cost else "idles"
        return {"reports": [{**report, "outcome": outcome, "why": why}], **spent}
    report["heard"] = len(state["failures"])
    turn = Turn(state, context, sight, report)
    results = await _carried_out(turn, message, {function["name"] for function in functions})
    return {"reports": [report], "histories": {agent["id"]: [*told, never_empty(message), *results]}, **spent}


def _told(state: AgentInput, context: RetrieverContext, sight: Sight, show: Show) -> list[AnyMessage]:
    """What an agent hears before it speaks: at its beginning, and when it is woken by a failure."""
    kind, checks = state["agent"]["kind"], context.check_function
    if not state["history"]:
        prompt = _BEGIN[kind].messages(query=state["query"], failures=state["failures"], checks=checks, **show(sight))
        return list(prompt)  # type: ignore[arg-type]
    unheard = state["failures"][state["agent"]["heard"] :]
    if not unheard:
        return []
    _, said = _WAKE[kind].messages(failures=unheard, checks=checks, **show(sight))
    return [HumanMessage(str(said.text))]


async def _carried_out(turn: Turn, message: AIMessage, offered: Collection[str]) -> list[AnyMessage]:
    """The answers to a message's calls, but for those that ask about the pool: these wait for all agents.

    The end of the search stands beside valid calls only. The same calls as in the turn before change nothing.
    """
    requests = requests_in(message)
    if not requests:
        turn.report["outcome"] = "idles"
        return [HumanMessage(_CALL_ONE)]
    results, valid = list[AnyMessage](), True
    for request in requests:
        if request["name"] == CHECK and CHECK in offered:
            turn.report["asks"].append(request["id"])
        elif request["name"] != FINISH:
            said = await _done(request, turn, offered)
            valid = valid and said.valid
            results.append(answered(request, said.text, failed=not said.valid))
    ends = [request for request in requests if request["name"] == FINISH]
    if ends and valid:
        turn.report["outcome"] = "finishes"
    elif asked_for(requests) == _last_asked_for(turn.state):
        turn.report["outcome"] = "idles"
    ended = "The search is ended." if valid else _NOT_FINISHED
    return [*results, *(answered(request, ended, failed=not valid) for request in ends)]


async def _done(request: CallRequest, turn: Turn, offered: Collection[str]) -> Said:
    name, arguments = request["name"], request["arguments"]
    if name not in offered:
        return Said(f"There is no function {name!r}. There are: {', '.join(sorted(offered))}.", valid=False)
    if not isinstance(arguments, dict):
        return Said("The arguments are not a JSON object.", valid=False)
    return await asyncio.to_thread(ACTS[name], turn, arguments)


def _last_asked_for(state: AgentInput) -> list[tuple[str, object]]:
    """The calls of the agent's turn before; who was just woken may make the same calls again."""
    before = [message for message in state["history"] if isinstance(message, AIMessage)]
    return asked_for(requests_in(before[-1])) if before and state["agent"]["turns"] else []
