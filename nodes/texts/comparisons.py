"""Which of two quantities is more: a small model says `yes` to whether 9.5 km are more than 6 miles, with 9.66 at hand.

Only comparisons of two numbers in one unit, or that a converter has brought into one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from toolquiver.json_texts import is_number, parsed
from toolquiver.nodes.texts.unit_table import Unit
from toolquiver.nodes.texts.units import VALUE, fields_with_units, number_of, quantities, unit_named

_MORE = frozenset("more greater larger bigger longer higher taller heavier farther further hotter warmer wider".split())
_LESS = frozenset("less smaller shorter lower lighter colder cooler narrower".split())
_WORDS = "|".join(sorted(_MORE | _LESS))
_LONGEST = 100  # characters of a quantity with what it is of
_SIDE = rf"[^?]{{1,{_LONGEST}}}"
_LISTED = rf"(?:[^?,]|,(?=\d{{3}}\b)){{1,{_LONGEST}}}"  # no comma but of thousands
_ASKED = re.compile(rf"\W*(?:is|are|was|were) ({_SIDE}?) ({_WORDS}) than ({_SIDE})\??\s*$", re.IGNORECASE)
_WHICH = re.compile(
    rf"\W*(?:which|what)(?: one)?(?: of (?:these|those|the two))? (?:is|are|weighs) (?:the )?({_WORDS})\s?[:,]? "
    rf"({_LISTED}?),? or ({_LISTED})\??\s*$",
    re.IGNORECASE,
)
# A suitcase of 10 kg, but neither two of them nor the perimeter of a 5 m square, nor `no` more than that.
_PLAIN = re.compile(
    rf"(?:(?:an?|the|this|that|my|our|your) )?{VALUE}(?!.*(?:\b(?:not?|any|area|square|cubed?|radius|times|per)\b|/))",
    re.IGNORECASE,
)
_JOINED = re.compile(r",(?!\d)|;|\b(?:and|or|plus|by how)\b", re.IGNORECASE)
_LARGE = 1e6
_UNIT = r"\s?(°[CF]|[^\W\d_]+)"
_CLAIM = re.compile(
    rf"(?:^|[.!?(]\s*|\b(?:yes|no),?\s|\b(?:is|are)\s)({VALUE}){_UNIT}\)?,? (?:(?:which|that) )?"
    rf"(?:is|are|was|were)(n['\u2019]t| not)? (?:\w+ly )?({_WORDS}) than ({VALUE}){_UNIT}",
    re.IGNORECASE,
)
_NUMBER = re.compile(VALUE)


class Side(NamedTuple):
    """One of the two quantities that are compared: its number as it is written, and its unit."""

    number: str
    unit: str

    @property
    def value(self) -> float:
        """The number."""
        return number_of(self.number)


class Compared(NamedTuple):
    """Whether the one quantity is `word` than the other, or `which` of them is, as a task asks, and if nothing else."""

    one: Side
    word: str
    other: Side
    which: bool
    alone: bool

    @property
    def differ(self) -> bool:
        """Whether they have different units of one dimension."""
        one, other = _unit(self.one.unit), _unit(self.other.unit)
        return one is not None and other is not None and one.dimension == other.dimension and one != other


def misjudged(text: str) -> str:
    """What is wrong where a text says which of two numbers of one unit is more; empty where that is so.

    `9.5 km is more than 9.66 km` is not. Of `9.5 km` and `6 miles`, or of numbers without a unit, nothing is known.
    """
    for claim in _CLAIM.finditer(text):
        first, unit, negated, word, second, other = claim.groups()
        same = _unit(unit) == _unit(other) is not None
        if same and _holds(number_of(first), word, number_of(second)) is bool(negated):
            return f"{first} is {'' if negated else 'not '}{word.lower()} than {second}"
    return ""


def which_is_more(task: str, arguments: dict[str, Any], observation: str) -> str:
    """The answer to a task that compares two quantities of different units; empty where a call does not show it.

    The call took the one, and `observation`, JSON, has its only number besides in the other one's unit, which its field
    says, or an argument.
    """
    asked, taken = _asked(task), {value for argument in arguments.values() for value in _as_number(argument)}
    results = [(value, units) for value, units in _numbers(observation) if value not in taken]
    if not (asked and asked.differ and asked.alone) or len(results) != 1:
        return ""
    result, units = results[0]
    given = [unit.name for argument in arguments.values() if (unit := _unit(argument))]
    units = units or {*given}
    one, word, other, which, _ = asked
    converted = [
        side for side, against in ((one, other), (other, one)) if side.value in taken and _in_units(against, units)
    ]
    if len(converted) != 1:
        return ""
    (taken_side,) = converted
    if given and not _in_units(taken_side, {given[0]}):  # the other way round
        return ""
    known = other if taken_side is one else one
    left, right = (result, other.value) if taken_side is one else (one.value, result)
    than = "more than" if result > known.value else "less than" if result < known.value else "the same as"
    number = f"{result:.6g}" if abs(result) < _LARGE else f"{result:.0f}"
    shown = f"{' '.join(taken_side)} is {number} {known.unit}, {than} {' '.join(known)}"
    if which:
        return f"{' '.join(one if _holds(left, word, right) else other)}: {shown}." if left != right else f"{shown}."
    return f"{'Yes' if _holds(left, word, right) else 'No'}: {shown}."


def compares(task: str) -> bool:
    """Whether a task asks which of two quantities of different units is more."""
    asked = _asked(task)
    return asked is not None and asked.differ


def only_compares(task: str) -> bool:
    """Whether a task asks which of two quantities is more, and nothing besides: nothing is joined to either of them."""
    asked = _asked(task)
    return asked is not None and asked.differ and asked.alone


def _asked(task: str) -> Compared | None:
    """What a task compares; None where it does not, or a side is more than one quantity: 5 feet 11, half of 10 km."""
    task = task.strip()
    if len(task) > 3 * _LONGEST:
        return None
    if which := _WHICH.match(task):
        word, *texts = which.groups()
    elif asked := _ASKED.match(task):
        texts, word = [asked[1], asked[3]], asked[2]
    else:
        return None
    sides = [[Side(*found) for found in quantities(text)] for text in texts]
    plain = all(_PLAIN.match(text) and len(_NUMBER.findall(text)) == 1 for text in texts)
    if not plain or [len(side) for side in sides] != [1, 1]:
        return None
    return Compared(sides[0][0], word.lower(), sides[1][0], bool(which), not any(map(_JOINED.search, texts)))


def _numbers(observation: str) -> Iterator[tuple[float, set[str]]]:
    """The numbers of a response with the units that their fields name; one that is written as text counts too."""
    with suppress(ValueError):
        data = parsed(observation)
        if isinstance(data, dict):
            data = {name: next(_as_number(value), value) for name, value in data.items()}
        yield from fields_with_units(json.dumps(data))


def _as_number(value: Any) -> Iterator[float]:
    if is_number(value):
        yield float(value)
    elif isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        yield number_of(value.strip())


def _in_units(side: Side, units: set[str]) -> bool:
    unit = _unit(side.unit)
    return unit is not None and unit.name in units


def _holds(left: float, word: str, right: float) -> bool:
    return left > right if word.lower() in _MORE else left < right


def _unit(written: Any) -> Unit | None:
    return unit_named(written.strip().lower()) if isinstance(written, str) else None
