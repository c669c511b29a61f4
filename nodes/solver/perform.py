"""A call that an agent wants made: checked, made if it may be, and answered in its conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.messages import AnyMessage

from toolquiver.calling import Failure
from toolquiver.catalog import API, ApiId
from toolquiver.nodes.apis.changing import changes
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import CallRequest, SolverState, all_calls, answered, results_of
from toolquiver.nodes.records import call_record
from toolquiver.nodes.repeats import in_doubt, made_before
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.tree import DfsdtState, calls_on, path_to, said_on
from toolquiver.nodes.texts.invented import invented_arguments
from toolquiver.registration import REGISTER, UNREGISTER

Arguments = dict[str, Any]

_UNFOUNDED = (
    "{} would be made up: it stands neither in the request nor in what a tool has returned. Call a tool that returns it"
    " first, or use another tool."
)


_DONE = "This was done already, on another way, and is not done twice. It returned:"


async def perform(state: SolverState, run: Run) -> Update:
    """Make the call of the first request, if need be after the user was asked.

    The limit of calls is hard. A name that is no candidate, and arguments that are no object, are failures like any
    other. A tool that is not registered is not called; the model is told how to register it.
    """
    return await _performed(state, run)


async def perform_grounded(state: DfsdtState, run: Run) -> Update:
    """The same, but with `grounding` what an API requires must stand in the request or in what a tool has returned.

    A small model makes up a place's coordinates rather than look them up, and its judge believes the result.
    """
    if not run.context.grounding:
        return await _performed(state, run)
    used = [call["arguments"] for call in all_calls(state) if call["ok"]]  # of what is no longer in the conversation
    said = [*said_on(state.get("tree") or []), *state["messages"]]  # a way that was gone back from has returned it too
    return await _performed(state, run, [state["query"], *map(json.dumps, used), *dict.fromkeys(results(said))])


def results(said: Sequence[AnyMessage]) -> list[str]:
    """What the calls of a conversation have returned; neither what failed nor what registration said is a result."""
    return [text for name, _, text in results_of(said) if name not in (REGISTER, UNREGISTER)]


async def _performed(state: SolverState, run: Run, sources: Sequence[str] | None = None) -> Update:
    request, *rest = state["requests"]
    pool = await run.apis(state["pool"])
    apis, registering = {api.function: api for api in pool}, await run.registering(pool)
    name, arguments = registering.target(request["name"], request["arguments"] or {})
    api = apis.get(name)
    if api and (told := registering.refusal(api, state["registered"])):
        return {"requests": rest, "messages": [answered(request, told)]}
    if len(state["calls"]) >= run.context.solver_calls:
        return {"requests": rest, "messages": [answered(request, "No call is left. Answer with what is known.")]}
    given = arguments if request["arguments"] is not None and isinstance(arguments, dict) else None
    unfounded = _unfounded(api, given, sources) if api and given and sources else None
    done = _done_elsewhere(api, given, request, cast("DfsdtState", state)) if api and given is not None else ""
    if done:
        return {"requests": rest, "messages": [answered(request, done)]}
    outcome = unfounded or await _outcome(api, name, given, state, run)
    made = call_record(0, api.id if api else cast("ApiId", name), given, outcome)
    text = f"It failed ({outcome.kind}): {outcome.message}" if isinstance(outcome, Failure) else outcome.text
    return {"requests": rest, "calls": [made], "messages": [answered(request, text, failed=not made["ok"])]}


def _unfounded(api: API, arguments: Arguments, sources: Sequence[str]) -> Failure | None:
    required = api.parameters.get("required", ())
    names = [name for name in invented_arguments(api, arguments, sources) if name in required]
    return Failure(kind="invalid_arguments", message=_UNFOUNDED.format(", ".join(names))) if names else None


async def _outcome(api: API | None, name: str, arguments: Arguments | None, state: SolverState, run: Run) -> Any:
    if api is None:
        return Failure(kind="unknown_api", message=f"There is no tool {name!r}. Use one of those you have.")
    if arguments is None:
        return Failure(kind="invalid_arguments", message="The arguments are not a JSON object.")
    no = in_doubt(api, arguments, all_calls(state))
    return no or await call_if_approved(api, arguments, state, run, all_calls(state))


def _done_elsewhere(api: API, arguments: Arguments, request: CallRequest, state: DfsdtState) -> str:
    """What is told where this very change was made on a way that was gone back from, of which the model sees nothing.

    Empty where it was not.
    """
    tree = state.get("tree")
    if not tree or not changes(api):
        return ""
    here = calls_on(path_to(tree, state["at"]), tree, state["calls"])
    if all(call in here for call in made_before(api, arguments, state["calls"]) if call["ok"]):
        return ""
    told = [text for *call, text in results_of(said_on(tree)) if call == [request["name"], request["arguments"]]]
    return " ".join([_DONE, *told[-1:]])
