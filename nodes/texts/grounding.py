"""Numbers that come from nowhere: what a model wrote against what it was given.

A small model retypes what a tool returned with a digit wrong, and gives it the unit that was asked for. That shows in
the numbers and units, which code can compare. What a model may invent in arguments is in `invented.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import BaseModel, create_model, field_validator, model_validator

from toolquiver.nodes.texts.comparisons import misjudged
from toolquiver.nodes.texts.invented_names import invented_names
from toolquiver.nodes.texts.known_codes import without_codes
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.number_words import (
    BLANKS,
    COUNTS,
    LETTERS,
    MAGNITUDES,
    in_other_digits,
    in_words,
    without_powers,
)
from toolquiver.nodes.texts.signs import without_minus
from toolquiver.nodes.texts.units import misnamed
from toolquiver.nodes.texts.zones import wrong_zone

Shape = TypeVar("Shape", bound=BaseModel)

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3}(?!\d))?")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):([0-5]\d)(?::([0-5]\d))?")
# 14h30, 14.30 Uhr, 2.30 pm
_CLOCK_ELSEWHERE = re.compile(
    r"(?<![\d:.,])(?<!takes )(?<!lasts )(?<!for )(\d{1,2})"
    r"(?:\s?h\s?(?=\d\d\b)|\.(?=\d\d\s?(?:uhr|[ap]\.?\s?m)\b))([0-5]\d)",
    re.IGNORECASE,
)
_OF_DATE = re.compile(r"\dT\Z")  # 2027-05-01T03:53 is no afternoon
_HALF_OF_DAY = re.compile(r"\s?([ap])\.?\s?m\b", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.+-]+)?")
# The 25th is not 25 days.
_SPAN = re.compile(r"(?<![\d.,])((?>\d[\d.,]*))\s+(?:days|weeks|months|years|hours|minutes|seconds)\b")
# How long something lasts, and which part of a series it is: PT4M13S and S03E14 are numbers, no codes.
_LETTERED = re.compile(r"\bP(?=\d|T\d)(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?\b|\bS\d{1,2}E\d{1,3}\b")
_FORMULA = re.compile(r"\b(?:[A-Za-z]+\d+[A-Za-z]+|\d+[a-z]+[A-Z][A-Za-z]*)\d\w*")  # neither C8H10N4O2 nor 98asMe0f
_WHOLE = re.compile(r"\b(?:nearest|round(?:ed)?|integer|whole)\b", re.IGNORECASE)
# 15% may be written 15 or 0.15, and 1.5 million 1500000.
_SHARES = (Decimal(1), Decimal(100), Decimal("0.01"), Decimal(1000), Decimal(1000000))
_MANY = re.compile(
    rf"(?:\s?({'|'.join(sorted(MAGNITUDES, key=len, reverse=True))})|(?-i:({'|'.join(LETTERS)})))\b", re.IGNORECASE
)
# 717.000, 717 000 and 4,5, as other languages write 717000 and 4.5.
_ELSEWHERE = re.compile(rf"(?<![\d.,])(?:\d{{1,3}}(?:[.{BLANKS}]\d{{3}})+(?:,\d+)?|\d+,\d+)(?![.,]?\d)")
_PRECISE, _HALF_ONE = 100, Decimal("0.5")  # rounded to a whole, a number of three digits is still the same one
_CUT_DIGITS = 4  # a number of so many digits is still the same one where the rest was cut off: 5474 for 5474.534
_NOON = 12  # 9 pm is 21
_HALF, _HOUR = 30, 60
_MARK = re.compile(r"<\\?/?(?:result|page|answer)>", re.IGNORECASE)


def invented(text: str, sources: Iterable[str]) -> list[str]:
    """The numbers and times of `text` that neither stand in the sources nor are one of theirs rounded.

    Where a source asks for a whole number, it may be the next below or above one of theirs. In another language numbers
    may be written as there.
    """
    given = list(sources)
    if any(map(is_foreign, [text, *given])):
        text = _in_plain_digits(text, numbers_of(given))
    dateless = [_DATE.sub(" ", source) for source in given]
    spans = [found for match in _SPAN.finditer(text) for found in unknown_numbers(match[1], dateless, counts=True)]
    told = times_of_day(given)
    wrong = [match[0] for match in _CLOCK.finditer(text) if not told & _times(match)]
    timeless = _CLOCK.sub(" ", without_clocks(text, told))
    numbers = unknown_numbers(without_codes(timeless, given), given, counts=True)
    if any(_WHOLE.search(source) for source in given):
        known = numbers_of(given)
        spans, numbers = ([one for one in found if not _is_next(one, known)] for found in (spans, numbers))
    return spans + wrong + numbers


def clocks(text: str) -> set[tuple[int, int]]:
    """The times of day of a text, as hours and minutes on a twelve-hour clock."""
    return {(hour % _NOON, minute) for hour, minute in times_of_day([text])}


def times_of_day(texts: Iterable[str]) -> set[tuple[int, int]]:
    """What the times of some texts may be on a 24-hour clock, in both halves of the day where they say neither."""
    matches = (match for text in texts for form in (_CLOCK, _CLOCK_ELSEWHERE) for match in form.finditer(text))
    return {time for match in matches for time in _times(match)}


def without_clocks(text: str, told: set[tuple[int, int]]) -> str:
    """The text without those of its times of day in the writing of other places, 14.30 Uhr, that are one of these."""
    return _CLOCK_ELSEWHERE.sub(lambda match: " " if told & _times(match) else match[0], text)


def faithful(shape: type[Shape], sources: Iterable[str], observations: Iterable[str] = ()) -> type[Shape]:
    """`shape`, not valid when one of its texts holds an invented number or name, a wrong unit or a wrong time zone.

    Nor where it loses a minus, or says of two quantities the wrong one is more.

    A number's unit is told by the name of its field in the observations. The marks between which a prompt shows data
    are no part of a text: a small model copies them too.
    """
    observed = list(observations)
    known = list(sources)
    given = [*known, *observed]

    class Faithful(shape):  # type: ignore[valid-type, misc]
        @field_validator("*", mode="before")
        @classmethod
        def _is_unmarked(cls, value: Any) -> Any:
            if isinstance(value, list):
                return [_MARK.sub("", item) if isinstance(item, str) else item for item in value]
            return _MARK.sub("", value) if isinstance(value, str) else value

        @model_validator(mode="after")
        def _invents_nothing(self) -> Faithful:
            values = (item for _, value in self for item in (value if isinstance(value, list) else [value]))
            text = " ".join(item for item in values if isinstance(item, str))
            if found := invented(text, given) or invented_names(text, given, observed):
                raise ValueError(f"{', '.join(found)} is not in what you were given; copy the values as they are")
            if wrong := misjudged(text):
                raise ValueError(f"{wrong}; say what the numbers say")
            if below := without_minus(text, known, observed):
                raise ValueError(f"{', '.join(below)} is below zero in what you were given; write the minus")
            for observation in observed:
                if wrong := misnamed(text, observation, given):
                    raise ValueError(f"{wrong}; name the unit that the result has")
                if wrong := wrong_zone(text, observation):
                    raise ValueError(f"{wrong}; say which zone's time it is")
            return self

    return create_model(shape.__name__, __base__=Faithful, __doc__=shape.__doc__)


def unknown_numbers(text: str, sources: Iterable[str], *, counts: bool, shares: bool = True) -> list[str]:
    """The numbers of `text` that the sources do not have, nor are theirs rounded, in percent or of a 24-hour clock.

    With `counts`, whole numbers up to twelve are always known. Without `shares` a number is known as it is, or rounded.
    """
    known = numbers_of(sources)
    text = without_powers(text, lambda number: _known(number, known, shares=shares))
    return [
        match[0]
        for match in _NUMBER.finditer(text)
        if not any(
            all(_known(number, known, shares=shares) or (counts and is_count(number)) for number in numbers)
            if len(numbers) == 1
            else known.issuperset(numbers)
            for numbers in _readings(match[0])
        )
        and not (shares and _is_many(match, known))
    ]


def _in_plain_digits(text: str, known: set[Decimal]) -> str:
    """The text with known numbers in plain digits that other languages write with dots, blanks and a decimal comma."""

    def plain(match: re.Match[str]) -> str:
        digits = re.sub(rf"[.{BLANKS}]", "", match[0]).replace(",", ".")
        return digits if _known(Decimal(digits), known, shares=False) else match[0]

    return _ELSEWHERE.sub(plain, text)


def _is_many(match: re.Match[str], known: set[Decimal]) -> bool:
    """Whether it is said in thousands or more, as 5.4 million, and a known number rounded to so many."""
    many = _MANY.match(match.string, match.end())
    if many is None:
        return False
    times = MAGNITUDES[many[1].lower()] if many[1] else LETTERS[many[2]]
    number = Decimal(match[0].replace(",", ""))
    half_of_last = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1) * times
    return any(abs(source - number * times) <= half_of_last for source in known)


def numbers_of(sources: Iterable[str]) -> set[Decimal]:
    """The numbers of the sources, written in digits, in words, or as other languages write them."""
    sources = list(sources)
    written = (found for source in sources for found in _NUMBER.findall(_FORMULA.sub(" ", _spread(source))))
    known = {number for found in written for numbers in _readings(found) for number in numbers}
    others = {number for source in sources for read in (in_words, in_other_digits) for number in read(source)}
    return known | others


def _spread(text: str) -> str:
    return _LETTERED.sub(lambda found: re.sub("[A-Z]+", " ", found[0]), text)


def _readings(found: str) -> list[list[Decimal]]:
    """`1,234` is one number with its thousands marked, or two in a list without spaces."""
    return [[Decimal(found.replace(",", ""))], [Decimal(part) for part in found.split(",")]]


def _times(match: re.Match[str]) -> set[tuple[int, int]]:
    """What a time of day may be on a 24-hour clock, to the minute, and to the nearest minute.

    Up to noon it may be in either half of the day, unless it says which, or stands behind a date as ISO writes it.
    """
    hour, minute, *seconds = (int(part or 0) for part in match.groups())
    half = _HALF_OF_DAY.match(match.string, match.end())
    of_date = _OF_DATE.search(match.string, max(0, match.start() - 2), match.start())
    if 0 < hour <= _NOON and not of_date:
        halves = {0, _NOON} if half is None else {_NOON * (half[1].lower() == "p")}
        hours = {hour % _NOON + later for later in halves}
    else:
        hours = {hour}
    minutes = {hour * _HOUR + minute + late for hour in hours for late in {0, int(sum(seconds) >= _HALF)}}
    return {divmod(time % (2 * _NOON * _HOUR), _HOUR) for time in minutes}


def _is_next(number: str, known: set[Decimal]) -> bool:
    """Whether it is a whole number next to a known one."""
    return number.isdigit() and any(abs(Decimal(number) - near) < 1 for near in known)


def is_count(number: Decimal) -> bool:
    """Whether it is a whole number up to twelve, as one counts."""
    return number < len(COUNTS) and number == number.to_integral_value()


def _known(number: Decimal, known: set[Decimal], *, shares: bool) -> bool:
    last = int(number.as_tuple().exponent)  # the place of the last digit that is written
    half_of_last = Decimal(5).scaleb(last - 1)  # 3.725 may be rounded to 3.72 and to 3.73
    cut = len(number.as_tuple().digits) >= _CUT_DIGITS
    return number in known or any(
        number == source * share
        or (cut and 0 <= source - number < Decimal(1).scaleb(last))
        or (shares and number == source + _NOON <= 2 * _NOON)
        or (number >= _PRECISE and abs(source - number) <= _HALF_ONE)
        or (last and abs(source * share - number) <= half_of_last)
        for source in known
        for share in (_SHARES if shares else _SHARES[:1])
    )
