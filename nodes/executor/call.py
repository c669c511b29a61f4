"""Executor, last of four: the call itself (Smurfs, eq. 5)."""

from __future__ import annotations

from typing import Any, Literal

from toolquiver.calling import Failure, Observation, normalised
from toolquiver.calling.outcome import MENDABLE
from toolquiver.calling.perform import cut
from toolquiver.catalog import API
from toolquiver.catalog.text import shortened
from toolquiver.marks import as_data
from toolquiver.nodes.apis.changing import changes
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import known_texts
from toolquiver.nodes.records import call_record
from toolquiver.nodes.repeats import in_doubt, is_stale
from toolquiver.nodes.responses import Response
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, calls_of_subtask
from toolquiver.nodes.texts.origins import stands_in


async def call(state: ExecutorState, run: Run) -> Update:
    """Call the chosen API, if need be after the user was asked; the outcome, good or bad, is recorded.

    A call that was made before in this run, by a chain too, is not made again: its observation is taken, unless
    something was changed since. Nor is one that changes something and may have worked without an answer. One that
    failed is made once more without the optional texts that nobody spoke of: a small model adds a country that it
    guesses to a city.
    """
    api_id, arguments = state["chosen"], state["arguments"]
    assert api_id is not None
    assert arguments is not None
    api = await run.api(api_id)
    before = _made_before(api, arguments, state, run)
    if before is not None and not await is_stale(api, arguments, state["calls"], run):
        return {"observation": before, "decided": "answered"}
    no = in_doubt(api, arguments, state["calls"])
    outcome = no or await call_if_approved(api, arguments, state, run, state["calls"])
    made = call_record(state["current"], api_id, arguments, outcome)
    if isinstance(outcome, Failure):
        said = as_data(shortened(outcome.message))
        update: Update = {"calls": [made], "hint": f"{api.function} failed: {said}"}
        plain = arguments if outcome.kind not in MENDABLE else _unguessed(api, arguments, state)
        again = plain != arguments and calls_of_subtask(state) + 1 < run.context.max_calls
        return update | ({"decided": "guessed", "arguments": plain} if again else {"decided": "failed"})
    answered: Update = {"calls": [made], "decided": "answered", "observation": outcome.text}
    if outcome.omitted or not changes(api):  # a chain may read again, but must not do it again
        return answered
    return answered | {"responses": [Response(api=api_id, arguments=arguments, text=outcome.text)]}


def _made_before(api: API, arguments: dict[str, Any], state: ExecutorState, run: Run) -> str | None:
    """What the same call has returned in this run, to the executor or to a chain; None where it was not made."""
    same = normalised(api, arguments)
    for step in state["history"][::-1]:
        if step["api"] == api.id and normalised(api, step["arguments"]) == same:
            return step["observation"]
    for one in state.get("responses", [])[::-1]:
        if one["api"] == api.id and normalised(api, one["arguments"]) == same:
            return cut(Observation(text=one["text"]), run.context.call_limits.characters).text
    return None


def _unguessed(api: API, arguments: dict[str, Any], state: ExecutorState) -> dict[str, Any]:
    """The arguments without optional texts that stand nowhere; all where the API may change something."""
    if changes(api):
        return arguments
    texts, options = known_texts(state), {one.name: one for one in api.parameter_list() if not one.required}
    return {
        name: value
        for name, value in arguments.items()
        if name not in options or not isinstance(value, str) or stands_in(value, options[name], texts)
    }


def after_call(state: ExecutorState) -> Literal["answered", "more to compute", "a page", "without its guess", "failed"]:
    """Whether there is an observation, and whether it is the one that a formula leads to; a page, or none, is read."""
    if state.get("unread") is not None:
        return "a page"
    if state["decided"] == "guessed":
        return "without its guess"
    if state["decided"] != "answered":
        return "failed"
    return "more to compute" if len(state["trail"]) + 1 < len(state.get("formula", ())) else "answered"
