"""Tools that can take the day a task names: to ask one that cannot is to answer something else."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from toolquiver.catalog import API, Parameter
from toolquiver.catalog.text import spaced

_MONTHS = "|".join(name for name in calendar.month_name if name)
_DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})\b|\b(?:{_MONTHS})\s+\d{{1,2}}(?!\d)|\b\d{{4}}-\d\d-\d\d\b",
    re.IGNORECASE,
)
_ZONE = re.compile(r"\btime ?zones?\b")
_WORD = re.compile(r"[a-z]+")
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
    return [api for api in apis if any(map(_may_be_a_day, api.parameter_list()))] if _DAY.search(task) else []


def _may_be_a_day(parameter: Parameter) -> bool:
    """By its words; text of which nothing is said may be anything."""
    words = set(_WORD.findall(_ZONE.sub(" ", spaced(f"{parameter.name} {parameter.description}").lower())))
    return bool(words & _TAKEN)
