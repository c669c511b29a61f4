"""Argument completion: all missing arguments of a call in one decision (Reverse Chain, 2, step 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.dated import names_a_day, takes_a_day
from toolquiver.nodes.apis.relative_days import days_for
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.another_way import another_way
from toolquiver.nodes.chain.ask_user import can_ask
from toolquiver.nodes.chain.completing import completed
from toolquiver.nodes.chain.doubts import context_of, texts_of
from toolquiver.nodes.chain.frames import ChainState, Frame, Origin, changed, next_stack, of_goal
from toolquiver.nodes.chain.twins import of_the_other
from toolquiver.nodes.decided import Decided
from toolquiver.nodes.run import Run
from toolquiver.nodes.sources import REQUEST, Sources
from toolquiver.nodes.texts.hemispheres import signed
from toolquiver.nodes.texts.origins import stands_in


async def complete_arguments(state: ChainState, run: Run) -> Update:
    """Say of each argument that the frame on top still lacks whether a value, an API or nobody gives it.

    Required arguments, and optional ones that are spoken of. A value that stands in no text is refused and asked for
    once more, and so is an option or a switch of a required one that nobody spoke of, where the user can be asked;
    refused again, or given by nobody, a required one is missing. A frame without an argument left to look for leaves
    the stack, and so do those below it that wait for nothing else. Where something is missing in the end, other APIs
    are tried for what the frame that lacks it was to give.
    """
    frame = state["frames"][state["stack"][-1]]
    api = await run.api(frame["api"])
    asked = [p for p in api.parameter_list() if _is_open(p, frame) and (p.required or _meant(p, frame, state))]
    dated = _days(frame, api, Sources(), state, run)
    open_ones = [p for p in asked if p.name not in dated]
    found, cost = await completed(frame, api, open_ones, state, run) if open_ones else (Sources(), Update())
    values = _values(found) | _days(frame, api, found, state, run)
    ids = await _ids({name: outcome["from"] for name, outcome in found.items() if name not in values}, run)
    arguments = frame["arguments"] | signed(values, texts_of(state))
    if not (frame.get("draft") or frame["arguments"]):  # what was given before stands
        arguments = of_the_other(arguments, frame, api, state)
    named = arguments.keys() | ids.keys()
    aside = {name: first for name, first in frame.get("aside", {}).items() if name not in named}
    takes = aside | frame["takes"]
    covered = named | takes.keys()
    frames = changed(
        state["frames"],
        frame["id"],
        arguments=arguments,
        origins=frame["origins"] | _origins({n: v for n, v in values.items() if n in arguments}, asked, state),
        wanted=ids,
        takes=takes,
        missing=[parameter.name for parameter in asked if parameter.required and parameter.name not in covered],
        stage="planned",
    )
    stack = next_stack(state["stack"], frames, state["current"])
    if not (stack or state["stopped"] or "stopped" in cost) and (not state["fills"] or can_ask(state, run)):
        frames, stack = await another_way(frames, state, run)
    return {"frames": frames, "stack": stack, "decided": _decided(stack, frames, state, cost, run), **cost}


def _values(found: Sources) -> dict[str, Any]:
    return {name: outcome["value"] for name, outcome in found.items() if outcome["from"] == REQUEST}


def _days(frame: Frame, api: API, found: Sources, state: ChainState, run: Run) -> dict[str, str]:
    """The days that the request names by how far off they are, for such words and inputs that nothing else gives."""
    draft, values = frame.get("draft"), _values(found)
    given = frame["arguments"] | dict.fromkeys([*frame["takes"], *(draft["calls"] if draft else ())])
    others = found.keys() - values.keys()
    texts = [state["subtasks"][state["current"]], state["query"]]
    days = days_for(given | dict.fromkeys(others) | values, api.parameter_list(), others, texts, run.context)
    return {name: day for name, day in days.items() if name not in given}


def _is_open(parameter: Parameter, frame: Frame) -> bool:
    return all(parameter.name not in frame[key] for key in ("arguments", "takes"))


def _meant(parameter: Parameter, frame: Frame, state: ChainState) -> bool:
    """Whether an optional parameter is to be looked for: where there is a draft, it says so."""
    if draft := frame.get("draft"):
        return parameter.name in draft["values"] or parameter.name in draft["calls"]
    return _spoken_of(parameter, frame, state)


def _spoken_of(parameter: Parameter, frame: Frame, state: ChainState) -> bool:
    """Whether a word of an optional parameter's name or options, or a day for it, is in the request or in its task."""
    options = " ".join(str(option) for option in parameter.schema_.get("enum", ()))
    text = " ".join([state["query"], frame["task"], *state["said"]])
    if takes_a_day(parameter) and names_a_day(text):
        return True
    said = set(stems(text))
    return any(word in said for word in stems(f"{parameter.name} {options}"))


def _origins(values: Mapping[str, Any], asked: Sequence[Parameter], state: ChainState) -> dict[str, Origin]:
    return {
        p.name: "context"
        if not stands_in(values[p.name], p, [state["query"]]) and stands_in(values[p.name], p, context_of(state))
        else "query"
        for p in asked
        if p.name in values
    }


async def _ids(wanted: Mapping[str, str], run: Run) -> dict[str, ApiId]:
    found = {name: await run.named(function) for name, function in wanted.items()}
    return {name: api.id for name, api in found.items() if api}


def _decided(stack: Sequence[int], frames: Sequence[Frame], state: ChainState, cost: Update, run: Run) -> Decided:
    if state["stopped"] or "stopped" in cost:
        return "ends"
    lacking = any(frame["missing"] for frame in of_goal({**state, "frames": list(frames)}))
    if lacking and state["fills"] and not can_ask(state, run):
        return "asks"  # the tool has failed already: what else it needs is not looked for
    if stack:
        return "completes more" if frames[stack[-1]]["stage"] == "open" else "needs an API"
    if run.context.plan_only:
        return "ends"
    return "asks" if lacking else "can run"


def after_complete(
    state: ChainState,
) -> Literal["needs an API", "one more to complete", "something is missing", "nothing is missing", "ends here"]:
    """The chain first, the user when no API is left to look for, calls when nothing is missing any more."""
    match state["decided"]:
        case "needs an API":
            return "needs an API"
        case "completes more":
            return "one more to complete"
        case "asks":
            return "something is missing"
        case "can run":
            return "nothing is missing"
    return "ends here"
