"""Numbers that nobody has said and that are right: how long a list is, what answers of subtasks come to together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from toolquiver.json_texts import parsed
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.terms import terms
from toolquiver.nodes.texts.units import quantities

_HOW_MANY = re.compile(r"\b(?:how many|count (?:all|how|the)|the (?:total )?number of \w+s)\b", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\b(?:altogether|average|combined|difference|fewer|less|mean|more|ratio|sum|than|times|together|total)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\bhow (?:many|much) (?:\w+ )?(?:more|less|\w+er)\b[^.?!]{0,200}\bthan\b|\bdifference (?:between|in|of)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_MOST = 1_000  # items that are counted
_FEW = 3  # numbers of an answer; of more nobody knows which is meant


def counts(task: str, observation: str) -> list[str]:
    """How many items the lists of a JSON response have; where the task asks how many, of the longest also any part."""
    try:
        lengths = sorted(set(_lengths(parsed(observation))))
    except ValueError:
        return []
    if lengths and _HOW_MANY.search(task):
        return [str(number) for number in range(min(lengths[-1], _MOST) + 1)]
    return [str(length) for length in lengths]


def _lengths(data: Any) -> Iterator[int]:
    if isinstance(data, list):
        yield len(data)
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _lengths(part)


def together(query: str, found: Sequence[tuple[str, str]]) -> dict[Decimal, set[int]]:
    """Sums, differences, ratios and the mean of the numbers of different answers, and the places of these answers.

    `found` are questions and their answers. What an answer has itself is none. Empty where the query asks for nothing
    like it.
    """
    if not (_TOGETHER.search(query) or is_foreign(query)):
        return {}
    own = [_numbers(answer) - _numbers(f"{question} {query}") for question, answer in found]
    single = {place: numbers for place, numbers in enumerate(own) if 0 < len(numbers) <= _FEW}
    made = dict[Decimal, set[int]]()
    for one, other in combinations(single, 2):
        for a in single[one]:
            for b in single[other]:
                made |= {number: {one, other} for number in _of_two(a, b)}
    if single and all(len(numbers) == 1 for numbers in single.values()):
        total = sum((number for numbers in single.values() for number in numbers), Decimal())
        made |= {number: set(single) for number in (total, total / len(single))}
    return {number: places for number, places in made.items() if not any(number in numbers for numbers in own)}


def worked_out(query: str, found: Sequence[tuple[str, str]]) -> list[str]:
    """The same numbers as texts."""
    return [written(number) for number in together(query, found)]


def written(number: Decimal) -> str:
    """A number in digits, without an exponent."""
    return f"{number:f}"


def difference(query: str, found: Sequence[tuple[str, str]]) -> Decimal | None:
    """How much more one of two answers comes to than the other, where the query asks that; None else.

    `found` are questions and their answers, which have one number each beside those that are asked about, in one unit.
    """
    if not _DIFFERENCE.search(query):
        return None
    match [(_numbers(answer) - _numbers(f"{question} {query}"), _units(answer)) for question, answer in found]:
        case [(one, units), (other, same)] if len(one) == len(other) == 1 and units == same:
            return abs(one.pop() - other.pop())
    return None


def _units(text: str) -> set[str]:
    return {unit for _, unit in quantities(text)}


def _numbers(text: str) -> set[Decimal]:
    return {Decimal(term) for term in terms(text) if _NUMBER.fullmatch(term)}


def _of_two(a: Decimal, b: Decimal) -> list[Decimal]:
    ratios = [a / b, b / a] if a and b else []
    return [abs(a - b), a + b, *ratios]
