"""The units of numbers in data, by the names of their fields: `elevation_m`, `weightKg`, or a field `unit` beside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolquiver.catalog.text import spaced
from toolquiver.json_texts import is_number, parsed
from toolquiver.nodes.texts.unit_table import END, NAMED, UNITS, spelled

# Fields named so have a unit beside them.
_MEASURES = frozenset(
    """
    altitude amount area depth distance elevation height length magnitude mass measure pressure quantity result
    temperature value volume weight width
    """.split()
)
_LARGEST = 10**15  # no quantity; floats keep so many digits
_IN_NAME = re.compile(rf"(?<![\w°])(?:{spelled(2)}){END}", re.IGNORECASE)
# The last letter of a field's name: `elevation_m`, `temp_C`, `tempC`, `co2_g_per_km`.
_LETTER = re.compile(r"(?:(?<=_)[cfgklm]|(?<=[a-z_])[CFGKLM])(?=$|_per_)")
# These two are also thousands and millions, as in `salary_k`: they are units behind the name of a measure alone.
_MEASURED_IN = {
    "k": frozenset("boiling dewpoint freezing melting temp temperature temperatures temps".split()),
    "m": frozenset(
        """
        altitude ascent breadth circumference depth descent diameter distance elevation height length perimeter
        prominence radius speed thickness velocity visibility wavelength width wingspan
        """.split()
    ),
}
_PER = re.compile(r"\bper\b", re.IGNORECASE)
# The rate of a flow is no price: `flow_rate_ml`.
_PRICED = re.compile(r"\b(?:price|cost|fee)s?\b|\brates?$", re.IGNORECASE)


class Measured(NamedTuple):
    """A number as it is written and its units; not `sure` where these may be something else, as in vitamin C."""

    written: str
    number: float
    units: set[str]
    sure: bool = True

    def is_of_kind(self, other: Measured) -> bool:
        """Whether both are certainly in units, or in units of one dimension."""
        return (self.sure and other.sure) or bool(_dimensions(self.units) & _dimensions(other.units))


def written_out(name: str) -> set[str]:
    """The units that a name has in two letters or more.

    None that something is counted by, and none of what is priced: `price_per_kg`, `pint_price`.
    """
    words = spaced(name)
    if _PRICED.search(words):
        return set()
    per = _PER.search(words)
    end = per.start() if per else len(words)  # but pounds per square inch are one unit
    return {UNITS[match[0].lower()].name for match in _IN_NAME.finditer(words) if match.start() < end}


def by_letter(name: str) -> set[str]:
    """The unit that the last letter of a field's name may be; none of what is priced, nor by which it is counted."""
    found = _LETTER.search(name)
    if found is None or _PRICED.search(spaced(name)):
        return set()
    letter, before = found[0].lower(), spaced(name[: found.start()]).lower()
    measures = _MEASURED_IN.get(letter)
    if _PER.search(before) or (measures and measures.isdisjoint(before.split())):
        return set()
    return {NAMED[letter].name}


def in_fields(data: str) -> Iterator[Measured]:
    """Every number in JSON with the units that its field's name mentions, or a field `unit` beside it."""
    for name, value in named_values(data):
        if is_number(value) and abs(value) < _LARGEST:
            number, units = float(value), written_out(name)
            written = str(int(number)) if number.is_integer() else repr(number)
            yield Measured(written, number, units or by_letter(name), bool(units))


def named_values(data: str) -> Iterator[tuple[str, Any]]:
    """Every single value in JSON under its field's name, with the unit beside it; nothing where it is no JSON."""
    try:
        waiting: list[tuple[str, Any]] = [("", parsed(data))]
    except ValueError:
        return
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting += ((field + _unit_beside(field, value), part) for field, part in value.items())
        elif isinstance(value, list):
            waiting += ((name, part) for part in value)
        else:
            yield name, value


def _unit_beside(field: str, fields: dict[str, Any]) -> str:
    """The unit of the one field that is called a measure, as in `{"value": 2.0, "unit": "kg"}`; empty of others."""
    named = fields.get("unit", fields.get("units"))
    if not isinstance(named, str) or not is_number(fields[field]):
        return ""
    measures = [name for name, value in fields.items() if name.lower() in _MEASURES and is_number(value)]
    unit = NAMED.get(named.strip().lower())
    return f" {unit.name}" if unit and measures == [field] else ""


def _dimensions(names: set[str]) -> set[int]:
    return {UNITS[name.lower()].dimension for name in names}
