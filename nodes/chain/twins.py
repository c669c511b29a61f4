"""Two calls that look up two things: a small model looks the first of them up twice, and Lyon is 0 km from Turin."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolquiver.catalog import API
from toolquiver.nodes.chain.frames import Frame
from toolquiver.nodes.texts.parts import OF_TIME

_NAME = re.compile(r"(?<=[\s(])[^\W\d_a-z][^\W\d_]+(?:[ -][^\W\d_a-z][^\W\d_]+)*")
_PAIR = 2


def of_the_other(
    arguments: dict[str, Any], frame: Frame, api: API, frames: Sequence[Frame], task: str
) -> dict[str, Any]:
    """The arguments, for the other of two things where another frame has the same call for the one.

    That one feeds other parameters of the same call, and the task has two names, of which an argument is one. What the
    model has added of its own to the first, as a city's country, goes if the call does not need it.
    """
    if not any(_is_twin(other, frame, arguments) for other in frames):
        return arguments
    names = [name for name in dict.fromkeys(_NAME.findall(task)) if not OF_TIME & {*name.split()}]
    taken = [name for name, value in arguments.items() if value in names]
    if len(names) != _PAIR or len(taken) != 1:
        return arguments
    (argument,) = taken
    (other,) = (name for name in names if name != arguments[argument])
    needed = {parameter.name for parameter in api.required_list()}
    kept = {name: value for name, value in arguments.items() if name in needed or str(value).lower() in task.lower()}
    return kept | {argument: other}


def _is_twin(other: Frame, frame: Frame, arguments: Mapping[str, Any]) -> bool:
    beside = other["id"] != frame["id"] and other["parent"] == frame["parent"] is not None
    return beside and other["api"] == frame["api"] and bool(arguments) and other["arguments"] == arguments
