"""A call that an agent wants made: checked, made if it may be, and answered in its conversation."""

from __future__ import annotations

from typing import Any, cast

from toolquiver.calling import Failure
from toolquiver.catalog import API, ApiId
from toolquiver.nodes.approve import refused
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import Talking, answered
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Call


async def perform(state: Talking, run: Run) -> Update:
    """Make the call of the first wish, if need be after the user was asked.

    The limit of calls is hard. A name that is no candidate, and arguments that are no object, are failures like any
    other. A tool that is not registered is not called; the model is told how to register it.
    """
    wish, *rest = state["wishes"]
    pool = await run.apis(state["pool"])
    apis, registering = {api.function: api for api in pool}, await run.registering(pool)
    name, arguments = registering.target(wish["name"], wish["arguments"] or {})
    api = apis.get(name)
    if api and (told := registering.refusal(api, state["registered"])):
        return {"wishes": rest, "messages": [answered(wish, told)]}
    if len(state["calls"]) >= run.context.solver_calls:
        return {"wishes": rest, "messages": [answered(wish, "No call is left. Answer with what is known.")]}
    before = [*state.get("made_before", ()), *state["calls"]]
    outcome = await _outcome(api, name, None if wish["arguments"] is None else arguments, before, run)
    failed = isinstance(outcome, Failure)
    made = Call(
        subtask=0,
        api=api.id if api else cast("ApiId", name),
        arguments=arguments if isinstance(arguments, dict) else {},
        ok=not failed,
        failure=outcome.kind if isinstance(outcome, Failure) else None,
        message=outcome.message if isinstance(outcome, Failure) else "",
    )
    text = f"It failed ({outcome.kind}): {outcome.message}" if isinstance(outcome, Failure) else outcome.text
    return {"wishes": rest, "calls": [made], "messages": [answered(wish, text)]}


async def _outcome(api: API | None, name: str, arguments: Any, made: list[Call], run: Run) -> Any:
    if api is None:
        return Failure(kind="unknown_api", message=f"There is no tool {name!r}. Use one of those you have.")
    if not isinstance(arguments, dict):
        return Failure(kind="invalid_arguments", message="The arguments are no JSON object.")
    return refused(api, arguments, run.context.approval, made) or await run.call(api, arguments)
