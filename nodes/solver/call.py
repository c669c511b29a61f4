"""One API call: checked, approved where it must be, made, and recorded. What is refused says why."""

from __future__ import annotations

from typing import Any, cast

from toolquiver.calling import Failure, Observation, normalised
from toolquiver.catalog import API, ApiId
from toolquiver.contexts import SolverContext
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.records import call_record
from toolquiver.nodes.room import room as room_of
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.begin import registering
from toolquiver.nodes.solver.state import Visit, all_calls, outcome
from toolquiver.nodes.solver.tree import calls_on, path_to
from toolquiver.nodes.solver_io import SolverCall
from toolquiver.registration import REGISTER, Registration

_WHOLE = 200_000  # characters that are kept of a response
_UNKNOWN = "There is no function {name!r}. Use one of those you have."
_NO_OBJECT = "The arguments are not a JSON object."
_IN_DOUBT = "It may have been carried out already although no answer came, so it is not made again."
_DONE = "This was done already, on another way, and is not done twice. It returned:\n{text}"
_UNANSWERED = ("timeout", "network", "server_error")  # such a call may have worked all the same


async def call(state: Visit, run: Run[SolverContext]) -> Update:
    """Make the call of one request, if need be after the user was asked; a failure is a record like any other.

    A name that is no candidate, and arguments that are no object, are failures. An API that is not registered is not
    called; the model is told how to register it. A call that may write is not made again where it may have worked, nor
    where it was done on a way of the tree that the model no longer sees.
    """
    request = state["requests"][state["place"]]
    pool = await run.apis(state["pool"])
    how = await registering(state, run)
    name, given = how.target(request["name"], request["arguments"] or {})
    api = next((api for api in pool if api.function == name), None)
    arguments = given if request["arguments"] is not None and isinstance(given, dict) else None
    if api and api.id not in _registered_beside(state, pool, how) and (no := how.refusal(api, state["registered"])):
        return outcome(state, no, ok=False)
    if api and arguments is not None and (done := _done_elsewhere(api, arguments, state)):
        return outcome(state, _DONE.format(text=done))
    came = await _made(api, name, arguments, state, run)
    text = "" if isinstance(came, Failure) else came.text
    most = await room(state, run)
    made = SolverCall(
        **call_record(0, api.id if api else cast("ApiId", name), arguments, came),
        number=state["number"],
        turn=state["turn"],
        text=text,
        cut=len(text) > most,
    )
    told = f"It failed ({came.kind}): {came.message}" if isinstance(came, Failure) else cut(text, most, made["number"])
    return {"calls": [made], **outcome(state, told, ok=made["ok"])}


async def _made(
    api: API | None, name: str, arguments: dict[str, Any] | None, state: Visit, run: Run[SolverContext]
) -> Observation | Failure:
    if api is None:
        return Failure(kind="unknown_api", message=_UNKNOWN.format(name=name))
    if arguments is None:
        return Failure(kind="invalid_arguments", message=_NO_OBJECT)
    made = all_calls(state)
    if api.effect != "read" and any(
        call["failure"] in _UNANSWERED and _is_same(api, arguments, call["api"], call["arguments"]) for call in made
    ):
        return Failure(kind="blocked", message=_IN_DOUBT)
    return await call_if_approved(api, arguments, state, run, made, characters=_WHOLE)


def _registered_beside(state: Visit, pool: list[API], how: Registration) -> set[ApiId]:
    """The APIs that other requests of this turn register: they can be called beside these."""
    wanted = [request["arguments"] or {} for request in state["requests"] if request["name"] == REGISTER]
    return {api for arguments in wanted for api in how.register(arguments, pool, state["registered"])[0]}


def _done_elsewhere(api: API, arguments: dict[str, Any], state: Visit) -> str:
    """What this very call returned on a way that was gone back from; empty where it only reads, or was not made."""
    tree = state.get("tree")
    if not tree or api.effect == "read":
        return ""
    here = calls_on(path_to(tree, state.get("at", 0)), state["calls"])
    same = [call for call in state["calls"] if call["ok"] and _is_same(api, arguments, call["api"], call["arguments"])]
    return "" if any(call in here for call in same) else next((call["text"] for call in same), "")


def _is_same(api: API, arguments: dict[str, Any], other: ApiId, given: dict[str, Any]) -> bool:
    return other == api.id and normalised(api, given) == normalised(api, arguments)


async def room(state: Visit, run: Run[SolverContext]) -> int:
    """How many characters of one result the model is shown: a part of what it sees, and of the budget that is left."""
    role = "explore" if state.get("tree") else "act"
    return await room_of(role, state, run, run.context.solver_context)


def cut(text: str, most: int, number: int, start: int = 0) -> str:
    """A part of a result, with a mark that says how much is missing and how to see it."""
    shown = text[start : start + most]
    left = len(text) - start - len(shown)
    if left <= 0:
        return shown
    return f"{shown}\n[cut: {left} more characters; show_result(call={number}, start={start + most}) shows them]"
