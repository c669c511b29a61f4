"""Executor, third of four: arguments that fit the chosen tool's schema (Smurfs, eq. 4)."""

from __future__ import annotations

from typing import Any, Literal

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import parameter_line
from toolquiver.nodes.grounding import invented_arguments
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import arguments_of
from toolquiver.nodes.state import Call, Executed
from toolquiver.prompts import load_prompt

from toolquiver.catalog import API, ApiId

_PROMPT = load_prompt("fill")


async def fill(state: Executed, run: Run) -> Update:
    """Fill the arguments.

    No valid ones, a number that stands nowhere in what is known, or a call that was made before is a failure of
    the API chosen; the reason is the hint to the next thought.
    """
    api_id = state["chosen"]
    assert api_id is not None
    (api,) = await run.apis([api_id])
    arguments, cost = await _arguments(api, state, run)
    if "stopped" in cost:
        return {"arguments": None, **cost}
    problem = _problem(api, arguments, state)
    if not problem:
        return {"arguments": arguments, **cost}
    refused = Call(
        subtask=state["current"],
        api=api_id,
        arguments=arguments or {},
        ok=False,
        failure="invalid_arguments",
        message=problem,
    )
    return {"arguments": None, "calls": [refused], "hint": problem, **cost}


async def _arguments(api: API, state: Executed, run: Run) -> tuple[dict[str, Any] | None, Update]:
    if not api.parameters.get("properties"):
        return {}, {}
    messages = _PROMPT.messages(
        name=api.function,
        description=api.description,
        parameters=[parameter_line(parameter) for parameter in api.parameter_list()],
        query=state["query"],
        known=state["known"],
        task=state["subtasks"][state["current"]],
        steps=state["trail"],
        hint=state["hint"],
    )
    decision, cost = await run.decide("fill", arguments_of(api), messages, state)
    return None if decision is None else decision.root, cost


def _problem(api: API, arguments: dict[str, Any] | None, state: Executed) -> str:
    """Why the arguments cannot be used; empty when they can."""
    if arguments is None:
        return f"{api.function} cannot be called with what is known."
    if invented := invented_arguments(arguments, _given(state)):
        return f"{', '.join(invented)} for {api.function} must be found out with another tool first."
    if _made_before(state, api.id, arguments):
        return f"{api.function} was called with these inputs before; its result is already known."
    return ""


def _given(state: Executed) -> list[str]:
    """The texts that an argument's value can come from."""
    task = state["subtasks"][state["current"]]
    return [state["query"], task, *(found["answer"] for found in [*state["known"], *state["trail"]])]


def _made_before(state: Executed, api_id: ApiId, arguments: dict[str, Any]) -> bool:
    return any(call["ok"] and call["api"] == api_id and call["arguments"] == arguments for call in state["calls"])


def after_fill(state: Executed) -> Literal["complete", "cannot fill", "out of budget"]:
    """Arguments that could not be filled are a failure like any other."""
    if state["stopped"]:
        return "out of budget"
    return "cannot fill" if state["arguments"] is None else "complete"
