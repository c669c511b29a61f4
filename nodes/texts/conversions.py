"""Questions for a quantity in another unit: what a converter is documented with seldom names the units that it knows.

So "how many seconds are there in 3.5 hours" finds what speaks of seconds and hours: clocks, time zones, the sun.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from toolquiver.nodes.texts.units import Unit, unit_named

_WANTED = "convert units of measure"
# Of these one does not stand for another in an answer, as hours and minutes are mixed at will; converted they are.
_MORE = (
    "millisecond second minute hour day week fortnight".split(),
    "bit byte kilobyte megabyte gigabyte terabyte kibibyte mebibyte gibibyte tebibyte".split(),
    "knot kph mph".split(),
    "joule calorie".split(),
    "watt kilowatt horsepower".split(),
    "radian degree".split(),
)
_NAME = r"(?:degrees? (?!in\b|into\b|to\b))?((?:(?:square|cubic|nautical) )?°?[^\W\d_]+[23²³]?)"
_TARGET = re.compile(rf"\b(?:how many|how much|into|in|to) {_NAME}", re.IGNORECASE)
_QUANTITY = re.compile(rf"(?:\d\s?|\b(?:an?|one|half) (?:an? )?){_NAME}", re.IGNORECASE)


def with_conversion(task: str) -> str:
    """A text to search by, with what a tool is called that converts units, where that is what it asks for."""
    return f"{task} {_WANTED}" if asks_conversion(task) else task


def asks_conversion(task: str) -> bool:
    """Whether a task gives a quantity, and asks for a unit by name that is another one of its dimension."""
    given, asked = _by_dimension(_QUANTITY.findall(task)), _by_dimension(_TARGET.findall(task))
    return any(len(given[dimension] | asked[dimension]) > 1 for dimension in given.keys() & asked.keys())


def _by_dimension(names: Iterable[str]) -> dict[object, set[str]]:
    found: dict[object, set[str]] = defaultdict(set)
    for name in names:
        if unit := _unit(name.lower()):
            found[unit.dimension].add(unit.name)
    return found


def _unit(name: str) -> Unit | None:
    if unit := unit_named(name):
        return unit
    single = name.removesuffix("s")
    kind = next((place for place, names in enumerate(_MORE) if single in names), None)
    return None if kind is None else Unit(~kind, single)
