"""Arguments that come from nowhere: numbers, dates, codes and switches against what the model was given.

Other words are left alone: a model may know that Portugal is PT.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.text import spaced
from toolquiver.nodes.texts.grounding import unknown_numbers
from toolquiver.nodes.texts.leaves import Leaf, leaves
from toolquiver.nodes.texts.said_numbers import unsaid_numbers
from toolquiver.nodes.texts.time_spans import days_away

_WORD = re.compile(r"[a-z]+")
_CODE = re.compile(r"[+#]?\w[\w.-]*\w")
_CODE_DIGITS = 5  # as few as a postal code has; years and small products are shorter
_DATE_LIKE = re.compile(r"\d{4}-\d\d(?!\d)|\b\d\d?([./-])\d\d?\1\d{4}|^\d{8}(?:T|$)|^\d+\.\d+$")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_MONTH_OF_DATE = re.compile(r"(?<=\d{4})-\d\d(?=-\d\d)")
_ENDING = re.compile(r"\b(?:ends?|last|first|begin\w*|starts?|month|christmas|eve|boxing|year)\b", re.IGNORECASE)
_LONG = 10**7
_LAST = date.max.toordinal()
_MONTH_NUMBERS = {
    name: number for names in (calendar.month_name, calendar.month_abbr) for number, name in enumerate(names) if name
} | {"Sept": 9}
_OF_MONTHS = "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True))  # "may" is a verb, too
_YEAR = re.compile(r",? (?:of )?(\d{4})(?!\d)")
_DAY_OF_MONTH = re.compile(
    rf"\b({_OF_MONTHS})\.? (?:the )?(\d\d?)(?:st|nd|rd|th)?\b(?!:)"
    rf"|(?<![\d:.,])(\d\d?)(?:st|nd|rd|th)?(?: of)? ({_OF_MONTHS})\b"
)
_MONTHS, _CHRISTMAS = 12, (24, 25, 26)
_POINTS = ".,:;!?()[]'\""
_GROUPING = re.compile(r"[^\w+#]|_")


def invented_arguments(api: API, arguments: dict[str, Any], sources: Iterable[str]) -> list[str]:
    """The names of the arguments that hold what the sources do not have: a number, date or code, a switch turned on.

    Small counts may be a model's own where one is required, but no measure: what an API takes as a `number` must be
    known, and what may be left out too. What the schema lists, a default or an option, is never invented.
    """
    given = list(sources)
    return [
        parameter.name
        for parameter in api.parameter_list()
        if (value := arguments.get(parameter.name)) is not None
        and value != parameter.schema_.get("default")
        and (
            any(_is_invented(leaf, parameter, given) for leaf in leaves(value, parameter) if not leaf.is_listed())
            or (value is True and not parameter.required and not _spoken_of(parameter, api, given))
        )
    ]


def _is_invented(leaf: Leaf, parameter: Parameter, given: list[str]) -> bool:
    """Whether a single value is a number, a code or a date that is not known."""
    if isinstance(leaf.value, str):
        known = all(code_known(code, given) for code in codes(leaf.value))
        dated = date_known(leaf.value, given) and not is_of_another_month(leaf.value, given)
        return not (known and (dated or is_days_away(leaf.value, given)))
    if isinstance(leaf.value, int) and abs(leaf.value) >= _LONG and code_known(str(leaf.value), given):
        return False  # a phone number
    if isinstance(leaf.value, bool) or not isinstance(leaf.value, int | float):
        return False
    return _far(format(Decimal(repr(abs(leaf.value))), "f"), given, counts=_may_count(parameter))


def _far(number: str, sources: list[str], *, counts: bool) -> bool:
    """Whether the number is not said, nor half or twice a known one: a radius may come from a diameter."""
    value = Decimal(number)
    return bool(unsaid_numbers(number, sources, lasting=True)) and all(
        unknown_numbers(f"{near:f}", sources, counts=counts) for near in (value, value * 2, value / 2)
    )


def code_known(code: str, sources: Iterable[str]) -> bool:
    """Whether the sources have the code, however it is grouped by spaces, dots and hyphens."""
    return any(_plain(code) in _plain(source) for source in sources)


def date_known(text: str, sources: list[str]) -> bool:
    """Whether the day and the year of an ISO date are in the sources; true of a text that is not one.

    The ends of months and Christmas have names, so their day may stand nowhere as a number; but not where a source has
    another day of this month, and no word for an end.
    """
    match = _DATE.match(text)
    if match is None:
        return True
    year, month, day = (int(part) for part in match.groups())
    named = _has_name(year, month, day) and not _another_day(year, month, day, sources)
    days = [_MONTH_OF_DATE.sub("", source) for source in sources]  # the 12 of 2031-12-25 is no day
    return not unsaid_numbers(str(year), sources) and (named or not unsaid_numbers(str(day), days))


def is_days_away(text: str, sources: list[str]) -> bool:
    """Whether an ISO date is as many days from a date of the sources as they say: 3 nights from May 2, 2027."""
    match = _DATE.match(text)
    try:
        day = date.fromisoformat(match[0] if match else "").toordinal()
    except ValueError:
        return False
    starts = {day - days for source in sources for days in days_away(source)}
    return any(_is_written(date.fromordinal(start), sources) for start in starts if 0 < start <= _LAST)


def _is_written(day: date, sources: list[str]) -> bool:
    """Whether the sources have a date as ISO writes it, or its day beside the name of its month, and its year."""
    if any(day.isoformat() in source for source in sources):
        return True
    months = {_MONTH_NUMBERS[name] for source in sources for name in _beside(day.day, str(day.year), source)}
    return day.month in months and not unsaid_numbers(str(day.year), sources)


def _another_day(year: int, month: int, day: int, sources: list[str]) -> bool:
    """Whether a source has an ISO date of this month, none with this day, and no word for the ends of a month."""
    days = {int(found) for source in sources for found in re.findall(rf"{year}-{month:02}-(\d\d)", source)}
    return bool(days) and day not in days and not any(_ENDING.search(source) for source in sources)


def month_known(text: str, sources: list[str]) -> bool:
    """Whether the month of an ISO date is in the sources: by its name, as a number, or as a word of any language.

    True of a text that is no date, and of days that have names of their own.
    """
    match = _DATE.match(text)
    if match is None:
        return True
    year, month, day = (int(part) for part in match.groups())
    if is_of_another_month(text, sources):
        return False
    if not 1 <= month <= _MONTHS or _has_name(year, month, day):
        return True
    between = rf"(?<!\d){day}\W{{1,3}}(?:de )?[^\W\d]+\W{{1,2}}(?:de )?{year}(?!\d)"  # 3 de mayo de 2030
    name = rf"\b(?:{calendar.month_name[month]}|{calendar.month_abbr[month]})\b|{between}"
    written = any(re.search(name, source, re.IGNORECASE) for source in sources)
    return written or not unsaid_numbers(str(month), sources)


def is_of_another_month(text: str, sources: list[str]) -> bool:
    """Whether the sources have the day of an ISO date beside the names of other months alone, or day and month swapped.

    False of a text that is no date.
    """
    match = _DATE.match(text)
    if match is None:
        return False
    year, month, day = match[1], int(match[2]), int(match[3])
    if any(match[0] in source for source in sources):
        return False
    named = {_MONTH_NUMBERS[name] for source in sources for name in _beside(day, year, source)}
    if named and month not in named:
        return True
    swapped = f"{year}-{match[3]}-{match[2]}"
    return any(swapped in source for source in sources)


def _beside(day: int, year: str, source: str) -> Iterator[str]:
    """The months that are named beside a day, unless another year follows."""
    for match in _DAY_OF_MONTH.finditer(source):
        follows = _YEAR.match(source, match.end())
        if int(match[2] or match[3]) == day and (not follows or follows[1] == year):
            yield match[1] or match[4]


def _has_name(year: int, month: int, day: int) -> bool:
    """Whether a day is the first or last of a month, or Christmas."""
    last = calendar.monthrange(year, month)[1] if 1 <= month <= _MONTHS and year else 0
    return day in (1, last) or (month == _MONTHS and day in _CHRISTMAS)


def codes(text: str) -> list[str]:
    """The words with many digits in a text: identifiers, which a model can only copy. Dates and sums are not codes."""
    words = [word.strip(_POINTS) for word in text.split()]
    return [
        word
        for word in words
        if _CODE.fullmatch(word) and sum(map(str.isdigit, word)) >= _CODE_DIGITS and not _DATE_LIKE.search(word)
    ]


def _plain(text: str) -> str:
    return _GROUPING.sub("", text).lower()


def _spoken_of(parameter: Parameter, api: API, sources: list[str]) -> bool:
    """Whether a word of the switch's name, that no other parameter has in its name, is in the sources."""
    others = {word for other in api.parameter_list() if other.name != parameter.name for word in _name_words(other)}
    own = [word for word in _name_words(parameter) if word not in others]
    said = {word for source in sources for word in _WORD.findall(source.lower())}
    return not own or any(word.startswith(name) for name in own for word in said)


def _name_words(parameter: Parameter) -> list[str]:
    return _WORD.findall(spaced(parameter.name).lower())


def _may_count(parameter: Parameter) -> bool:
    return parameter.required and "integer" in str(parameter.schema_)
