"""One turn of an agent of the search: it is asked, and its calls are carried out (AnyTool, 4.1)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple, cast

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

from toolquiver.models import Function
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.loop.telling import told
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agent_functions import CHECK, FINISH, LISTINGS, PAGE
from toolquiver.nodes.search.agents import Sent, a_report
from toolquiver.nodes.search.desk import Desk
from toolquiver.nodes.search.early_stop import bell, tally, unless
from toolquiver.nodes.solver.dialogue import Wish, answered, asked_for, wishes_of

_CALL_ONE = "Call one of your functions; call finish_search when there is nothing left to do."
_SAID_BEFORE = "You made these calls before. Do something else."
_TWICE = "You made this call twice; see above."
_AT_ONCE = 4  # calls of a turn that is written down: so one that repeats itself comes to an end

Act = Callable[[Desk, Mapping[str, Any]], Awaitable[str]]


class Office(NamedTuple):
    """A kind of agent: its role, its prompt, what it can call, and what each of its functions does."""

    role: str
    prompt: Callable[[Desk], Awaitable[list[BaseMessage]]]
    functions: Callable[[Desk], Awaitable[list[Function]]]
    acts: Mapping[str, Act]


async def take_a_turn(state: Sent, run: Run, office: Office) -> Update:
    """Let an agent speak and act once, unless another ends the search meanwhile.

    Gives the `reports` with one report, what joins the agent's history, and the cost. A turn that was stopped leaves
    the history as it was; its prompt counts as spent.
    """
    desk = Desk(state, run, a_report(state["agent"], "acts"))
    rung = bell(state["round"])
    prompt: list[AnyMessage] = [] if state["history"] else await _beginning(desk, office)
    leafed = _leafed_through(state["history"])
    functions = [one for one in await office.functions(desk) if one["name"] not in leafed]
    messages: list[Any] = [*state["history"], *prompt]
    if rung.is_set():
        return ended(desk, "stopped")
    reply, lost = await unless(
        rung, run, lambda metered: metered.turn(office.role, functions, messages, state, several=_AT_ONCE)
    )
    if reply is None:
        return ended(desk, "stopped") | lost
    message, desk.spent = reply
    if message is None:
        return ended(desk, "short") if "stopped" in desk.spent else ended(desk, "idles") | desk.spent
    said = [*prompt, message, *await _carried_out(desk, message, state["history"], office)]
    if desk.report["solvable"] or _full(desk):
        rung.set()
    histories = {"histories": {desk.agent["id"]: said}}
    return {"reports": [desk.report], **histories, "usage": desk.spent.get("usage", {})}


def _full(desk: Desk) -> bool:
    """Whether the pool is full with what all agents have added in this round."""
    added = tally(desk.state["round"])
    added[desk.agent["id"]] = desk.report["adds"]
    return len({*desk.state["pool"], *chain.from_iterable(added.values())}) >= desk.run.context.pool_size


async def _beginning(desk: Desk, office: Office) -> list[AnyMessage]:
    """The prompt, and why the pool did not suffice, if this is not the first try."""
    prompt = await office.prompt(desk)
    desk.report["seen"] = desk.taken()
    return cast("list[AnyMessage]", [*prompt, *map(told, desk.state["failures"])])


async def _carried_out(desk: Desk, message: AIMessage, history: list[AnyMessage], office: Office) -> list[AnyMessage]:
    """The answers to a message's calls; to one without calls, or with those of the turn before, a word on that."""
    wishes = wishes_of(message)
    if not wishes:
        desk.report["outcome"] = "idles"
        return [HumanMessage(_CALL_ONE)]
    last = next((said for said in reversed(history) if isinstance(said, AIMessage)), None)
    again = last is not None and asked_for(wishes_of(last)) == asked_for(wishes) and wishes[0]["name"] != FINISH
    if again and not (_checks_anew(desk) and any(wish["name"] == CHECK for wish in wishes)):
        desk.report["outcome"] = "idles"
        return [answered(wish, _SAID_BEFORE) for wish in wishes]
    made = asked_for(wishes)
    results = list[AnyMessage]()
    for place, wish in enumerate(wishes):
        twice = made[place] in made[:place] and not (wish["name"] == CHECK and _grown(desk))
        result = _TWICE if twice else await _result(desk, wish, office)
        results.append(answered(wish, result, desk.taken()))
    return results


def _checks_anew(desk: Desk) -> bool:
    """Whether the agent would ask about another pool than the last time, or was woken since."""
    return desk.agent["turns"] == 0 or _grown(desk)


def _grown(desk: Desk) -> bool:
    return len(desk.pool) != desk.report["checked"]


async def _result(desk: Desk, wish: Wish, office: Office) -> str:
    if wish["name"] == FINISH:
        desk.report["outcome"] = "finishes"
        return "The search is ended."
    act = office.acts.get(wish["name"])
    if act is None:
        return f"There is no function {wish['name']!r}."
    if not isinstance(wish["arguments"], dict):
        return "The arguments are not a JSON object."
    return await act(desk, wish["arguments"])


def _leafed_through(history: Sequence[AnyMessage]) -> set[str]:
    """The listings of which the last two turns did nothing but turn pages: not offered now, so that something is done.

    A small model leafs through one category to its end, and its tokens are spent.
    """
    *_, before, last = [None, None, *(said for said in history if isinstance(said, AIMessage))]
    if before is None or last is None:
        return set()
    turned = [{(wish["name"], _without_page(wish["arguments"])) for wish in wishes_of(said)} for said in (before, last)]
    if not all(name in LISTINGS for wishes in turned for name, _ in wishes):
        return set()
    return {name for name, _ in turned[0] & turned[1]}


def _without_page(arguments: object) -> str:
    rest = {key: value for key, value in arguments.items() if key != PAGE} if isinstance(arguments, dict) else arguments
    return json.dumps(rest, sort_keys=True, default=str)


def ended(desk: Desk, outcome: Literal["stopped", "short", "idles"]) -> Update:
    """A turn that came to nothing."""
    return {"reports": [a_report(desk.agent, outcome)]}
