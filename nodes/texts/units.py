"""Units of measure in texts: what a small model calls metres because metres were asked for may be feet.

Only dimensions in which one answer stands for another: hours and minutes are mixed at will, degrees mean too much.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolquiver.catalog.text import spaced
from toolquiver.json_texts import is_number, parsed

# A dimension a line; its units are separated by `|`, the spellings of one by commas, the first as it is shown.
_TABLE = """
metres, metre, meters, meter, m | kilometres, kilometre, kilometers, kilometer, km | feet, foot, ft | inches, inch |
miles, mile, mi | nautical miles, nautical mile, nmi | yards, yard | centimetres, centimetre, centimeters, centimeter,
cm | millimetres, millimetre, millimeters, millimeter, mm | astronomical units, astronomical unit, au | light years,
light year, light-years, light-year | parsecs, parsec | furlongs, furlong | fathoms, fathom
degrees Celsius, celsius, °c | degrees Fahrenheit, fahrenheit, °f | kelvin, kelvins, k
grams, gram, g | kilograms, kilogram, kilos, kg | milligrams, milligram, mg | pounds, pound, lb, lbs | ounces, ounce,
oz | stones, stone | tonnes, tonne, metric tons, metric ton | tons, ton | carats, carat
kilocalories, kilocalorie, kcal, calories | kilojoules, kilojoule, kj
pounds per square inch, psi | pascals, pascal | hectopascals, hectopascal, hpa | kilopascals, kilopascal, kpa | bars,
bar | millibars, millibar, mbar
square kilometres, square kilometre, square kilometers, square kilometer, km2, km², km^2 | square miles, square mile |
hectares, hectare | acres, acre | square metres, square metre, square meters, square meter, m2, m², m^2 | square feet,
square foot, sq ft, ft2, ft², ft^2
litres, litre, liters, liter | millilitres, millilitre, milliliters, milliliter, ml | centilitres, centilitre,
centiliters, centiliter, cl | gallons, gallon | quarts, quart | pints, pint | cups, cup | fluid ounces, fluid ounce,
fl oz | tablespoons, tablespoon, tbsp | teaspoons, teaspoon, tsp | cubic metres, cubic metre, cubic meters, cubic meter,
m3, m³, m^3 | cubic feet, cubic foot, ft3, ft³, ft^3
moles, mole, mol
"""
_SHORTEST = 2  # letters: single ones are units only after a number
_SPAN = re.compile(r"\bhow many (day|week|month|year|hour|minute|second)s\b", re.IGNORECASE)
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_BARE = {"amount", "magnitude", "measure", "quantity", "result", "value"}  # fields named so have a unit beside them
_LARGEST = 10**15  # no quantity; floats keep so many digits
_VALUE = (
    r"(?:(?<![\w.,])-?(?>\d[\d,]*(?:\.\d+)?))"  # atomic: of a long list each number was tried with all that follows
)


class Unit(NamedTuple):
    """A unit of a dimension."""

    dimension: int
    name: str


def _spellings() -> dict[str, Unit]:
    lines = re.sub(r"([|,])\n", r"\1 ", _TABLE).strip().splitlines()
    found = dict[str, Unit]()
    for dimension, line in enumerate(lines):
        for unit in line.split("|"):
            names = [name.strip() for name in unit.split(",")]
            found |= {name.lower(): Unit(dimension, names[0]) for name in names}
    return found


_UNITS = _spellings()
_ANY = "|".join(re.escape(name) for name in sorted(_UNITS, key=len, reverse=True))
_WORDY = "|".join(re.escape(name) for name in sorted(_UNITS, key=len, reverse=True) if len(name) >= _SHORTEST)
_END = r"(?![\w^²³])"  # a power of a unit is another one
_MENTION = re.compile(rf"(?<![\w°])(?:{_WORDY}){_END}|(?<=\d)\s?(?:{_ANY}){_END}", re.IGNORECASE)
# A single letter is a unit where it says into what: "What is 5 ft in m?", "How many g are in 12 oz?"
_LETTERS = {"m": "m", "g": "g", "l": "litres", "L": "litres", "C": "celsius", "F": "fahrenheit", "K": "kelvin"}
_TARGET = re.compile(rf"\b(?i:in|into|to|how many|how much) ({'|'.join(_LETTERS)})(?![\w^²³'\u2019])")
_CONVERTS_TO = re.compile(rf"(?:2|_to_)({_WORDY})$", re.IGNORECASE)
_QUANTITY = re.compile(rf"({_VALUE})\s?(?:degrees\s)?({_ANY}){_END}", re.IGNORECASE)


def unit_named(name: str) -> Unit | None:
    """The unit of this name or sign, in small letters; None for any other name."""
    return _UNITS.get(name)


def mentioned(text: str) -> dict[int, set[str]]:
    """The units that a text speaks of, by dimension."""
    found: dict[int, set[str]] = defaultdict(set)
    names = [match[0].strip().lower() for match in _MENTION.finditer(text)]
    for name in [*names, *(_LETTERS[match[1]] for match in _TARGET.finditer(text))]:
        found[_UNITS[name].dimension].add(_UNITS[name].name)
    return found


def other_unit(task: str, answer: str) -> str:
    """What is wrong with the answer's unit; empty when the task names none of its dimension, or the same.

    What the task gives in numbers is to be converted: "3.5 pounds are 1.6 kilograms" has no grams, though pounds were
    spoken of too. A date is no answer to how many days there are.
    """
    span = _SPAN.search(task)
    if span and _is_date(answer, task) and not re.search(rf"(?:\d|[a-z]{{3,}})\s{span[1]}s?\b", answer, re.IGNORECASE):
        return f"That is a date; the task asks how many {span[1]}s."
    asked, given = mentioned(task), mentioned(answer)
    source = {_UNITS[match[2].lower()].name for match in _QUANTITY.finditer(task)}
    for dimension in asked.keys() & given.keys():
        wanted, got = asked[dimension] - source, given[dimension] - source
        if not (wanted and got):  # all that is asked for, or said, stands in the task as a quantity
            wanted, got = asked[dimension], given[dimension]
        if not wanted & got:
            return f"Convert from {_listed(got)} to {_listed(wanted)}."
    return ""


def _is_date(answer: str, task: str) -> bool:
    """Whether an answer has a date that the task has not, or dates and no number besides."""
    dates = set(_DATE.findall(answer))
    return bool(dates - set(_DATE.findall(task))) or (bool(dates) and not re.search(r"\d", _DATE.sub(" ", answer)))


def misnamed(text: str, data: str) -> str:
    """What is wrong with the unit that the text gives a value of the data; empty when the field's name says no other.

    `data` is JSON: what an API returned, or the arguments of a call, whose names may tell a unit.
    """
    for value, unit, named in _contradictions(text, data):
        return f"{value} is in {_listed(named)}, not in {unit}"
    return ""


def under_its_unit(function: str, data: str) -> str:
    """The only value that a converter such as `pounds2kg` gives, as JSON under its unit; empty where no unit is known.

    Its response calls it `result`, and so a small model says that it is in the unit which was asked for.
    """
    unit = _CONVERTS_TO.search(function)
    numbers = list(_quantities(data))
    if unit is None or len(numbers) != 1 or numbers[0][1]:
        return ""
    return json.dumps({_UNITS[unit[1].lower()].name: numbers[0][0]})


def to_convert(texts: Iterable[str], arguments: dict[str, Any]) -> dict[str, str]:
    """The arguments that have a value which a text gives in another unit, with the conversion each needs."""
    return {
        name: f"Convert {value} from {unit} to {_listed(named)}."
        for text in texts
        for name, argument in arguments.items()
        for value, unit, named in _contradictions(text, json.dumps({name: argument}))
    }


def _contradictions(text: str, data: str) -> Iterator[tuple[str, str, set[str]]]:
    """The values to which text and data give different units: as written, the text's unit, the data's units."""
    fields = list(_quantities(data))
    for written, units in _stated(text):
        value = float(written.replace(",", ""))
        same = [named for number, named in fields if round(number, _decimals(written)) == value]
        if same and all(same) and not any(units & named for named in same):
            yield written, _listed(units), set().union(*same)


def _stated(text: str) -> Iterator[tuple[str, set[str]]]:
    """The numbers with units of a text, or of the fields of JSON."""
    for match in _QUANTITY.finditer(text):
        yield match[1], {_UNITS[match[2].lower()].name}
    for number, units in _quantities(text):
        if units:
            yield str(int(number)) if number.is_integer() else repr(number), units


def _quantities(data: str) -> Iterator[tuple[float, set[str]]]:
    """Every number in JSON with the units that its field's name mentions, or a field `unit` beside it."""
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
        elif is_number(value) and abs(value) < _LARGEST:
            yield float(value), set().union(*mentioned(spaced(name)).values())


def _unit_beside(field: str, fields: dict[str, Any]) -> str:
    """The unit of a field that only says that it is a value, as in `{"value": 2.0, "unit": "kg"}`; empty of others."""
    named = fields.get("unit", fields.get("units"))
    if field.lower() not in _BARE or not is_number(fields[field]) or not isinstance(named, str):
        return ""
    unit = _UNITS.get(named.strip().lower())
    return f" {unit.name}" if unit else ""


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def _listed(names: set[str]) -> str:
    return " and ".join(sorted(names))
