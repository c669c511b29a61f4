"""The executor: runs the program with what is recorded, says what it waits for or how it ended, makes its calls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import HumanMessage
from langgraph.types import Send

from toolquiver.calling import Failure, normalised
from toolquiver.calling.outcome import PASSING
from toolquiver.catalog import API, ApiId
from toolquiver.catalog.text import shortened
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.rollback import step_of
from toolquiver.nodes.quiver.sight import cut
from toolquiver.nodes.quiver.state import Frame, Lookup, Made, Next, QuiverState, call_with, made
from toolquiver.nodes.room import room
from toolquiver.nodes.run import Run
from toolquiver.programs import Ended, GaveUp, Request, Waiting, asks_the_same, functions, open_arguments, run_programs

_WHOLE = 200_000  # characters of a response that a program has
_SEARCHES = ("search_apis", "api_docs")
_LOOKUPS = 200  # searches and questions of a run
_NO_LOOKUP = "The run has searched and asked enough, and may do so no more. Answer with what is known."
_SILENT = "The program ended without `answer` and printed nothing."
_STOPPED = "The program stopped. {error}\nVariables that were set before are kept. Write the program from that line on."
_LIMIT = "The run has made {calls} calls, and may make no more. Answer with what is known."
_NOT_AGAIN = "{failure}: {message} The same call is not made again."
_GONE = "It has left the list of this step, because it failed: {why}"


async def run(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Run the last program up to what is open, and tell what comes next.

    A call that answered before is not made again: its result is used (a call that only reads is made again once
    something was written since). Calls over the limit, those that failed for good, and those of an API that has left
    the list of the step, fail without being made; the program may catch that.
    """
    known = functions(await run.apis(state["pool"]))
    apis = {function.api.id: function.api for function in known.values()}
    settled: list[Lookup] = []
    while True:
        results = _results(state["calls"], [*state["lookups"], *settled])
        outcome = await asyncio.to_thread(run_programs, state["programs"], known, results, state["now"])
        if not isinstance(outcome, Waiting):
            break
        if waiting := await _unsettled(outcome.requests, apis, state, settled, run):
            return {"lookups": settled, **_waiting(waiting, apis)}
    update: Update = {"lookups": settled, "requests": [], "frames": []}
    if isinstance(outcome, GaveUp):
        return update | {"proposed": outcome.why, "reason": outcome.why, "decided": "it gives up"}
    if isinstance(outcome, Ended) and outcome.answer is not None:
        said = outcome.answer if isinstance(outcome.answer, str) else json.dumps(outcome.answer, ensure_ascii=False)
        return update | {"proposed": said, "decided": "its answer is there"}
    told = [printed] if (printed := outcome.printed.strip()) else []
    update["decided"] = "it goes on"
    if isinstance(outcome, Ended):
        told += _looked_up(state, printed)
        told = [] if state["form"] == "steps" else told or [_SILENT, *_returned(state)]  # a step is seen by its call
    elif call_with(state["calls"], outcome.failed):
        update |= {"failed": outcome.failed, "problem": outcome.error, "decided": "a call failed"}
    else:
        told.append(_STOPPED.format(error=outcome.error))
    shown = cut("\n".join(told), await room("plan", state, run))
    return update | {"messages": [HumanMessage(shown)] if told else []}


async def _unsettled(
    requests: list[Request],
    apis: Mapping[ApiId, API],
    state: QuiverState,
    settled: list[Lookup],
    run: Run[QuiverContext],
) -> list[Request]:
    """The requests that must wait; the others join those `settled` by an earlier call, or by rule."""
    waiting: list[Request] = []
    looked_up = sum(one["function"] in (*_SEARCHES, "ask_user") for one in state["lookups"])
    for request in requests:
        if request["api"] is None:
            if looked_up < _LOOKUPS:
                waiting.append(request)
            else:
                settled.append(Lookup(request=request["id"], function="", asked="", ok=False, text=_NO_LOOKUP))
            continue
        api = apis[request["api"]]
        if (known := await _by_rule(request, api, state, len(waiting), run)) is not None:
            settled.append(known)
        elif not any(_is_same(api, request, other["api"], other["arguments"]) for other in waiting):
            waiting.append(request)  # of the same calls side by side one is made
    return waiting


async def _by_rule(request: Request, api: API, state: QuiverState, more: int, run: Run[QuiverContext]) -> Lookup | None:
    """What a call comes to without being made, with so many `more` ahead of it: an earlier result, or a refusal."""
    earlier = await _earlier(request, api, state, run)
    no = _no(request, api, state, more, run) if earlier is None else ""
    if earlier is None and not no:
        return None
    return Lookup(request=request["id"], function=request["function"], asked="", ok=not no, text=no or earlier or "")


def _is_same(api: API, request: Request, called: ApiId | None, arguments: dict[str, Any]) -> bool:
    return api.id == called and normalised(api, request["arguments"]) == normalised(api, arguments)


async def _earlier(request: Request, api: API, state: QuiverState, run: Run[QuiverContext]) -> str | None:
    """What the same call has returned before; None where it was not made, or where what it read may have changed.

    The same is a call with the same arguments, and one that leaves the same arguments open.
    """
    answered = next((call for call in reversed(state["calls"]) if call["ok"] and _repeats(request, api, call)), None)
    if answered is None:
        return None
    later = state["calls"][state["calls"].index(answered) + 1 :]
    written = any(one.effect != "read" for one in await run.apis([call["api"] for call in later if call["ok"]]))
    return None if written and api.effect == "read" else answered["text"]


def _repeats(request: Request, api: API, call: Made) -> bool:
    same_text = "/" not in request["id"] and asks_the_same(request["id"], call["request"])  # not of the reverse chain
    return same_text or _is_same(api, request, call["api"], call["arguments"])


def _no(request: Request, api: API, state: QuiverState, more: int, run: Run[QuiverContext]) -> str:
    """Why a call is not made, without language: it failed for good, its API has left the step, or the limit."""
    if len(state["calls"]) + more >= run.context.max_calls:
        return _LIMIT.format(calls=len(state["calls"]))
    for call in state["calls"]:
        for_good = not call["ok"] and (call["failure"] not in PASSING or api.effect != "read")
        if for_good and _is_same(api, request, call["api"], call["arguments"]):
            return _NOT_AGAIN.format(**call)
    if any(api.id in gone for gone in state["banned"][step_of(state) :][:1]):
        last = next((call for call in reversed(state["calls"]) if call["api"] == api.id and not call["ok"]), None)
        return _GONE.format(why=last["message"] if last else "its result led nowhere.")
    return ""


def _results(calls: list[Made], lookups: list[Lookup]) -> dict[str, str | Failure]:
    """What the requests came to, by id."""
    found: dict[str, str | Failure] = {}
    for call in calls:
        failure = Failure(kind=call["failure"] or "tool_error", message=call["message"])
        found[call["request"]] = call["text"] if call["ok"] else failure
    for one in lookups:
        found[one["request"]] = one["text"] if one["ok"] else Failure(kind="blocked", message=one["text"])
    return found


def _waiting(requests: list[Request], apis: Mapping[ApiId, API]) -> Update:
    """What the program waits for: lookups first, then the user, then calls, those with open arguments before others."""
    if lookups := [request for request in requests if request["function"] in _SEARCHES]:
        return {"requests": lookups, "frames": [], "decided": "it looks something up"}
    if questions := [request for request in requests if request["api"] is None]:
        return {"requests": questions[:1], "frames": [], "decided": "it asks the user"}
    for request in requests:
        if request["api"] and (missing := open_arguments(apis[request["api"]], request["asked"])):
            frame = Frame(request=request, missing=missing, unknown=[], fills="")
            return {"requests": [request], "frames": [frame], "decided": "an argument is missing"}
    return {"requests": requests, "frames": [], "decided": "calls next"}


def _looked_up(state: QuiverState, printed: str) -> list[str]:
    """What the program has looked up and not printed itself."""
    own = f"{len(state['programs']) - 1}."
    texts = [one["text"] for one in state["lookups"] if one["request"].startswith(own) and one["function"] in _SEARCHES]
    return [text for text in texts if text not in printed]


def _returned(state: QuiverState) -> list[str]:
    last = len(state["programs"]) - 1
    calls = [call for call in state["calls"] if call["program"] == last and call["ok"]]
    return [f"{call['api'].rsplit('/', 1)[-1]} returned {shortened(call['text'], 400)}" for call in calls]


def after_run(state: QuiverState) -> list[Send] | Next:
    """A node visit for each call that the program waits for, side by side; else what its end comes to."""
    if state["decided"] != "calls next":
        return state["decided"]
    kept = {key: state.get(key) for key in ("approval", "calls", "programs", "frames", "banned", "set_aside")}
    return [Send("call", {**kept, "requests": [request]}) for request in state["requests"]]


async def call(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Make the call of the first request, if need be after the user was asked; a failure is a record like any other.

    Its arguments may have come of the reverse chain, so that only now it is known whether it was made before. A failure
    of the moment was tried again before, by kind (`calling.perform`).
    """
    request = state["requests"][0]
    assert request["api"] is not None
    if call_with(state["calls"], request["id"]):  # sent anew by a change of the state at this place
        return {}
    api = await run.api(request["api"])
    if (known := await _by_rule(request, api, state, 0, run)) is not None:
        return {"lookups": [known]}
    outcome = await call_if_approved(api, request["arguments"], state, run, state["calls"], characters=_WHOLE)
    return {"calls": [made(request, len(state["programs"]) - 1, outcome)]}


def after_call(state: QuiverState) -> Literal["the program goes on", "the chain goes on"]:
    """A call of the reverse chain gives its result to the chain, any other to the program.

    Calls run side by side, so none of them can write down what is next.
    """
    return "the chain goes on" if state["frames"] else "the program goes on"
