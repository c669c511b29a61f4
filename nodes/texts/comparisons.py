"""Which of two quantities is more: a small model says `yes` to whether 9.5 km are more than 6 miles, with 9.66 at hand.

Only comparisons of two numbers in one unit, or that a converter has brought into one.
"""

from __future__ import annotations

import re
from typing import Any

from toolquiver.json_texts import is_number
from toolquiver.nodes.texts.units import VALUE, fields_with_units, quantities, unit_named

_MORE = frozenset("more greater larger bigger longer higher taller heavier farther further hotter warmer wider".split())
_LESS = frozenset("less smaller shorter lower lighter colder cooler narrower".split())
_WORDS = "|".join(sorted(_MORE | _LESS))
_ASKED = re.compile(
    rf"\W*(?:is|are|was|were|do|does|did)\b(.*?)\b({_WORDS})(?: \w+)? than\b([^?]*)\??\s*$", re.IGNORECASE
)
_CLAIM = re.compile(
    rf"({VALUE})\s?([^\W\d_]+|%)?\)?,? (?:(?:which|that) )?(?:is|are|was|were)(n['\u2019]t| not)? (?:\w+ly )?({_WORDS})"
    rf"(?: \w+)? than (?:the )?({VALUE})\s?([^\W\d_]+|%)?",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_NOT = re.compile(r"\bnot\b|n['\u2019]t\b", re.IGNORECASE)
_COMPARED = re.compile(rf"\b({_WORDS})\b", re.IGNORECASE)


def misjudged(text: str) -> str:
    """What is wrong where a text says which of two numbers of one unit is more; empty where that is so.

    `9.5 km is more than 9.66 km` is not; of `9.5 km` and `6 miles` nothing is known here.
    """
    for claim in _CLAIM.finditer(text):
        first, unit, negated, word, second, other = claim.groups()
        if _unit(unit) == _unit(other) and _holds(_number(first), word, _number(second)) is bool(negated):
            return f"{first} is {'' if negated else 'not '}{word.lower()} than {second}"
    return ""


def set_right(task: str, answer: str, arguments: dict[str, Any], observation: str) -> str:
    """The answer where it says the wrong thing about two quantities of different units; empty where nothing shows.

    `arguments` took the one, and `observation`, JSON, has its only number in the other one's unit.
    """
    sides, fields = _sides(task), list(fields_with_units(observation))
    if not sides or len(fields) != 1:
        return ""
    one, word, other = sides
    result, units = fields[0]
    taken = {float(value) for value in arguments.values() if is_number(value)}
    converted = [_number(one[0]) in taken and other[1] in units, _number(other[0]) in taken and one[1] in units]
    if converted.count(True) != 1:
        return ""
    left, right = (result, _number(other[0])) if converted[0] else (_number(one[0]), result)
    holds = _holds(left, word, right)
    if _said(answer, word) in (holds, None):
        return ""
    (number, unit), known = (one, other) if converted[0] else (other, one)
    than = "more than" if result > _number(known[0]) else "less than" if result < _number(known[0]) else "the same as"
    return f"{'Yes' if holds else 'No'}: {number} {unit} is {result:.6g} {known[1]}, {than} {' '.join(known)}."


def compares(task: str) -> bool:
    """Whether a task asks which of two quantities of different units is more."""
    sides = _sides(task)
    one, other = (unit_named(sides[place][1].lower()) if sides else None for place in (0, -1))
    return one is not None and other is not None and one.dimension == other.dimension and one != other


def _sides(task: str) -> tuple[tuple[str, str], str, tuple[str, str]] | None:
    """The two quantities that a task compares, each with its unit, and the word between; None where it does not."""
    asked = _ASKED.match(task)
    found = [list(quantities(side)) for side in (asked[1], asked[3])] if asked else []
    if not asked or [len(side) for side in found] != [1, 1]:
        return None
    return found[0][0], asked[2], found[1][0]


def _said(answer: str, word: str) -> bool | None:
    """Whether an answer says that one thing is `word` than the other; None where that is not to be seen."""
    if said := _SAYS.match(answer):
        return said[1].lower() == "yes"
    told = {found[1].lower() in _MORE for found in _COMPARED.finditer(answer)}
    if len(told) != 1:
        return None
    return (told == {word.lower() in _MORE}) is not bool(_NOT.search(answer))


def _holds(left: float, word: str, right: float) -> bool:
    return left > right if word.lower() in _MORE else left < right


def _number(written: str) -> float:
    return float(written.replace(",", ""))


def _unit(written: str | None) -> object:
    name = (written or "").lower()
    return unit_named(name) or name
