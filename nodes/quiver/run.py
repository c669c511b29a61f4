"""The executor: runs the program with what is recorded, and says what it waits for, or how it ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import HumanMessage
from langgraph.types import Send

from toolquiver.calling import Failure, normalised
from toolquiver.calling.outcome import PASSING
from toolquiver.catalog import API, ApiId
from toolquiver.catalog.text import shortened
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.functions import functions, open_arguments
from toolquiver.nodes.quiver.rollback import step_of
from toolquiver.nodes.quiver.sandbox import Broken, GaveUp, Waiting, run_programs
from toolquiver.nodes.quiver.sight import shown
from toolquiver.nodes.quiver.state import AfterRun, Frame, Lookup, Made, QuiverState, Request, call_with
from toolquiver.nodes.run import Run

_SEARCHES = ("search_apis", "api_docs")
_SILENT = "The program ended without `answer` and printed nothing."
_STOPPED = "The program stopped. {error}\nVariables that were set before are kept. Write the program from that line on."
_LIMIT = "The run has made {calls} calls, and may make no more. Answer with what is known."
_NOT_AGAIN = "The same call is not made again."
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
        results = results_of(state["calls"], [*state["lookups"], *settled])
        try:
            outcome = await asyncio.to_thread(run_programs, state["programs"], known, results, state["now"])
        except GaveUp as given_up:
            ended: Update = {"decided": "it gives up", "reason": str(given_up), "proposed": str(given_up)}
            return {"lookups": settled, **ended}
        if not isinstance(outcome, Waiting):
            break
        waiting = await _unsettled(outcome.requests, apis, state, settled, run)
        if waiting:
            return {"lookups": settled, **_waiting(waiting, apis)}
    update: Update = {"lookups": settled, "requests": [], "frames": []}
    if isinstance(outcome, Broken):
        return update | await _broken(outcome, state, run)
    if outcome.answer is not None:
        said = outcome.answer if isinstance(outcome.answer, str) else json.dumps(outcome.answer, ensure_ascii=False)
        return update | {"proposed": said, "decided": "its answer is there"}
    if state["form"] == "steps":  # a step is seen by its call
        return update | {"decided": "it goes on"}
    looked = _looked_up(state, outcome.printed)
    told = [part for part in (outcome.printed.strip(), looked) if part] or [_SILENT, *_returned(state)]
    message = HumanMessage(await shown("\n".join(told), "plan", state, run))
    return update | {"messages": [message], "decided": "it goes on"}


async def _unsettled(
    requests: list[Request],
    apis: Mapping[ApiId, API],
    state: QuiverState,
    settled: list[Lookup],
    run: Run[QuiverContext],
) -> list[Request]:
    """The requests that must wait; the others join those `settled` by an earlier call, or by rule."""
    waiting: list[Request] = []
    for request in requests:
        if request["api"] is None:
            waiting.append(request)
            continue
        api = apis[request["api"]]
        if (earlier := await _earlier(api, request, state, run)) is not None:
            name = request["function"]
            settled.append(Lookup(request=request["id"], function=name, asked="", ok=True, text=earlier))
        elif no := _no(api, request, state, len(waiting), run):
            settled.append(Lookup(request=request["id"], function=request["function"], asked="", ok=False, text=no))
        elif not any(_same(api, request, other) for other in waiting):  # of the same calls side by side one is made
            waiting.append(request)
    return waiting


def results_of(calls: list[Made], lookups: list[Lookup]) -> dict[str, str | Failure]:
    """What the requests came to, by id."""
    found: dict[str, str | Failure] = {
        call["request"]: call["text"]
        if call["ok"]
        else Failure(kind=call["failure"] or "tool_error", message=call["message"])
        for call in calls
    }
    return found | {
        one["request"]: one["text"] if one["ok"] else Failure(kind="blocked", message=one["text"]) for one in lookups
    }


async def _earlier(api: API, request: Request, state: QuiverState, run: Run[QuiverContext]) -> str | None:
    """What the same call has returned before; None where it was not made, or where what it read may have changed."""
    same = normalised(api, request["asked"])
    found: str | None = None
    for call in state["calls"]:
        if call["ok"] and call["api"] == api.id and normalised(api, call["arguments"]) == same:
            found = call["text"]
        elif found is not None and call["ok"] and api.effect == "read":
            writer = await run.apis([call["api"]])
            found = None if writer and writer[0].effect != "read" else found
    return found


def _same(api: API, one: Request, other: Request) -> bool:
    return api.id == other["api"] and normalised(api, one["asked"]) == normalised(api, other["asked"])


def _no(api: API, request: Request, state: QuiverState, more: int, run: Run[QuiverContext]) -> str:
    """Why a call is not made, without language: it failed for good, its API has left the step, or the limit."""
    if len(state["calls"]) + more >= run.context.max_calls:
        return _LIMIT.format(calls=len(state["calls"]))
    same = normalised(api, request["asked"])
    for call in state["calls"]:
        for_good = not call["ok"] and (call["failure"] not in PASSING or api.effect != "read")
        if for_good and call["api"] == api.id and normalised(api, call["arguments"]) == same:
            return f"{call['failure']}: {call['message']} {_NOT_AGAIN}"
    step = step_of(state)
    if step < len(state["banned"]) and api.id in state["banned"][step]:
        last = next((call for call in reversed(state["calls"]) if call["api"] == api.id and not call["ok"]), None)
        return _GONE.format(why=last["message"] if last else "its result led nowhere.")
    return ""


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


async def _broken(outcome: Broken, state: QuiverState, run: Run[QuiverContext]) -> Update:
    """A program that stopped: at a call that failed, which the rollback decides on, or at an error of its own."""
    if call_with(state["calls"], outcome.failed):
        printed = [HumanMessage(await shown(outcome.printed, "plan", state, run))] if outcome.printed.strip() else []
        return {"messages": printed, "failed": outcome.failed, "problem": outcome.error, "decided": "a call failed"}
    told = "\n".join(filter(None, [outcome.printed.strip(), _STOPPED.format(error=outcome.error)]))
    return {"messages": [HumanMessage(await shown(told, "plan", state, run))], "decided": "it goes on"}


def _looked_up(state: QuiverState, printed: str) -> str:
    """What the program has looked up and not printed itself."""
    own = f"{len(state['programs']) - 1}."
    texts = [one["text"] for one in state["lookups"] if one["request"].startswith(own) and one["function"] in _SEARCHES]
    return "\n".join(text for text in texts if text not in printed)


def _returned(state: QuiverState) -> list[str]:
    last = len(state["programs"]) - 1
    calls = [call for call in state["calls"] if call["program"] == last and call["ok"]]
    return [f"{call['api'].rsplit('/', 1)[-1]} returned {shortened(call['text'], 400)}" for call in calls]


def after_run(state: QuiverState) -> list[Send] | AfterRun:
    """A node visit for each call that the program waits for, side by side; else what its end comes to."""
    if state["decided"] == "calls next":
        return [Send("call", _call_input(state, request)) for request in state["requests"]]
    return cast("AfterRun", state["decided"])


def _call_input(state: QuiverState, request: Request) -> dict[str, Any]:
    """What the node `call` needs for one call."""
    kept = {key: state.get(key) for key in ("approval", "calls", "programs", "frames")}
    return {**kept, "requests": [request]}
