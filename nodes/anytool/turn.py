"""One turn of an agent: it is asked, and its calls are carried out (AnyTool, 4.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from toolquiver.contexts import RetrieverContext
from toolquiver.models.turn import never_empty
from toolquiver.nodes.anytool.functions import CHECK, FINISH, functions_of
from toolquiver.nodes.anytool.sight import Said, Sight, sampled
from toolquiver.nodes.anytool.state import AgentInput, Outcome, Report, a_report
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import refused
from toolquiver.nodes.dialogue import CallRequest, answered, asked_for, requests_in
from toolquiver.nodes.run import Run
from toolquiver.prompts import Prompt

_CALL_ONE = "Call one of your functions. If there is nothing left to do, call finish_search."
_SAID_BEFORE = "You made this call in your last turn; see above. Do something else, or call finish_search."
_NOT_FINISHED = "Not ended: another call of this turn was not valid. Mend it, or call finish_search again."
_NOT_BESIDE = "Not ended: something did not fit into the pool."
_AT_ONCE = 8  # calls of a turn that is written down: so one that repeats itself comes to an end


@dataclass
class Turn:
    """One turn of one agent; `report` grows as its calls are carried out."""

    state: AgentInput
    run: Run[RetrieverContext]
    sight: Sight
    report: Report
    role: str

    @classmethod
    async def of(cls, state: AgentInput, run: Run[RetrieverContext]) -> Turn:
        """A turn at its beginning."""
        agent, context = state["agent"], run.context
        catalog = run.catalog
        if context.searched_apis:
            catalog = await asyncio.to_thread(
                lambda: sampled(run.catalog, run.catalog.version(), context.searched_apis)
            )
        sight = Sight(
            catalog=catalog,
            wanted=[*state["failures"][-1:], state["query"]],
            page=context.page,
            category=agent["category"],
            tools=agent["tools"],
            pool=state["pool"],
            removed=state["removed"],
        )
        report = a_report(agent, "acts") | {"heard": len(state["failures"])}
        return cls(state, run, sight, report, f"{agent['kind']}_agent")

    @property
    def agent_is_new(self) -> bool:
        """Whether the agent has said nothing yet."""
        return not self.state["history"]

    @property
    def unheard(self) -> list[str]:
        """Why tries have failed that the agent has not heard of."""
        return self.state["failures"][self.state["agent"]["heard"] :]


Act = Callable[[Turn, Mapping[str, Any]], Said]
"""What a function does: from the turn and the arguments to what the agent is told. It runs in a thread."""


async def take_a_turn(
    turn: Turn, prompt: Prompt, wake: Prompt, shown: Mapping[str, Any], acts: Mapping[str, Act]
) -> Update:
    """Let an agent speak and act once.

    A new agent is told `prompt`, one that has not heard why the last try failed is told `wake`; both are filled with
    what is `shown`. `acts` are its functions by name. Gives the `reports` with one report, what joins the agent's
    history, and the cost.

    Raises:
        InputError: not even the first turn of the run fits the budget.
        ModelError: the model cannot be used, or cannot read the first turn of the run.
    """
    state, context = turn.state, turn.run.context
    told: list[AnyMessage] = []
    if turn.agent_is_new:
        values = {"query": state["query"], "failures": state["failures"], "checks": context.check_function}
        told = list(prompt.messages(**values, **shown))  # type: ignore[arg-type]
    elif turn.unheard:
        _, said = wake.messages(failures=turn.unheard, checks=context.check_function, **shown)
        told = [HumanMessage(str(said.text))]
    functions = functions_of(state["agent"]["kind"], most_tools=context.tools_per_agent, checks=context.check_function)
    messages: list[Any] = [*state["history"], *told]
    message, cost = await turn.run.turn(turn.role, functions, messages, state, several=_AT_ONCE)
    spent = {"usage": cost.get("usage", {})}
    if message is None:
        return {"reports": [_no_turn(turn, cost)], **spent}
    results = await _carried_out(turn, message, acts)
    histories = {state["agent"]["id"]: [*told, never_empty(message), *results]}
    return {"reports": [turn.report], "histories": histories, **spent}


def _no_turn(turn: Turn, cost: Update) -> Report:
    """The report of a turn in which nothing valid was said."""
    outcome: Outcome = "short" if "stopped" in cost else "idles"
    report = a_report(turn.state["agent"], outcome)
    report["unreadable"] = refused(cost)
    return report


async def _carried_out(turn: Turn, message: AIMessage, acts: Mapping[str, Act]) -> list[AnyMessage]:
    """The answers to a message's calls, but for those that ask about the pool: these wait for all agents.

    The end of the search stands beside valid calls only.
    """
    requests = requests_in(message)
    if not requests:
        turn.report["outcome"] = "idles"
        return [HumanMessage(_CALL_ONE)]
    before, results, refusal = _last_requests(turn), list[AnyMessage](), ""
    ends = [request for request in requests if request["name"] == FINISH]
    idle = not ends
    for request in requests:
        (asked,) = asked_for([request])
        if request in ends:
            continue
        if request["name"] == CHECK and turn.run.context.check_function:
            turn.report["asks"].append(request["id"])
            idle = False
            continue
        said = Said(_SAID_BEFORE) if asked in before else await _done(request, turn, acts)
        idle = idle and asked in before
        refusal = refusal or ("" if said.valid else _NOT_FINISHED)
        results.append(answered(request, said.text, failed=not said.valid))
    refusal = refusal or (_NOT_BESIDE if turn.report["left_out"] else "")
    turn.report["outcome"] = "finishes" if ends and not refusal else "idles" if idle else "acts"
    return [*results, *(answered(request, refusal or "The search is ended.", failed=bool(refusal)) for request in ends)]


def _last_requests(turn: Turn) -> list[tuple[str, object]]:
    """What the agent called in its last turn; who was just woken may make the same calls again."""
    said: Sequence[AnyMessage] = turn.state["history"] if turn.state["agent"]["turns"] else []
    last = next((message for message in reversed(said) if isinstance(message, AIMessage)), None)
    return asked_for(requests_in(last)) if last else []


async def _done(request: CallRequest, turn: Turn, acts: Mapping[str, Act]) -> Said:
    act = acts.get(request["name"])
    if act is None:
        return Said(f"There is no function {request['name']!r}. There are: {', '.join([*acts, FINISH])}.", valid=False)
    if not isinstance(request["arguments"], dict):
        return Said("The arguments are not a JSON object.", valid=False)
    return await asyncio.to_thread(act, turn, request["arguments"])
