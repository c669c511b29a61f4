"""How long something lasts, or is away, as a text says it: `5 minutes`, `two weeks`, `1 hour and 30 minutes`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from toolquiver.nodes.texts.number_words import NUMBER_WORDS

_NUMBERS = NUMBER_WORDS | {"a": Decimal(1), "an": Decimal(1), "half an": Decimal("0.5")}
_DAY = 86_400
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": _DAY, "n": _DAY, "w": 7 * _DAY}
"""How many seconds a unit has, by its first letter."""
_SPAN = re.compile(
    rf"(?<![\w.,])(\d{{1,9}}(?:\.\d{{1,9}})?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})[\s-]?"
    r"(seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|nights?|weeks?)(?!\w)",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r",?\s(?:and\s)?")
_BEFORE = re.compile(r"\s(?:before|earlier|ago|prior)\b", re.IGNORECASE)


def in_other_units(text: str) -> Iterator[tuple[str, Decimal]]:
    """How many seconds, minutes, hours, days and weeks the spans of a text are, each with how the span is written."""
    units = sorted(set(_SECONDS.values()))
    return ((text[begin:end], seconds / unit) for begin, end, seconds in _spans(text) for unit in units)


def days_away(text: str) -> Iterator[int]:
    """How many whole days the spans of a text are, below zero where it goes back."""
    for _, end, seconds in _spans(text):
        if not seconds % _DAY:
            yield int(seconds) // _DAY * (-1 if _BEFORE.match(text, end) else 1)


def _spans(text: str) -> Iterator[tuple[int, int, Decimal]]:
    """Where each span begins and ends, alone and with those right before it, and the seconds that it has."""
    begin, end, seconds = 0, 0, Decimal(0)
    for match in _SPAN.finditer(text):
        number = match[1].lower()
        own = (Decimal(number) if number[0].isdigit() else _NUMBERS[number]) * _SECONDS[match[2][0].lower()]
        yield match.start(), match.end(), own
        if _TOGETHER.fullmatch(text, end, match.start()):
            seconds += own
            yield begin, match.end(), seconds
        else:
            begin, seconds = match.start(), own
        end = match.end()
