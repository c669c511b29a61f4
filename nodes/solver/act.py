"""ReAct agent: a thought, and the call that it leads to, or the answer (anytool.txt, solver; ecoact.txt, 3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Literal

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage

from toolquiver.catalog import API
from toolquiver.models import Function, function_with
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import (
    CallRequest,
    SolverState,
    answer_in,
    answered,
    asked_for,
    first_request,
    found_out,
    requests_in,
    results_of,
    said_by,
)
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.context_window import fit_to_context, to_finish
from toolquiver.nodes.solver.giving_up import GIVE_UP, GivingUp, give_up, given_up
from toolquiver.prompts import Prompt, load_prompt
from toolquiver.registration import REGISTER, UNREGISTER, Registration

ANSWER = "give_answer"
REPEATS = 3
"""Turns in a row with the same calls: then the model is going round in circles."""
NOT_YET = "This turn has calls beside it. Look at what they return, then end."
_PROMPT = load_prompt("act")
GIVE_ANSWER = function_with(ANSWER, "End with the answer to the request.", {"answer": {"type": "string"}})


async def act(state: SolverState, run: Run) -> Update:
    """Take the next turn: calls to make, or the answer.

    Text without a call is the answer too, once a tool was called: before that, a small model only says what it means to
    do. A turn with neither, one that only repeats the calls of the two before it, or no valid one at all, is the end.
    """
    return await _turn(state, run, gives_up=False)


async def act_or_give_up(state: GivingUp, run: Run) -> Update:
    """The same for a solver that tells the search before it why its tools do not suffice (AnyTool, 4.2).

    Before a call has succeeded there is nothing to answer with, so that it can only go on or give up.
    """
    return {"given_up": None} | await _turn(state, run, gives_up=True)


async def _turn(state: SolverState, run: Run, *, gives_up: bool) -> Update:
    apis = await run.apis(state["pool"])
    registering = await run.registering(apis)
    functions = registering.functions(apis, state["registered"])
    functions += [give_up(apis), *answering(state)] if gives_up else [GIVE_ANSWER]
    begun = found_out(state) if gives_up else bool(state["calls"])
    prompt = opening(_PROMPT, state["query"], apis, registering, gives_up=gives_up)
    said = [*prompt, *await fit_to_context("act", state["messages"], run, opening=prompt, functions=functions)]
    leave = await to_finish(said, state, run)
    message, cost = await run.turn("act", functions, said, state, must_call=not begun, leave=leave)
    if message is None:
        return {"decided": "out of budget" if "stopped" in cost else "no action", "requests": [], **cost}
    update: Update = {"turn": state["turn"] + 1, "requests": requests_in(message), **cost}
    endings = (ANSWER, GIVE_UP) if gives_up else (ANSWER,)
    ends = end_among(update["requests"], endings, state["messages"])
    if ends and ends["name"] == GIVE_UP:
        why = given_up(ends["arguments"], apis, state["calls"])
        return update | {"requests": [], "given_up": why, "decided": "gives up"}
    if ends or not update["requests"]:
        answer = answer_in(ends) if ends else said_by(message) if begun else ""
        return update | {"requests": [], "answer": answer, "decided": "answered" if answer else "no action"}
    if _repeated([*state["messages"], message]):
        return update | {"requests": [], "decided": "repeats itself"}
    requests, told = put_off(update["requests"], endings)
    return update | {
        "requests": requests,
        "messages": [message, *told],
        "decided": "acts" if update["turn"] < run.context.max_turns else "acts for the last time",
    }


def end_among(
    requests: Sequence[CallRequest], endings: Collection[str], before: Sequence[AnyMessage]
) -> CallRequest | None:
    """The end that a turn asks for; none where calls beside it were not made before: they are made first."""
    end = next((request for request in requests if request["name"] in endings), None)
    if end is None:
        return None
    made = [(name, arguments) for name, arguments, _ in results_of(before)]
    beside = asked_for([request for request in requests if request["name"] not in endings])
    return end if all(one in made for one in beside) else None


def put_off(requests: Sequence[CallRequest], endings: Collection[str]) -> tuple[list[CallRequest], list[ToolMessage]]:
    """The calls of a turn, and what is told of the ends that it has beside them."""
    told = [answered(request, NOT_YET, failed=True) for request in requests if request["name"] in endings]
    return [request for request in requests if request["name"] not in endings], told


def answering(state: SolverState) -> list[Function]:
    """The function that answers, where a try may be given up: only once a call has succeeded.

    It stands last, so that the beginning of the prompt stays as it was.
    """
    return [GIVE_ANSWER] if found_out(state) else []


async def conversation(role: str, state: SolverState, run: Run, *, left: int = 0) -> list[BaseMessage]:
    """The prompt, and what was said since, as far as `role` sees it, which can only answer."""
    apis = await run.apis(state["pool"])
    prompt = opening(_PROMPT, state["query"], apis, await run.registering(apis))
    said = await fit_to_context(role, state["messages"], run, opening=prompt, left=left, calls_as_text=True)
    return [*prompt, *said]


def opening(
    prompt: Prompt, query: str, apis: list[API], registering: Registration, *, gives_up: bool = False
) -> list[BaseMessage]:
    """What a solver's conversation begins with: the request, and the tools that can be registered."""
    return list(_filled(prompt, query, tuple(registering.listed(apis)), registering.mode == "on_demand", gives_up))


@lru_cache(maxsize=64)  # it stays the same from turn to turn
def _filled(
    prompt: Prompt, query: str, listed: tuple[str, ...], on_demand: bool, gives_up: bool
) -> tuple[BaseMessage, ...]:
    names = {"register": REGISTER, "unregister": UNREGISTER}
    return tuple(prompt.messages(query=query, listed=list(listed), on_demand=on_demand, gives_up=gives_up, **names))


def _repeated(messages: list[BaseMessage]) -> bool:
    """Whether the last turns of this try all made the same calls; a person's word stands before each new try."""
    since = takewhile(lambda message: not isinstance(message, HumanMessage), reversed(messages))
    said = (message for message in since if isinstance(message, AIMessage))
    turns = [asked_for(requests_in(message)) for message in islice(said, REPEATS)]
    return len(turns) == REPEATS and all(turn == turns[0] for turn in turns)


def after_act(state: SolverState) -> Literal["registers", "calls", "ends"]:
    """An answer, or a turn that leads nowhere, is the end."""
    return first_request(state) if state["requests"] and not state["stopped"] else "ends"
