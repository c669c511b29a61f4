"""Executor, third of four: arguments that fit the chosen tool's schema (Smurfs, eq. 4)."""

from __future__ import annotations

from typing import Any, Final, Literal

from toolquiver.catalog import API
from toolquiver.catalog.text import shortened
from toolquiver.nodes.apis.changing import changes
from toolquiver.nodes.apis.converters import converters, only_number
from toolquiver.nodes.apis.dated import is_no_place
from toolquiver.nodes.apis.relative_days import days_for
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import call_text, known_here, known_texts, parameter_line, remembered
from toolquiver.nodes.executor.lack import SETTLED, Lack, found_on_the_way, problem_of, to_look_up
from toolquiver.nodes.repeats import is_stale
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import arguments_of
from toolquiver.nodes.state import ExecutorState, built_on, current_task
from toolquiver.nodes.texts.hemispheres import signed
from toolquiver.nodes.texts.invented import invented_arguments
from toolquiver.nodes.texts.units import to_convert
from toolquiver.prompts import load_prompt

LOOKED_UP: Final = "to be looked up"
_LONGEST_DESCRIPTION = 1_500
_EMPTY: tuple[object, ...] = ("", [], {})
_PROMPT = load_prompt("fill")


async def fill(state: ExecutorState, run: Run) -> Update:
    """Fill the arguments.

    No valid ones, a number, date or code that stands nowhere in what is known, one in another unit than its parameter
    says, or a call that was made before is a failure of the API chosen. The reason is the hint to the next thought; the
    arguments that are missing say which APIs can help, so that the next choice is made among those. An optional
    argument that is invented, empty, or a month or weekday for a place, is left out.
    """
    api = await run.chosen(state)
    arguments, cost = await _arguments(api, state, run)
    if state["stopped"] or "stopped" in cost:
        return {"arguments": None, **cost}
    sources = known_texts(state)
    arguments = arguments and signed(arguments, sources)
    invented = set(_doubtful(api, arguments or {}, sources)) if run.context.grounding else set()
    if arguments:
        days = days_for(arguments, api.parameter_list(), invented, [current_task(state), state["query"]], run.context)
        arguments |= days
        invented -= days.keys()
    convert = to_convert(sources, arguments or {}) if run.context.grounding else {}
    if arguments and convert:
        made = await _converted(convert, arguments, state, run)
        arguments |= made
        convert = {name: hint for name, hint in convert.items() if name not in made}
    required = set(api.parameters.get("required", ()))
    missing = sorted(invented & required)
    arguments = arguments and {
        name: value
        for name, value in arguments.items()
        if name in required or (name not in invented and value not in _EMPTY)
    }
    lack = Lack(missing, convert)
    problem = problem_of(api, arguments, lack)
    if not problem:
        return {"arguments": arguments, **cost}
    if await to_look_up(api, lack, state, run):
        lacking: Update = {"missing": missing, "conversions": [*convert.values()], "hint": problem}
        return {"arguments": None, **lacking, "decided": LOOKED_UP, **cost}
    return {"arguments": None, **await found_on_the_way(api, arguments, lack, state, run), **cost}


def _doubtful(api: API, arguments: dict[str, Any], sources: list[str]) -> list[str]:
    """The names of the arguments whose values come from nowhere, or are no places where places are wanted."""
    wrong = [one.name for one in api.parameter_list() if is_no_place(arguments.get(one.name), one)]
    return [*invented_arguments(api, arguments, sources), *wrong]


async def _converted(
    convert: dict[str, str], arguments: dict[str, Any], state: ExecutorState, run: Run
) -> dict[str, int | float]:
    """The arguments that a step or a lookup has converted already: a small model copies the old value again."""
    found = dict[str, int | float]()
    looked_up = {place for place, text in enumerate(state["subtasks"]) if text in built_on(state)}
    for step in [*(step for step in state["history"] if step["subtask"] in looked_up), *state["trail"]]:
        value = only_number(step["observation"])
        if value is None:
            continue
        for name, hint in convert.items():
            taken = arguments[name] in step["arguments"].values()
            if taken and converters(await run.apis([step["api"]]), hint):
                found[name] = value
    return found


async def _arguments(api: API, state: ExecutorState, run: Run) -> tuple[dict[str, Any] | None, Update]:
    # A subtask that is not certainly needed is there to do something with what was found, not to find it again.
    first_try = state["current"] < state["sure"] and not state.get("lesson")
    before = state["trail"] if first_try else state["history"]
    used = (step["arguments"] for step in before if step["api"] == api.id)
    made = [arguments for arguments in used if not await is_stale(api, arguments, state["calls"], run)]
    if not api.parameters.get("properties"):
        return None if made else {}, {}
    others = [] if changes(api) else made  # pressed for other arguments, a model does what nobody wants
    messages = _PROMPT.messages(
        name=api.function,
        description=shortened(api.whole_description, _LONGEST_DESCRIPTION),
        parameters=[parameter_line(parameter) for parameter in api.parameter_list()],
        query=state["query"],
        known=remembered(known_here(state)),
        task=current_task(state),
        steps=remembered(state["trail"]),
        hint=state["hint"],
        made=[call_text(api, inputs) for inputs in made],
        again=bool(others),
    )
    decision, cost = await run.decide("fill", arguments_of(api, current_task(state), others), messages, state)
    return None if decision is None else decision.root, cost


def after_fill(
    state: ExecutorState,
) -> Literal["complete", "cannot fill", "to be looked up", "answered already", "out of budget"]:
    """Arguments that could not be filled are a failure like any other, unless the same call has answered already."""
    if state["stopped"]:
        return "out of budget"
    if state["decided"] == LOOKED_UP:
        return "to be looked up"
    if state["decided"] == SETTLED and state["arguments"] is None:
        return "answered already"
    return "cannot fill" if state["arguments"] is None else "complete"
