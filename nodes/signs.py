"""The sign of numbers: what speaks of less than zero, and a minus that a model has dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

_LESS = re.compile(
    r"(?<!\w)(?:minus|negative|below|under|south\w*|west\w*|los[est]|losing|loss(?:es)?|less|fewer|lower\w*|fall\w*|fell"
    r"|drop\w*|decreas\w*|reduc\w*|subtract\w*|deduct\w*|refund\w*|withdr[ae]w\w*|remov\w*|down\w*|back\w*|ago|before"
    r"|earlier|prior|previous\w*|past|last|behind|debts?|owe[sd]?|debit\w*|deficit|cold\w*|bce?|sur|sud|süd\w*|oeste|ouest"
    r"|menos|moins|hace|vor|antes|avant)(?!\w)|(?<=[\d°])\s?(?-i:[SW])(?!\w)"
    r"|(?<!\w)[-\N{MINUS SIGN}\N{EN DASH}]\s?\d",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:differ\w*|distance|between|apart|far|absolute|gap)\b", re.IGNORECASE)
# Neither a range, 3-5, nor a part of a date or of a name.
_SIGNED = re.compile(
    r"(?<![\w.,])([-\N{MINUS SIGN}]?)(\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w-]|[.,]\d)"
)


def says_less(sources: Iterable[str]) -> bool:
    """Whether the sources speak of a number below zero: by a minus, or as south, west, before, below, a loss."""
    return any(_LESS.search(source) for source in sources)


def without_minus(text: str, observations: Iterable[str]) -> list[str]:
    """The numbers of `text` that observations have below zero alone, where it has no minus and no word for less.

    How far two things are apart has no sign.
    """
    if says_less([text]) or _BETWEEN.search(text):
        return []
    told = [one for observation in observations for one in _signed(observation)]
    below = {number for sign, number in told if sign} - {number for sign, number in told if not sign}
    return [str(number) for _, number in _signed(text) if number in below and number]


def _signed(text: str) -> Iterator[tuple[str, Decimal]]:
    return ((match[1], Decimal(match[2].replace(",", ""))) for match in _SIGNED.finditer(text))
