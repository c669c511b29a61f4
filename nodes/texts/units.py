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
oz | stones, stone | tonnes, tonne, metric tons, metric ton, tons, ton | carats, carat
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
_SHORT = 2  # letters: such are units after a number, in the names of fields, and where a text says into what
_SPAN = re.compile(r"\bhow many (day|week|month|year|hour|minute|second)s\b", re.IGNORECASE)
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_BARE = {"amount", "magnitude", "measure", "quantity", "result", "value"}  # fields named so have a unit beside them
_LARGEST = 10**15  # no quantity; floats keep so many digits
VALUE = r"(?:(?<![\w.,])-?(?>\d[\d,]*(?:\.\d+)?))"  # atomic: of a long list each number was tried with all that follows


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
_NAMES = "|".join(re.escape(name) for name in sorted(_UNITS, key=len, reverse=True) if len(name) >= _SHORT)
_WORDS = "|".join(name for name in _NAMES.split("|") if len(name) > _SHORT or name.startswith("°"))
_END = r"(?![\w^²³])"  # a power of a unit is another one
_MENTION = re.compile(rf"(?<![\w°])(?:{_WORDS}){_END}|(?<=\d)\s?(?:{_ANY}){_END}", re.IGNORECASE)
_IN_NAME = re.compile(rf"(?<![\w°])(?:{_NAMES}){_END}", re.IGNORECASE)
# A few letters are a unit where a text says into what: "What is 5 ft in m?", "How many g are in 12 oz?"
_LETTERS = {"m": "m", "g": "g", "l": "litres", "L": "litres", "C": "celsius", "F": "fahrenheit", "K": "kelvin"}
_WORDS_ELSEWHERE = {"au", "mi", "oz"}
_LETTERS |= {
    form: name
    for name in _UNITS
    if len(name) == _SHORT
    for form in ({name} if name in _WORDS_ELSEWHERE else {name, name.upper(), name.capitalize()})
}
_TARGET = re.compile(rf"(?:\b(?i:in|into|to|or|how many|how much) |\()({'|'.join(_LETTERS)})(?![\w^²³'\u2019])")
_CONVERTS_TO = re.compile(rf"(?:2|_to_)({_NAMES})$", re.IGNORECASE)
_AFTER_NAME = re.compile(r"(?:^|\W)[A-Z][\w'\u2019]* $")
_BEFORE_NAME = re.compile(r" [A-Z]\w")
_NO_UNITS = "GKM"  # right behind a number: 5G, 4K, 3M
_NAMESAKES = frozenset("bar bars cup cups foot inch mile mole pint stone stones ton yard yards".split())
_QUANTITY = re.compile(rf"({VALUE})\s?(?:degrees\s)?({_ANY}){_END}", re.IGNORECASE)


def unit_named(name: str) -> Unit | None:
    """The unit of this name or sign, in small letters; None for any other name."""
    return _UNITS.get(name)


def mentioned(text: str) -> dict[int, set[str]]:
    """The units that a text speaks of, by dimension."""
    found: dict[int, set[str]] = defaultdict(set)
    names = [match[0].strip().lower() for match in _MENTION.finditer(text) if not _is_named_so(match, text)]
    for name in [*names, *(_LETTERS[match[1]] for match in _TARGET.finditer(text))]:
        found[_UNITS[name].dimension].add(_UNITS[name].name)
    return found


def units_in_name(name: str) -> set[str]:
    """The units in the name of a field or an input, or by which something is called."""
    return {_UNITS[match[0].lower()].name for match in _IN_NAME.finditer(spaced(name))}


def _is_named_so(match: re.Match[str], text: str) -> bool:
    """Whether what looks like a unit is part of a name: the Rosetta Stone, the World Cup, Mile End, 5G."""
    word, start, end = match[0], match.start(), match.end()
    if len(word) == 1:
        return word in _NO_UNITS
    if not word[0].isupper() or word.lower() not in _NAMESAKES:
        return False
    return bool(_AFTER_NAME.search(text[max(0, start - 40) : start]) or _BEFORE_NAME.match(text, end))


def other_unit(task: str, answer: str) -> str:
    """What is wrong with the answer's unit; empty when the task names none of its dimension, or the same.

    What the task gives in numbers is to be converted: "3.5 pounds are 1.6 kilograms" has no grams, though pounds were
    spoken of too. Where it only gives quantities, none is asked for: "within 100 km of Geneva" may be 4808 m high. A
    date is no answer to how many days there are.
    """
    span = _SPAN.search(task)
    if span and _is_date(answer, task) and not re.search(rf"(?:\d|[a-z]{{3,}})\s{span[1]}s?\b", answer, re.IGNORECASE):
        return f"That is a date; the task asks how many {span[1]}s."
    asked, given = mentioned(task), mentioned(answer)
    source = {unit for _, unit in quantities(task)}
    for dimension in asked.keys() & given.keys():
        wanted, got = asked[dimension] - source, given[dimension] - source
        if wanted and got and not wanted & got:
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
    for value, unit, named in _contradictions(_stated(text), data):
        return f"{value} is in {_listed(named)}, not in {unit}"
    return ""


def under_its_unit(function: str, data: str) -> str:
    """The only value that a converter such as `pounds2kg` gives, as JSON under its unit; empty where no unit is known.

    Its response calls it `result`, and so a small model says that it is in the unit which was asked for.
    """
    unit = _CONVERTS_TO.search(function)
    numbers = list(fields_with_units(data))
    if unit is None or len(numbers) != 1 or numbers[0][1]:
        return ""
    return json.dumps({_UNITS[unit[1].lower()].name: numbers[0][0]})


def to_convert(texts: Iterable[str], arguments: dict[str, Any]) -> dict[str, str]:
    """The arguments that have a value which a text gives in another unit, with the conversion each needs."""
    stated = [quantity for text in texts for quantity in _stated(text)]
    return {
        name: f"Convert {value} from {unit} to {_listed(named)}."
        for name, argument in arguments.items()
        for value, unit, named in _contradictions(stated, json.dumps({name: argument}))
    }


def _contradictions(stated: Iterable[tuple[str, set[str]]], data: str) -> Iterator[tuple[str, str, set[str]]]:
    """The values to which texts and data give different units: as written, the texts' unit, the data's units.

    Where a number stands in several units, one of them the data's, nothing contradicts: 10 km are asked for, and 10
    miles.
    """
    fields = list(fields_with_units(data))
    given: dict[float, list[tuple[str, set[str]]]] = defaultdict(list)
    for written, units in stated:
        given[float(written.replace(",", ""))].append((written, units))
    for value, written_so in given.items():
        units = set().union(*(named for _, named in written_so))
        for written, unit in written_so:
            same = [named for number, named in fields if round(number, _decimals(written)) == value]
            if same and all(same) and not any(units & named for named in same):
                yield written, _listed(unit), set().union(*same)


def quantities(text: str) -> Iterator[tuple[str, str]]:
    """The numbers of a text with the unit behind each; 5G is none, and 4K."""
    for match in _QUANTITY.finditer(text):
        if not (match[2] in _NO_UNITS and match[0] == f"{match[1]}{match[2]}"):
            yield match[1], _UNITS[match[2].lower()].name


def _stated(text: str) -> Iterator[tuple[str, set[str]]]:
    """The numbers with units of a text, or of the fields of JSON."""
    for written, unit in quantities(text):
        yield written, {unit}
    for number, units in fields_with_units(text):
        if units:
            yield str(int(number)) if number.is_integer() else repr(number), units


def fields_with_units(data: str) -> Iterator[tuple[float, set[str]]]:
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
            yield float(value), units_in_name(name)


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
