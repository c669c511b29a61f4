"""What speaks against a value that a model gives for an argument: it stands nowhere, or may be meant for another."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.fits import Feeding, Fit
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.changing import changes
from toolquiver.nodes.apis.dated import another_form, is_no_day
from toolquiver.nodes.apis.ids import is_id, is_name
from toolquiver.nodes.apis.words import SAYING_NOTHING, words_of
from toolquiver.nodes.chain.ask_user import can_ask
from toolquiver.nodes.chain.frames import ChainState, Frame, of_goal
from toolquiver.nodes.chain.twins import is_of_its_twin
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import current_task
from toolquiver.nodes.texts.givens import unused
from toolquiver.nodes.texts.origins import is_spoken_of, stands_in

_DIGIT = re.compile(r"\d")
_DESCRIBING = re.compile(r"(?<!\w)[a-z]{3,}(?!\w)")  # not in capitals, as names are


class ValueContext(NamedTuple):
    """What a value is held against: every text, the goal, the goal's other calls by their words and their arguments.

    `asks` is whether what is missing will be asked of somebody, so that an option that may be meant need not be taken.
    `deed` is whether the call changes something in the world.
    """

    texts: list[str]
    task: str
    words: Counter[str]
    elsewhere: list[Any]
    asks: bool = False
    deed: bool = False


async def value_context(frame: Frame, state: ChainState, run: Run) -> ValueContext:
    """What the values of this frame's arguments are held against."""
    frames = of_goal(state)
    apis = await run.apis([*(one["api"] for one in frames), *(api for one in frames for api in one["wanted"].values())])
    return ValueContext(
        texts=texts_of(state),
        task=current_task(state),
        words=sum((words_of(api) for api in apis), Counter[str]()),
        elsewhere=[value for one in frames if one["id"] != frame["id"] for value in one["arguments"].values()],
        asks=can_ask(state, run) and not run.context.plan_only,
        deed=any(changes(api) for api in apis if api.id == frame["api"]),
    )


def texts_of(state: ChainState) -> list[str]:
    """Every text that a value can be copied from. An output is not one: its values are taken by their path."""
    return [state["query"], *context_of(state)]


def context_of(state: ChainState) -> list[str]:
    """What was said or found out before."""
    return [*state["said"], *(found["answer"] for found in state["known"] if found["solved"])]


def refusal(value: Any, parameter: Parameter, beside: Mapping[str, Any], context: ValueContext) -> str:
    """Why the argument cannot be this value; empty when it can. `beside` are the call's others.

    An option that nobody spoke of is asked of somebody where it is needed, and is not taken where it is not needed and
    the call changes something: a room is not booked with a message to all because the API can send one.
    """
    if not stands_in(value, parameter, context.texts):
        return f"{value!r} stands in no text"
    strict = context.asks if parameter.required else context.deed
    if strict and not is_spoken_of(value, parameter, context.texts):
        return f"nobody has said that it is {value!r}"
    if twin := is_of_its_twin(value, parameter.name, beside, context.task):
        return f"{value!r} is {twin} already"
    return f"{value!r} is no day" if is_no_day(value, parameter) else ""


def doubt(
    value: Any, parameter: Parameter, offered: Sequence[Feeding], beside: Mapping[str, Any], context: ValueContext
) -> str:
    """Why the value may be meant for another argument; empty when nothing says so. `beside` are the call's others.

    None of these is sure, so that a model that insists on the value has it.
    """
    if form := another_form(value, parameter):
        return f"{value!r} is not written as {form}"
    return (
        _named(value, parameter, offered)
        or _given_twice(value, parameter, beside, context)
        or _left_out(value, offered, context)
    )


def _named(value: Any, parameter: Parameter, offered: Sequence[Feeding]) -> str:
    """What is only words names a thing, where its ID is wanted that an API gives by name."""
    if not (is_id(parameter) and is_name(value)):
        return ""
    giving = next((fed.api for fed in offered if fed.fit >= Fit.NAMED), None)
    return f"{value!r} is a name and no ID, and {giving.function} gives one" if giving else ""


def _given_twice(value: Any, parameter: Parameter, beside: Mapping[str, Any], context: ValueContext) -> str:
    """What the goal says once is hardly meant for two inputs of a call; nor a number for two calls, if one is left."""
    if isinstance(value, bool | list | dict) or "enum" in parameter.schema_ or _count(value, context.task) != 1:
        return ""
    twin = next((name for name, other in beside.items() if name != parameter.name and _same(other, value)), "")
    if twin:
        return f"{value!r} is {twin} already"
    if isinstance(value, str) or not any(_same(other, value) for other in context.elsewhere):
        return ""
    left = unused(context.task, [json.dumps([value, *beside.values(), *context.elsewhere])])
    return f"{value!r} is in another call already, and {left[0]} is in none" if left else ""


def _left_out(value: Any, offered: Sequence[Feeding], context: ValueContext) -> str:
    """Where the goal speaks of an offered API, and no call does, the value may be what that API is to be asked with.

    By their type alone fit too many APIs a number or a date, and hardly one a name. A value of several words speaks of
    it itself where it describes, as `capital of Japan` does, and does not name, as `Capital City` does.
    """
    plain = isinstance(value, str) and not _DIGIT.search(value)
    described = " ".join(_DESCRIBING.findall(value)) if plain and " " in value else ""
    left = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", " ", context.task)
    spoken = Counter(stems(f"{left} {described}")) - context.words
    for fed in offered:
        if (fed.fit > Fit.TYPE or plain) and _speaks_of(fed.api, spoken):
            return f"{value!r} may be meant for {fed.api.function}, of which the request speaks"
    return ""


def _speaks_of(api: API, spoken: Counter[str]) -> bool:
    return any(spoken[word] for word in set(stems(api.name)) - SAYING_NOTHING)


def _count(value: Any, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(str(value))}(?!\w)", text, re.IGNORECASE))


def _same(one: Any, other: Any) -> bool:
    return str(one).lower() == str(other).lower()
