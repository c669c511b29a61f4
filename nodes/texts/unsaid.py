"""What a task asks for by the name of a field, and an answer leaves out: of two things a small model often says one.

"Which bank is this, and what is its BIC?" was answered with the BIC alone, while the response had both.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from typing import Any

from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import content_words, spaced
from toolquiver.nodes.records import Found
from toolquiver.nodes.responses import object_in
from toolquiver.nodes.texts.grounding import clocks, invented, numbers_of, times_of_day, unknown_numbers
from toolquiver.nodes.texts.invented import code_known, codes, month_known
from toolquiver.nodes.texts.said_numbers import unsaid_numbers

_FEW = 16  # plain values; of a longer response no field is told by its name alone
_LONGEST = 120  # characters of a value that can be said in passing
_ALSO = " Also: "
_RESULTS = frozenset(["answer", "output", "result", "text", "value"])
_NOTHING = frozenset(["none", "null", "nan", "unknown"])
_DAY = re.compile(r"(\d{4})-\d\d-(\d\d)")
_TIME = re.compile(r"(?<![\d:+-])(\d{1,2}):([0-5]\d)(?::[0-5]\d)?")  # and no offset of a zone: 17:00+02:00
# A morning's time where nothing says which half of the day it is of, and an hour alone.
_MORNING = re.compile(r"(?<![\d:])(?:0?[1-9]|1[01])(?::[0-5]\d){1,2}(?![\d:]|\s?[ap]\.?\s?m\b)", re.IGNORECASE)
_HOUR = re.compile(r"(?<![\d:.,])\d{1,2}(?=\s?(?:[ap]\.?\s?m|uhr|o['\u2019]?clock)\b)", re.IGNORECASE)
_ZEROS = re.compile(r"(?<!\d)00?:|:00\b")  # parts that nobody says of a length or an offset: 0:45, +02:00
_DATE = re.compile(r"\d{4}-\d\d|\d\d?([./])\d\d?\1\d{4}")  # of a month alone, or in the order of a country
_MONTHS = {name: str(n) for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if name}
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")
_OUT_OF = re.compile(r"(?<=\d)\s?/\s?(?:5|10|100)$")  # of a rating: 3.5/5
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_NUMBER = re.compile(r"\d[\d.,]*(?:e[+-]?\d+)?", re.IGNORECASE)
_TELLING = 6  # letters of a name that is looked for across the words of a task, as `moonset` in "the moon sets"


def with_unsaid(answer: str, task: str, observation: str, call: str = "") -> str:
    """The answer, followed by the fields of the response that the task asks for and the answer does not have."""
    return _with(answer, left_unsaid(answer, task, observation, call))


def with_lost(answer: str, query: str, parts: Sequence[Found]) -> str:
    """The same of an answer to a whole query, with those fields alone whose values the answers to its parts have.

    A field that several parts have does not say whose it is, and is left out.
    """
    lost = [
        (name, value)
        for part in parts
        for name, value in left_unsaid(answer, query, part["observation"])
        if _said(value, part["answer"])
    ]
    names = [name for name, _ in lost]
    return _with(answer, [(name, value) for name, value in lost if names.count(name) == 1])


def begins_with(answer: str, text: str) -> bool:
    """Whether an answer is this text, or this with what it had left out."""
    return answer == text or answer.startswith(f"{text}{_ALSO}")


def _with(answer: str, left: Sequence[tuple[str, str]]) -> str:
    told = "; ".join(f"{name} {value}".strip() for name, value in left)
    return f"{answer}{_ALSO}{told}." if answer and left else answer


def left_unsaid(answer: str, task: str, observation: str, call: str = "") -> list[tuple[str, str]]:
    """These fields with their values: all words of the name are in the task, the value is not in the answer.

    What the task or the call had already is no news. Only a JSON object of a few plain values is looked at, one within
    another too. The one result of a call, if it is in words, is asked for whatever it is called, and has no name then:
    103 is not all of `{"text": "one hundred and three"}`.
    """
    fields = list(_plain(object_in(observation) or {}))
    if len(fields) > _FEW:
        return []
    one = len(fields) == 1 and fields[0][0].lower() in _RESULTS and any(map(str.isalpha, fields[0][1]))
    return [
        ("" if one else name.replace("_", " "), value)
        for name, value in fields
        if (one or _asked(name, task)) and not any(_said(value, text) for text in (answer, task, call))
    ]


def _plain(response: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in response.items():
        if isinstance(value, dict):
            yield from _plain(value)
        elif isinstance(value, str | int | float) and not isinstance(value, bool) and _tells(str(value)):
            yield name, str(value)


def _tells(value: str) -> bool:
    return bool(value.strip()) and value.strip().lower() not in _NOTHING


def _asked(name: str, task: str) -> bool:
    """Whether the task has all words of the name, or the name across its words."""
    parts = spaced(name).split()  # none, where a field is called "" or "_"
    words = set(stems(" ".join(parts[1:] if len(parts) > 1 and parts[0] == name else parts)))
    if words and words <= set(stems(task)):
        return True
    letters = "".join(filter(str.isalpha, task.lower()))
    return len(name) >= _TELLING and name.isalpha() and name.lower() in letters


def _said(value: str, text: str) -> bool:
    """Whether a text has the value, perhaps rounded, or written otherwise; a long one is not for saying so."""
    if len(value) > _LONGEST or _has_code("".join(value.split()), text) or _has_name(value, text):
        return True
    has_digits = any(map(str.isdigit, value))  # then the Z of a moment is no word
    words = {word for word in content_words(value) if word.isalpha() and (len(word) > 1 or not has_digits)}
    if words:
        return words <= set(content_words(text)) and not invented(value, [text])
    if has_digits and not unsaid_numbers(value, [text]):
        return True
    day, time = _DAY.match(value), _TIME.search(value)
    if time and times_of_day([_in_24_hours(time[0])]) & times_of_day([_in_24_hours(text)]):
        return True
    if time and (clocks(text) or not day):
        return _has_time(time, text) or (not day and _has_length(time[0], text))
    return _has_day(day, text) if day else _has_numbers(value, text)


def _has_code(code: str, text: str) -> bool:
    return bool(codes(code)) and code_known(code, [text])


def _has_name(value: str, text: str) -> bool:
    """Whether a text has a value of letters and digits as it stands, such as a geohash."""
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return mixed and bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE))


def _in_24_hours(text: str) -> str:
    """The text with the hours and the halves of the day that it leaves to be understood: `8:00 am` for 8:00."""
    return _MORNING.sub(r"\g<0> am", _HOUR.sub(r"\g<0>:00", text))


def _has_time(time: re.Match[str], text: str) -> bool:
    """Whether a text has the hour, in the same half of the day, and the minutes if they are not the full hour."""
    hour, minutes = time.groups()
    told = not unsaid_numbers(hour, [text if int(minutes) else _TIME.sub(r"\1", text)])
    return told and (not int(minutes) or bool(clocks(time[0]) & clocks(text)))


def _has_length(length: str, text: str) -> bool:
    """Whether a text says the hours, minutes and seconds as numbers: `45 minutes` for 0:45."""
    return not unsaid_numbers(_ZEROS.sub(" ", length).replace(":", " "), [_TIME.sub(" ", text)])


def _has_day(day: re.Match[str], text: str) -> bool:
    """Whether a text has the day and the month, and no other year."""
    years = _YEAR.findall(text)
    return not unsaid_numbers(day[2], [text]) and month_known(day[0], [text]) and (not years or day[1] in years)


def _plainly(value: str) -> str:
    """The value without what is not said of it: the minutes of a full hour, the best that a rating may be."""
    return _ZEROS.sub(" ", _OUT_OF.sub("", value))


def _has_numbers(value: str, text: str) -> bool:
    """Whether a text has all numbers of a value, perhaps rounded, or the month by its name; false where it has none."""
    numbers = _NUMBER.findall(_plainly(value))
    if _DATE.fullmatch(value):
        numbers, text = re.findall(r"\d+", value), _MONTH.sub(lambda month: _MONTHS[month[0]], text)
    said = [str(number) for number in numbers_of([text])]
    return bool(numbers) and all(
        any(not unknown_numbers(one, [number], counts=False) for one in said) for number in numbers
    )
