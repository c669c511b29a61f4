"""One turn of an agent of the search: it is asked, and its calls are carried out (AnyTool, 4.1)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple, cast

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

from toolquiver.models import Function
from toolquiver.models.turn import never_empty
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import refused
from toolquiver.nodes.dialogue import CallRequest, answered, asked_for, requests_in
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agent_functions import CHECK, FINISH, LISTINGS, PAGE
from toolquiver.nodes.search.agents import AgentInput, a_report
from toolquiver.nodes.search.early_stop import added_so_far, run_until_stopped, stop_event
from toolquiver.nodes.search.telling import told
from toolquiver.nodes.search.turn import Turn

_CALL_ONE = "Call one of your functions; call finish_search when there is nothing left to do."
_SAID_BEFORE = "You made these calls before. Do something else."
_LEAFED = "In your last turns you only turned pages, so {names} is not offered now. Do something with what was listed."
_TWICE = "You made this call twice; see above."
_AT_ONCE = 4  # calls of a turn that is written down: so one that repeats itself comes to an end

Act = Callable[[Turn, Mapping[str, Any]], Awaitable[str]]


class AgentKind(NamedTuple):
    """A kind of agent: its role, its prompt, what it can call, and what each of its functions does."""

    role: str
    prompt: Callable[[Turn], Awaitable[list[BaseMessage]]]
    functions: Callable[[Turn], Awaitable[list[Function]]]
    acts: Mapping[str, Act]


async def take_a_turn(state: AgentInput, run: Run, kind: AgentKind) -> Update:
    """Let an agent speak and act once, unless another ends the search meanwhile.

    Gives the `reports` with one report, what joins the agent's history, and the cost. A turn that was stopped leaves
    the history as it was; its prompt counts as spent.
    """
    turn = Turn(state, run, a_report(state["agent"], "acts"))
    stop = stop_event(state["round"])
    prompt: list[AnyMessage] = [] if state["history"] else await _beginning(turn, kind)
    leafed = _leafed_through(state["history"]) if turn.agent["turns"] else set()  # who is woken is to look on
    functions = [one for one in await kind.functions(turn) if one["name"] not in leafed]
    hint = [HumanMessage(_LEAFED.format(names=", ".join(sorted(leafed))))] if leafed else []
    messages: list[Any] = [*state["history"], *prompt, *hint]
    message, over = await spoken(turn, kind.role, functions, messages, several=_AT_ONCE)
    if over:
        return over
    if message is None:
        return _ended(turn, "idles") | turn.spent
    said = [*prompt, never_empty(message), *await _carried_out(turn, message, state["history"], kind)]
    if turn.report["solvable"] or _full(turn):
        stop.set()
    histories = {"histories": {turn.agent["id"]: said}}
    return {"reports": [turn.report], **histories, "usage": turn.spent.get("usage", {})}


def _full(turn: Turn) -> bool:
    """Whether the pool is full with what all agents have added in this round."""
    added = added_so_far(turn.state["round"])
    added[turn.agent["id"]] = turn.report["adds"]
    return len({*turn.state["pool"], *chain.from_iterable(added.values())}) >= turn.run.context.pool_size


async def _beginning(turn: Turn, kind: AgentKind) -> list[AnyMessage]:
    """The prompt, and why the pool did not suffice, if this is not the first try."""
    prompt = await kind.prompt(turn)
    turn.report["seen"] = turn.taken()
    return cast("list[AnyMessage]", [*prompt, *map(told, turn.state["failures"])])


async def _carried_out(turn: Turn, message: AIMessage, history: list[AnyMessage], kind: AgentKind) -> list[AnyMessage]:
    """The answers to a message's calls; to one without calls, or with those of the turn before, a word on that.

    Who was just woken may make the same calls again: since then there may be room in the pool for what it found.
    """
    requests = requests_in(message)
    if not requests:
        turn.report["outcome"] = "idles"
        return [HumanMessage(_CALL_ONE)]
    last = next((said for said in reversed(history) if isinstance(said, AIMessage)), None)
    again = last is not None and asked_for(requests_in(last)) == asked_for(requests) and requests[0]["name"] != FINISH
    checks_anew = _grown(turn) and any(request["name"] == CHECK for request in requests)
    if again and turn.agent["turns"] and not checks_anew:
        turn.report["outcome"] = "idles"
        return [answered(request, _SAID_BEFORE) for request in requests]
    made = asked_for(requests)
    results = list[AnyMessage]()
    for place, request in enumerate(requests):
        twice = made[place] in made[:place] and not (request["name"] == CHECK and _grown(turn))
        result = _TWICE if twice else await _result(turn, request, kind)
        results.append(answered(request, result, turn.taken()))
    return results


def _grown(turn: Turn) -> bool:
    """Whether the pool is another than the agent asked about the last time."""
    return len(turn.pool) != turn.report["checked"]


async def _result(turn: Turn, request: CallRequest, kind: AgentKind) -> str:
    if request["name"] == FINISH:
        turn.report["outcome"] = "finishes"
        return "The search is ended."
    act = kind.acts.get(request["name"])
    if act is None:
        return f"There is no function {request['name']!r}."
    if not isinstance(request["arguments"], dict):
        return "The arguments are not a JSON object."
    return await act(turn, request["arguments"])


def _leafed_through(history: Sequence[AnyMessage]) -> set[str]:
    """The listings of which the last two turns did nothing but turn pages: not offered now, so that something is done.

    The agent is told so in this turn only. A small model leafs through one category to its end, and its tokens are
    spent.
    """
    *_, before, last = [None, None, *(said for said in history if isinstance(said, AIMessage))]
    if before is None or last is None:
        return set()
    turned = [{(one["name"], _without_page(one["arguments"])) for one in requests_in(said)} for said in (before, last)]
    if not all(name in LISTINGS for requests in turned for name, _ in requests):
        return set()
    return {name for name, _ in turned[0] & turned[1]}


def _without_page(arguments: object) -> str:
    rest = {key: value for key, value in arguments.items() if key != PAGE} if isinstance(arguments, dict) else arguments
    return json.dumps(rest, sort_keys=True, default=str)


async def spoken(
    turn: Turn, role: str, functions: list[Function], messages: list[Any], *, several: int = 1
) -> tuple[AIMessage | None, Update]:
    """What the agent says, None where that is nothing valid; and the end of its turn, where there is no more to it.

    So it is where others have ended the search, where its share of the budget holds no turn, and where its model cannot
    or may not read what it is sent.

    Raises:
        InputError: not even the first turn of the run fits the budget.
        ModelError: the model cannot be used, or cannot read the first turn of the run.
    """
    stop = stop_event(turn.state["round"])
    reply, lost = await run_until_stopped(
        stop, turn.run, lambda metered: metered.turn(role, functions, messages, turn.state, several=several)
    )
    if reply is None:
        return None, _ended(turn, "stopped") | lost
    message, turn.spent = reply
    if "stopped" not in turn.spent:
        return message, {}
    return None, _ended(turn, "short", full=refused(turn.spent)) | {"usage": turn.spent.get("usage", {})}


def _ended(turn: Turn, outcome: Literal["stopped", "idles", "short"], *, full: str = "") -> Update:
    """A turn that came to nothing; `full` is what its model cannot or may not read."""
    return {"reports": [a_report(turn.agent, outcome) | {"full": full}]}
