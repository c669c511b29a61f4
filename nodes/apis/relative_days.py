"""Days that are named by how far off they are: no API takes `tomorrow`, and no model knows which day it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from toolquiver.catalog import Parameter
from toolquiver.context import Context
from toolquiver.nodes.apis.dated import names_a_day, takes_a_day
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
    where it is lacking or `doubtful`. The first text that names days at all counts, and only one day.
    """
    takers = [one for one in parameters if takes_a_day(one) and not _takes_a_time(one)]
    said = {one.name: _OFF[str(arguments[one.name]).lower()] for one in takers if _is_word(arguments.get(one.name))}
    meant = _meant(texts)
    needed = [one for one in takers if one.required] or takers
    if meant is not None and len(needed) == 1:
        (one,) = needed
        lacks = one.name not in arguments or one.name in doubtful
        if lacks and one.name not in said and (one.required or meant):
            said[one.name] = meant
    return {name: str(_today(context) + timedelta(days=off)) for name, off in said.items()}


def _meant(texts: Sequence[str]) -> int | None:
    for text in texts:
        plain = QUOTED.sub(" ", text)
        off = {_OFF[word.lower()] for word in _WORDS.findall(plain)}
        if off or names_a_day(plain):
            return off.pop() if len(off) == 1 and not names_a_day(plain) else None
    return None


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and value.lower() in _OFF


def _takes_a_time(parameter: Parameter) -> bool:
    return bool(_WITH_A_TIME.search(f"{parameter.description} {parameter.schema_.get('format', '')}"))


def _today(context: Context) -> date:
    return date.fromisoformat(context.today) if context.today else date.today()  # noqa: DTZ011 - the user's own day
