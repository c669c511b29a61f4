"""Questions for a quantity in another unit: what a converter is documented with seldom names the units that it knows.

So "how many seconds are there in 3.5 hours" finds what speaks of seconds and hours: clocks, time zones, the sun.
"""

from __future__ import annotations

import re

from toolquiver.nodes.texts.comparisons import compares
from toolquiver.nodes.texts.number_words import CARDINALS
from toolquiver.nodes.texts.unit_table import Unit
from toolquiver.nodes.texts.units import unit_named

CONVERTING = "convert units of measure"
"""What a tool that converts is called, for search."""
# Kinds of units of which one does not stand for another in an answer, as hours and minutes are mixed at will.
_MORE = (
    """second seconds sec secs s | minute minutes min mins | hour hours h hr hrs | day days d | week weeks | millisecond
    milliseconds ms | fortnight fortnights""",
    """bit bits | byte bytes b | kilobyte kilobytes kb | megabyte megabytes mb | gigabyte gigabytes gb | terabyte
    terabytes tb | kibibyte kibibytes kib | mebibyte mebibytes mib | gibibyte gibibytes gib | tebibyte tebibytes tib""",
    """knot knots kn | kph km/h kmh kilometres/hour kilometers/hour | mph miles/hour | m/s metres/second meters/second |
    ft/s feet/second""",
    "joule joules j | calorie calories cal | watt-hours wh | kilowatt-hours kwh",
    "watt watts w | kilowatt kilowatts kw | horsepower hp",
    "radian radians rad | degree degrees",
)
_COUNTS = "|".join(CARDINALS)
_NUMBER_WORDS = rf"\b(?:half an?|an?|{_COUNTS})(?:(?:[ -]and)?[ -](?:a half|{_COUNTS})){{0,6}}"
_QUANTITY = rf"(?:(?<![\w.,])-?(?>\d[\d.,/]*)\s?|(?:{_NUMBER_WORDS}) )"
_NAME = (
    r"(?:degrees? (?!in\b|into\b|to\b))?"
    r"((?:(?:square|sq|cubic|nautical|fluid|fl|light|metric) )?°?[^\W\d_]+"
    r"(?:[/-][^\W\d_]+| per (?:square )?[^\W\d_]+)?[23²³]?)"
)
_END = r"(?=\W*(?:$|[.,;?!]|please\b|and\b|then\b))"
_FORMS = (
    re.compile(
        rf"\bhow (?:many|much) {_NAME}(?: (?:are|is|there)){{0,2}}(?: (?:in|makes?|equals?))? {_QUANTITY}{_NAME}{_END}",
        re.IGNORECASE,
    ),
    re.compile(rf"{_QUANTITY}{_NAME} (?:in|into|to|as) {_NAME}{_END}", re.IGNORECASE),
)
_ANOTHER = re.compile(rf"(?:,? (?:and|or)|,)(?: also)? (?:in|into|to|as) {_NAME}{_END}", re.IGNORECASE)
_MANY = 10  # units into which something is converted
_SAID_WITH_IT = frozenset(
    """
    a able answer are be can calculate change compute convert could d do exactly express find for give hello hi how i
    in is it know like long me much need of out please s say show tell thanks that the this to turn us want what whats
    work would write you
    """.split()
)


def with_conversion(task: str) -> str:
    """A text to search by, with what a tool is called that converts units, where the task needs that."""
    return f"{task} {CONVERTING}" if asks_conversion(task) or compares(task) else task


def asks_conversion(task: str) -> bool:
    """Whether a task asks what a quantity is in another unit of its dimension, and nothing else of it."""
    return _conversion(task) is not None


def only_converts(task: str) -> bool:
    """Whether a task asks for a conversion and says nothing besides: one call does it."""
    found = _conversion(task)
    rest = "" if found is None else f"{task[: found.start()]} {task[found.end() :]}"
    return found is not None and not set(re.findall(r"\w+", rest.lower())) - _SAID_WITH_IT


def each_conversion(task: str) -> list[str]:
    """The tasks that one into several units is: `350 °F to °C and to kelvin`; empty where it says anything besides.

    `To feet and inches` may be one length, and is not parted.
    """
    first = _conversion(task)
    if first is None or first.re is not _FORMS[-1]:
        return []
    names, end = [first[2]], first.end()
    while len(names) < _MANY and (another := _ANOTHER.match(task, end)):
        names.append(another[1])
        end = another.end()
    units = {_unit(name): name for name in names}
    tasks = [f"{task[: first.start(2)]}{name}{task[end:]}" for name in units.values()]
    return tasks if len(tasks) > 1 and all(map(only_converts, tasks)) else []


def _conversion(task: str) -> re.Match[str] | None:
    for form in _FORMS:
        for match in form.finditer(task):
            one, other = _unit(match[1]), _unit(match[2])
            if one and other and one.dimension == other.dimension and one != other:
                return match
    return None


def _unit(name: str) -> Unit | None:
    name = name.lower()
    if unit := unit_named(name):
        return unit
    for place, kind in enumerate(_MORE):
        for names in kind.split("|"):
            if name.replace(" per ", "/") in names.split():
                return Unit(~place, names.split()[0])
    return None
