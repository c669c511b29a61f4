"""Two calls that look up two things: a small model looks the first of them up twice, and Lyon is 0 km from Turin."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import digits
from typing import Any

from toolquiver.catalog import API
from toolquiver.nodes.chain.frames import ChainState, Frame
from toolquiver.nodes.records import Call
from toolquiver.nodes.texts.parts import OF_TIME

_NAME = re.compile(r"(?<=[\s(])[^\W\d_a-z][^\W\d_]+(?:[ -][^\W\d_a-z][^\W\d_]+)*")
_PAIR = 2


def of_the_other(arguments: dict[str, Any], frame: Frame, api: API, state: ChainState) -> dict[str, Any]:
    """The arguments, for the other of two things where the same call is there for the one.

    That one feeds other parameters of the same call, as another frame or as a call before the chain, and the task has
    two names, of which an argument is one. What the model has added of its own to the first, as a city's country, goes
    if the call does not need it.
    """
    frames, task = state["frames"], state["subtasks"][state["current"]]
    before = _is_made(state.get("made", []), frame, arguments) and _twin_is_given(frame, frames)
    if not (before or any(_is_twin(other, frame, arguments) for other in frames)):
        return arguments
    names = _names(task)
    taken = [name for name, value in arguments.items() if value in names]
    if len(names) != _PAIR or len(taken) != 1:
        return arguments
    (argument,) = taken
    (other,) = (name for name in names if name != arguments[argument])
    needed = {parameter.name for parameter in api.required_list()}
    kept = {name: value for name, value in arguments.items() if name in needed or str(value).lower() in task.lower()}
    return kept | {argument: other}


def is_of_its_twin(value: Any, name: str, beside: Mapping[str, Any], task: str) -> str:
    """Which numbered parameter beside this one has the same value, found out for one of the two things of the task."""
    alike = (twin for twin in beside if _are_twins(name, twin) and beside[twin] == value)
    return next(alike, "") if len(_names(task)) == _PAIR and str(value) not in task else ""


def _names(task: str) -> list[str]:
    return [name for name in dict.fromkeys(_NAME.findall(task)) if not OF_TIME & {*name.split()}]


def _are_twins(one: str, other: str) -> bool:
    """Whether two parameters are called alike but for a number."""
    return one != other and one[-1] in digits and other[-1] in digits and one.rstrip(digits) == other.rstrip(digits)


def _is_twin(other: Frame, frame: Frame, arguments: Mapping[str, Any]) -> bool:
    beside = other["id"] != frame["id"] and other["parent"] == frame["parent"] is not None
    return beside and other["api"] == frame["api"] and bool(arguments) and other["arguments"] == arguments


def _is_made(made: Sequence[Call], frame: Frame, arguments: Mapping[str, Any]) -> bool:
    """Whether the call was made before, with these arguments as far as both have them."""
    before = [call["arguments"] for call in made if call["ok"] and call["api"] == frame["api"]]
    both = [arguments.keys() & given.keys() for given in before]
    return any(
        names and all(given[n] == arguments[n] for n in names) for given, names in zip(before, both, strict=True)
    )


def _twin_is_given(frame: Frame, frames: Sequence[Frame]) -> bool:
    """Whether the call that the frame feeds has a value for a twin of what it is fed, which no frame gives."""
    if frame["parent"] is None:
        return False
    parent = frames[frame["parent"]]
    given = parent["arguments"].keys() - parent["takes"].keys()
    return any(_are_twins(fed, name) for fed in frame["feeds"] for name in given)
