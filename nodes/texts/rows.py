"""Rows of a response that are of another month than a task asks for: a small model tells all of them."""

from __future__ import annotations

import calendar
import json
import re
from typing import Any

from toolquiver.json_texts import parsed
from toolquiver.nodes.texts.parts import asks, sentences

_MONTHS = [name for name in calendar.month_name if name]
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")  # "may" is a verb, too
_ASKED = re.compile(
    rf"\b(?:in|of|during|for|throughout) ({'|'.join(_MONTHS)})\b(?! \d{{1,2}}(?!\d)| [A-Z])(?:,? (?:of )?(\d{{4}})\b)?"
)
_DAY = re.compile(r"\d(?:st|nd|rd|th)? of\Z")
# Of these, or of two months, nobody knows which rows are meant.
_OTHERWISE = re.compile(
    r"\b(?:after|as of|before|begin\w*|besides|between|but|by|chang\w+|clos\w+|compar\w+|end|ends|except|f[ae]ll|from"
    r"|highest|lowest|nearest|next|not|other|outside|over|passed|previous|rank\w*|rises?|rose|since|start\w*|than|through"
    r"|till?|until|without)\b",
    re.IGNORECASE,
)
_NOT_OF_A_ROW = re.compile(r"birth|born|creat|dob|modif|updat", re.IGNORECASE)
_DATE = re.compile(r"(\d{4}-\d\d)-\d\d(?!\d)")
_FEWEST = 2


def of_its_month(task: str, observation: str) -> str:
    """The response, JSON, without the rows of its lists that lie outside the one month that the task names.

    Rows have dates as ISO writes them; one of several dates lies between the first and the last. A list stays whole
    where a row has no date, or none or all of them are of that month.
    """
    asked = next(filter(None, map(_ASKED.search, filter(asks, sentences(task)))), None)
    if not asked or _DAY.search(asked.string, 0, asked.start(1) - 1):
        return observation
    if len(_MONTH.findall(task)) > 1 or _OTHERWISE.search(task):
        return observation
    try:
        data = parsed(observation)
    except ValueError:
        return observation
    month = f"{asked[2] or ''}-{_MONTHS.index(asked[1]) + 1:02}"
    kept = _kept(data, month)
    return observation if kept == data else json.dumps(kept, ensure_ascii=False)


def _kept(data: Any, month: str) -> Any:
    if isinstance(data, dict):
        return {name: _kept(value, month) for name, value in data.items()}
    if not isinstance(data, list):
        return data
    dates = [_months(row) for row in data]
    own = [row for row, months in zip(data, dates, strict=True) if _lies_in(months, month)]
    return own if len(data) >= _FEWEST and all(dates) and own else [_kept(row, month) for row in data]


def _months(row: Any) -> list[str]:
    """The months of a row's own dates, YYYY-MM."""
    fields = row.items() if isinstance(row, dict) else [("", row)]
    values = [value for name, value in fields if isinstance(value, str) and not _NOT_OF_A_ROW.search(name)]
    return sorted(match[1] for value in values if (match := _DATE.match(value)))


def _lies_in(months: list[str], asked: str) -> bool:
    """Whether a row's months have the asked one, -MM or YYYY-MM, or lie around it."""
    if not months:
        return False
    first, last = months[0], months[-1]
    years = {first[:4], last[:4]} if asked.startswith("-") else {""}
    return any(first <= f"{year}{asked}" <= last for year in years)
