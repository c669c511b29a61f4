"""Tools and inputs that can take the day a task names: to ask one that cannot is to answer something else."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from typing import Any

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.fits import RESULTS
from toolquiver.catalog.outputs import Field, fields_of, kinds
from toolquiver.catalog.text import spaced

_MONTHS = "|".join(name for name in calendar.month_name if name)
DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})\b|\b(?:{_MONTHS})\s+\d{{1,2}}(?!\d)|\b\d{{4}}-\d\d-\d\d\b",
    re.IGNORECASE,
)
"""A day of a month, or a date."""
_FORM = re.compile(r"\bYYYY(?:-MM(?:-DD)?)?")
_WHOLE = "YYYY-MM-DD"
_FORMATS = ("date", "date-time")  # of JSON Schema: they begin with a day
_DIGIT = re.compile(r"\d")
_OF_TIME = re.compile(rf"(?:{_MONTHS}|{'|'.join(calendar.day_name)})(?: \d{{4}})?", re.IGNORECASE)
_PLACES = frozenset("city continent country county district location place province region state town".split())
_ZONE = re.compile(r"\btime ?zones?\b")
_WORD = re.compile(r"[a-z]+")
_PARTS = {"month", "year"}  # of a day
_TAKEN = {
    "at",
    "date",
    "dates",
    "datetime",
    "day",
    "days",
    "iso",
    "moment",
    "month",
    "time",
    "timestamp",
    "when",
    "year",
}


def taking_its_day(apis: Sequence[API], task: str) -> list[API]:
    """Of these the APIs with an input that a day fits; none where the task names no day."""
    return [api for api in apis if any(map(_may_be_a_day, api.parameter_list()))] if DAY.search(task) else []


def names_a_day(text: str) -> bool:
    """Whether a day of a month is in the text."""
    return bool(DAY.search(text))


def takes_a_day(parameter: Parameter) -> bool:
    """Whether a parameter's schema or description says that it is a whole day, or begins with one."""
    return parameter.schema_.get("format") in _FORMATS or _WHOLE in _FORM.findall(parameter.description)


def gives_no_day(api: API) -> bool:
    """Whether an API returns no text that may be a day by its name: the day of a month is a number."""
    return api.output is not None and not any(map(_may_hold_a_day, fields_of(api.output)))


def _may_hold_a_day(field: Field) -> bool:
    words = set(_WORD.findall(spaced(field.name).lower()))
    named = not field.name or bool(words & (_TAKEN - _PARTS | RESULTS)) or field.schema.get("format") in _FORMATS
    return named and bool(kinds(field.schema) & {"string"} or not kinds(field.schema))


def is_no_day(value: Any, parameter: Parameter) -> bool:
    """Whether a value is no day where the schema's format is one."""
    return parameter.schema_.get("format") in _FORMATS and not _has_form(value, [_WHOLE])


def is_no_place(value: Any, parameter: Parameter) -> bool:
    """Whether a value names a month or day where a place is wanted, by the parameter's name: the region `May`."""
    words = set(_WORD.findall(spaced(parameter.name).lower()))
    named = isinstance(value, str) and bool(_OF_TIME.fullmatch(value.strip()))
    return named and bool(words & _PLACES) and not words & _TAKEN


def another_form(value: Any, parameter: Parameter) -> str:
    """The form that the description gives for a day, where the value has another one; else empty."""
    forms = _FORM.findall(parameter.description)
    return "" if not forms or _has_form(value, forms) else str(forms[0])


def _has_form(value: Any, forms: Sequence[str]) -> bool:
    """Whether a text begins as one of the forms says; `today`, which has no number, may be another way to say it."""
    if not isinstance(value, str) or not _DIGIT.search(value):
        return True
    return any(re.match(re.sub("[YMD]", r"\\d", form), value) for form in forms)


def _may_be_a_day(parameter: Parameter) -> bool:
    """By its words; text of which nothing is said may be anything."""
    words = set(_WORD.findall(_ZONE.sub(" ", spaced(f"{parameter.name} {parameter.description}").lower())))
    return bool(words & _TAKEN)
