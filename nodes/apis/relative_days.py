"""Days that are named by how far off they are: no API takes `tomorrow`, and no model knows which day it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from toolquiver.catalog import Parameter
from toolquiver.context import Context
from toolquiver.nodes.apis.dated import DAY, takes_a_day
from toolquiver.nodes.texts.parts import QUOTED

_OFF = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tonight": 0,
    "the day after tomorrow": 2,
    "tomorrow": 1,
}
_WORDS = re.compile(rf"\b(?:{'|'.join(_OFF)})\b", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PAIR = 2
_FROM_TODAY = re.compile(
    rf"\b(?:ago|how old (?:am|are|is))\b|\b(?:since|until|till)\s+(?:the\s+)?(?:{DAY.pattern})", re.IGNORECASE
)
_FROM_ANOTHER = re.compile(r"\b(?:from|between)\b", re.IGNORECASE)
_WITH_A_TIME = re.compile(r"DD\W?T?\W?[hH]{2}|date-?time", re.IGNORECASE)


def days_for(
    arguments: Mapping[str, Any],
    parameters: Sequence[Parameter],
    doubtful: Collection[str],
    texts: Sequence[str],
    context: Context,
) -> dict[str, str]:
    """The dates, by input, for the words among the arguments that name a day by how far off it is.

    The call's only input of a day, if it is needed or the day is another than today, has the one that the texts name,
    where it is lacking or `doubtful`. Of two inputs, where a date is named too and both have that one, or only one has,
    the first has the earlier day; since or until a date means to today, unless the other input is to come from an API
    (None, and doubtful). The first text that names days at all counts, and only one that is so far off.
    """
    takers = [one for one in parameters if takes_a_day(one) and not _takes_a_time(one)]
    words = {one.name: str(arguments[one.name]).lower() for one in takers if _is_word(arguments.get(one.name))}
    days = {name: _day(_OFF[word], context) for name, word in words.items()}
    given = {name: value for name, value in arguments.items() if name not in doubtful} | days
    needed = [one for one in takers if one.required] or takers
    off, beside_a_date = _meant(texts)
    if len(needed) == _PAIR and beside_a_date:
        names = [one.name for one in needed]
        if off is None and any(name in doubtful and arguments.get(name) is None for name in names):
            return days  # another API is to give the other day
        return days | _in_order(names, given, _day(off or 0, context))
    if off is None:
        return days
    if len(needed) == 1 and not beside_a_date and needed[0].name not in given and (needed[0].required or off):
        days[needed[0].name] = _day(off, context)
    return days


def _meant(texts: Sequence[str]) -> tuple[int | None, bool]:
    """How far off the one day is that is named so, None for several; and whether one date is beside it.

    Today is beside a date without a word for it, as in "How old is somebody born on 7 May 1988?".
    """
    for text in texts:
        plain = QUOTED.sub(" ", text)
        off, dates = {_OFF[word.lower()] for word in _WORDS.findall(plain)}, len(DAY.findall(plain))
        if off:
            return (off.pop(), dates > 0) if len(off) == 1 else (None, False)
        if dates:
            return None, dates == 1 and bool(_FROM_TODAY.search(plain)) and not _FROM_ANOTHER.search(plain)
    return None, False


def _in_order(names: Sequence[str], given: Mapping[str, Any], day: str) -> dict[str, str]:
    """The day and the one date that is given, for two inputs of days; nothing where both are given, or neither."""
    dates = {given[name] for name in names if name in given}
    if len(dates) != 1 or day in dates or not all(isinstance(one, str) and _DATE.fullmatch(one) for one in dates):
        return {}
    return dict(zip(names, sorted([*dates, day]), strict=True))


def _day(off: int, context: Context) -> str:
    today = date.fromisoformat(context.today) if context.today else date.today()  # noqa: DTZ011 - the user's own day
    return str(today + timedelta(days=off))


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and value.lower() in _OFF


def _takes_a_time(parameter: Parameter) -> bool:
    return bool(_WITH_A_TIME.search(f"{parameter.description} {parameter.schema_.get('format', '')}"))
