"""One turn of the model, under either solver, and how it is read: an answer, an end, or requests."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolMessage
from langgraph.types import Overwrite

from toolquiver.catalog import API
from toolquiver.contexts import SolverContext
from toolquiver.models import Function, is_cut
from toolquiver.models.tokens import count_message_tokens, table_loaded
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.context_window import fit_to_context
from toolquiver.nodes.dialogue import CallRequest, answered, asked_for, requests_in
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.begin import registering
from toolquiver.nodes.solver.offer import ANSWER, GIVE_UP, GO_BACK, RESTART, functions, opening
from toolquiver.nodes.solver.state import Outcome, SolverState
from toolquiver.nodes.solver_io import GivenUp
from toolquiver.registration import Grown, callable_ids, names_given

_LEFT = 1_012  # tokens of the budget for one more turn, its results, and an answer
EMPTY = "Your reply was empty. Call a function, or reply with the answer."
_NOT_YET = "Not yet: there are calls beside it. Look at what they return, then end."
_NO_ANSWER = "There is no answer in it. Give it as a text, as `answer`."
_NO_CALL_LEFT = "This call was not made: the run may make no more calls. End with what is known."


async def take(
    role: str,
    said: Sequence[AnyMessage],
    state: SolverState,
    run: Run[SolverContext],
    *,
    ends: list[Function],
    last: bool,
    told: Sequence[AnyMessage] = (),
) -> tuple[AIMessage | None, Update]:
    """Let the model go on after what was `said`, and say what any turn changes in the state.

    `ends` are the functions that end a way; in the `last` turn, and when the calls are used up, there are no others.
    `told` comes after what was said, in this turn alone. So much of the budget is left that an answer can be worded.
    """
    left = run.context.solver_calls - len(state["calls"])
    offered = await functions(state, run, ends=ends, last=last or left <= 0)
    begun = await opening(state, run, restart=GO_BACK in ends)
    shown = await fit_to_context(role, said, run, opening=[*begun, *told], functions=offered)
    messages = [*begun, *shown, *told]
    leave = await _to_finish(messages, state, run)
    message, cost = await run.turn(role, offered, messages, state, leave=leave)
    turn = state["turn"] + 1
    update: Update = {"turn": turn, "calls_left": left, "requests": [], "outcomes": Overwrite([]), **cost}
    if message is None:
        return None, {**update, "decided": "out of budget" if "stopped" in cost else "no answer came"}
    return message, {**update, "growth": [await _grown(turn, state, run)]}


async def _to_finish(said: Sequence[BaseMessage], state: SolverState, run: Run[SolverContext]) -> int:
    """The tokens that a turn must leave, so that what this run found out can still be said; none before it found any.

    They are half of the budget at most.
    """
    if not any(call["ok"] for call in state["calls"]):
        return 0
    await table_loaded()
    return min(count_message_tokens(said) + _LEFT, run.context.token_budget // 2)


async def _grown(turn: int, state: SolverState, run: Run[SolverContext]) -> Grown:
    """How many of the candidates can be called in this turn (EcoAct, figure 4)."""
    pool = state["pool"]
    everything = (await registering(state, run)).mode == "all"
    live = len(pool) if everything else len(callable_ids(state["registered"]) & set(pool))
    return Grown(turn=turn, registered=live, available=len(pool))


def read(message: AIMessage, apis: Sequence[API], ends: Collection[str], before: Sequence[AnyMessage]) -> Update:
    """What a turn says: a text is the answer, an end is an end, all else are requests.

    Of an end beside calls the calls come first, as it was said without their results; unless these very calls were
    answered `before`. Only one that stands alone, or beside such calls, is taken.
    """
    requests = requests_in(message)
    text = str(message.text).strip()
    if not requests and text:
        return {"answer": text, "decided": "answers in part" if is_cut(message) else "answers"}
    if not requests:
        return {"decided": "says nothing"}
    places = [place for place, request in enumerate(requests) if request["name"] in ends]
    beside = [request for request in requests if request["name"] not in ends]
    if places and _answered_before(beside, before):
        if ended := _ended(requests[places[0]], apis):
            return ended
        told = _NO_ANSWER
    else:
        told = _NOT_YET
    outcomes = Overwrite([Outcome(place=place, text=told, ok=False) for place in places])
    return {"requests": requests, "outcomes": outcomes, "decided": "acts"}


def _ended(request: CallRequest, apis: Sequence[API]) -> Update:
    """What an end says; nothing where it is an answer without a text."""
    given: dict[str, Any] = request["arguments"] or {}
    if request["name"] == ANSWER:
        answer = given.get("answer")
        said = "" if answer is None else str(answer).strip()
        return {"answer": said, "decided": "answers"} if said else {}
    reason = str(given.get("reason") or "").strip() or "The model gave no reason."
    if request["name"] == RESTART:
        return {"reason": reason, "decided": "goes back"}
    assert request["name"] == GIVE_UP
    ids = {api.function: api.id for api in apis}
    failed = [ids[name] for name in names_given(given, "failed") if name in ids]
    known = str(given.get("known") or "").strip()
    return {"given_up": GivenUp(reason=reason, failed=failed), "answer": known, "decided": "gives up"}


def _answered_before(requests: list[CallRequest], before: Sequence[AnyMessage]) -> bool:
    """Whether all these calls stand in the conversation already, with the same arguments."""
    made = [call for message in before if isinstance(message, AIMessage) for call in asked_for(requests_in(message))]
    return all(one in made for one in asked_for(requests))


def answers_to(state: SolverState) -> list[ToolMessage]:
    """A message for each request of the turn, in order; one that no node served came after the last call."""
    served = {one["place"]: one for one in state["outcomes"]}
    return [
        answered(request, served[place]["text"], failed=not served[place]["ok"])
        if place in served
        else answered(request, _NO_CALL_LEFT, failed=True)
        for place, request in enumerate(state["requests"])
    ]
