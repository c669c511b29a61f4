"""The terms of a text: its words, and its numbers and times whole, so that 8,848 is neither an 8 nor an 848."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from toolquiver.catalog.text import content_words
from toolquiver.nodes.texts.grounding import clocks, invented, is_count

_TIME = re.compile(r"(?<![\d:])\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\d:])")
_DOTTED = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+){2,})(?!\w|\.\w)")  # an address, a version
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d|[.,]\d)")
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?!\d|\.\d)")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_HALF, _PERCENT = Decimal("0.5"), 100


def terms(text: str, *, data: bool = False) -> set[str]:
    """The words that carry what a text is about, in lower case, its numbers without separators, its times as `9:05`.

    Times stand on a twelve-hour clock, to the minute and to the nearest minute. In `data` a comma may also stand
    between two numbers.
    """
    found = {f"{hour}:{minute:02}" for hour, minute in clocks(text)}
    rest = _TIME.sub(" ", text)
    found |= set(_DOTTED.findall(rest))
    rest = _DOTTED.sub(" ", rest)
    grouped = _GROUPED.findall(rest)
    found |= {_plainly(number.replace(",", "")) for number in grouped}
    found |= {_plainly(part) for number in grouped if data for part in number.split(",")}
    rest = _GROUPED.sub(" ", rest)
    found |= {_plainly(number) for number in _DECIMAL.findall(rest)}
    return found | set(content_words(_DECIMAL.sub(" ", rest)))


def rounded_from(numbers: Iterable[str], text: str) -> bool:
    """Whether one of these terms is a number that the text has, as it is or not rounded."""
    return any(_is_rounded(Decimal(number), text) for number in numbers if _PLAIN.fullmatch(number))


def _is_rounded(number: Decimal, text: str) -> bool:
    if not is_count(number):
        return not invented(f"{number:f}", [text])
    fractions = (Decimal(term) for term in terms(text, data=True) if "." in term and _PLAIN.fullmatch(term))
    return any(abs(one - number) <= _HALF or one * _PERCENT == number for one in fractions)


def _plainly(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number
