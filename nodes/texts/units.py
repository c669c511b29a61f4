"""Units of measure in texts: what a small model calls metres because metres were asked for may be feet.

Only dimensions in which one answer stands for another: hours and minutes are mixed at will, degrees mean too much.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from toolquiver.nodes.texts.field_units import Measured, by_letter, in_fields, named_values, written_out
from toolquiver.nodes.texts.unit_table import END, NAMED, UNITS, Unit, spelled

_SHORT = 2  # letters: such are units after a number, in the names of fields, and where a text says into what
_SPAN = re.compile(r"\bhow many (day|week|month|year|hour|minute|second)s\b", re.IGNORECASE)
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d(?:(?:T|,? (?:at )?)\d\d:\d\d[\d:.]*Z?|\b)")
# How old one is then, and which week or day of the year it is, says more of a date.
_OF_DATE = {"year": "aged?(?: of)?|turn(?:s|ing)?", "week": "week", "day": r"day[ _]of(?:[ _]the)?[ _]\w+"}
_CALL = re.compile(r"^\w+\(.*\) gives ")  # its arguments are no answer
VALUE = r"(?:(?<![\w.,])-?(?>\d[\d,]*(?:\.\d+)?))"  # atomic: of a long list each number was tried with all that follows

_ANY, _NAMES = spelled(), spelled(_SHORT)
_WORDS = "|".join(name for name in _NAMES.split("|") if len(name) > _SHORT or name.startswith("°"))
_MENTION = re.compile(rf"(?<![\w°])(?:{_WORDS}){END}|(?<=\d)\s?(?:{_ANY}){END}", re.IGNORECASE)
# A few letters are a unit where a text says into what: "What is 5 ft in m?", "How many g are in 12 oz?"
_LETTERS = {"m": "m", "g": "g", "l": "litres", "L": "litres", "C": "celsius", "F": "fahrenheit", "K": "kelvin"}
_WORDS_ELSEWHERE = {"au", "mi", "oz"}
_LETTERS |= {
    form: name
    for name in UNITS
    if len(name) == _SHORT
    for form in ({name} if name in _WORDS_ELSEWHERE else {name, name.upper(), name.capitalize()})
}
_TARGET = re.compile(rf"(?:\b(?i:in|into|to|or|how many|how much) |\()({'|'.join(_LETTERS)})(?![\w^²³'\u2019])")
_CONVERTS_TO = re.compile(rf"(?:(?:2|_to_)({_NAMES})|(?:^|_)([cfk])(?:2|_to_)(?!\2)([cfk]))$", re.IGNORECASE)
_AFTER_NAME = re.compile(r"(?:^|\W)[A-Z][\w'\u2019]* $")
_BEFORE_NAME = re.compile(r" [A-Z]\w")
_NO_UNITS = "GKM"  # right behind a number: 5G, 4K, 3M
_NAMESAKES = frozenset("bar bars cup cups foot inch mile mole pint stone stones ton yard yards".split())
_QUANTITY = re.compile(rf"({VALUE})\s?(?:degrees\s)?({_ANY}){END}", re.IGNORECASE)


def unit_named(name: str) -> Unit | None:
    """The unit of this name, sign or single letter, in small letters; None for any other name."""
    return NAMED.get(name)


def mentioned(text: str) -> dict[int, set[str]]:
    """The units that a text speaks of, by dimension."""
    found: dict[int, set[str]] = defaultdict(set)
    names = [match[0].strip().lower() for match in _MENTION.finditer(text) if not _is_named_so(match, text)]
    for name in [*names, *(_LETTERS[match[1]] for match in _TARGET.finditer(text))]:
        found[UNITS[name].dimension].add(UNITS[name].name)
    return found


def units_in_name(name: str) -> set[str]:
    """The units in the name of a field or an input, or by which something is called."""
    return written_out(name) or by_letter(name)


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
    date is no answer to how many days there are, though it says the age that one has then.
    """
    span = _SPAN.search(task)
    if (
        span
        and _is_date(answer, span[1].lower())
        and not re.search(rf"(?:\d|[a-z]{{3,}})\s{span[1]}s?\b", answer, re.IGNORECASE)
    ):
        return f"That is a date; the task asks how many {span[1]}s."
    asked, given = mentioned(task), mentioned(answer)
    source = {unit for _, unit in quantities(task)}
    for dimension in asked.keys() & given.keys():
        wanted, got = asked[dimension] - source, given[dimension] - source
        if wanted and got and not wanted & got:
            return f"Convert from {_listed(got)} to {_listed(wanted)}."
    return ""


def _is_date(answer: str, span: str) -> bool:
    """Whether an answer has dates and no number besides, but for their years and what is no number of such spans."""
    told = _CALL.sub("", answer)
    years = {date[:4] for date in _DATE.findall(told)}
    beside = "|".join(words for unit, words in _OF_DATE.items() if unit != span)
    rest = re.sub(rf"(?<![^\W_])(?:{beside})\W{{1,3}}\d+", " ", _DATE.sub(" ", told), flags=re.IGNORECASE)
    return bool(years) and set(re.findall(r"\d+", rest)) <= years


def misnamed(text: str, data: str, sources: Iterable[str] = ()) -> str:
    """What is wrong with the unit that the text gives a value of the data; empty when the field's name says no other.

    `data` is JSON: what an API returned, or the arguments of a call, whose names may tell a unit. What a source gives
    in the text's unit is something else that happens to be as many.
    """
    for value, unit, named in _contradictions(_stated(text), [*in_fields(data), *_in_strings(data)]):
        if not any(_gives(source, number_of(value), unit) for source in sources):
            return f"{value} is in {_listed(named)}, not in {unit}"
    return ""


def _gives(source: str, number: float, unit: str) -> bool:
    return any(one.number == number and one.units == {unit} for one in _stated(source))


def under_its_unit(function: str, data: str) -> str:
    """The only value that a converter such as `pounds2kg` gives, as JSON under its unit; empty where no unit is known.

    Its response calls it `result`, and so a small model says that it is in the unit which was asked for.
    """
    unit = _CONVERTS_TO.search(function)
    numbers = list(fields_with_units(data))
    if unit is None or len(numbers) != 1 or numbers[0][1]:
        return ""
    return json.dumps({NAMED[(unit[1] or unit[3]).lower()].name: numbers[0][0]})


def to_convert(texts: Iterable[str], arguments: dict[str, Any]) -> dict[str, str]:
    """The arguments that have a value which a text gives in another unit, with the conversion each needs."""
    stated = [quantity for text in texts for quantity in _stated(text)]
    return {
        name: f"Convert {value} from {unit} to {_listed(named)}."
        for name, argument in arguments.items()
        for value, unit, named in _contradictions(stated, [*in_fields(json.dumps({name: argument}))])
    }


def _contradictions(stated: Iterable[Measured], fields: list[Measured]) -> Iterator[tuple[str, str, set[str]]]:
    """The values to which texts and data give different units: as written, the texts' unit, the data's units.

    Where a number stands in several units, one of them the data's, nothing contradicts: 10 km are asked for, and 10
    miles. Nor where it stands in the data without a unit of its kind too.
    """
    given: dict[float, list[Measured]] = defaultdict(list)
    for one in stated:
        given[one.number].append(one)
    for value, said in given.items():
        units = set().union(*(one.units for one in said))
        for one in said:
            same = [field for field in fields if round(field.number, _decimals(one.written)) == value]
            named = set().union(*(field.units for field in same))
            if same and all(field.units and field.is_of_kind(one) for field in same) and not units & named:
                yield one.written, _listed(one.units), named


def quantities(text: str) -> Iterator[tuple[str, str]]:
    """The numbers of a text with the unit behind each; 5G is none, and 4K."""
    for match in _QUANTITY.finditer(text):
        if not (match[2] in _NO_UNITS and match[0] == f"{match[1]}{match[2]}"):
            yield match[1], UNITS[match[2].lower()].name


def _stated(text: str) -> Iterator[Measured]:
    """The numbers with units of a text, or of the fields of JSON."""
    for written, unit in quantities(text):
        yield Measured(written, number_of(written), {unit})
    yield from (field for field in in_fields(text) if field.units)


def fields_with_units(data: str) -> Iterator[tuple[float, set[str]]]:
    """Every number in JSON with the units that its field's name mentions, or a field `unit` beside it."""
    for field in in_fields(data):
        yield field.number, field.units


def _in_strings(data: str) -> Iterator[Measured]:
    """The quantities that are written as one: `{"distance": "12 km"}`."""
    whole = (value for _, value in named_values(data) if isinstance(value, str) and _QUANTITY.fullmatch(value))
    for written, unit in (found for value in whole for found in quantities(value)):
        yield Measured(written, number_of(written), {unit}, sure=False)


def number_of(written: str) -> float:
    """The number that is written so, in groups of three perhaps."""
    return float(written.replace(",", ""))


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def _listed(names: set[str]) -> str:
    return " and ".join(sorted(names))
