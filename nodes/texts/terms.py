"""The terms of a text: its words, and its numbers and times whole, so that 8,848 is neither an 8 nor an 848."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from toolquiver.catalog.text import content_words
from toolquiver.nodes.texts.grounding import clocks, invented, is_count

_TIME = re.compile(r"(?<![\d:])\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\d:])")
_DOTTED = re.compile(r"(?<![\w.])\d+(?:\.\d+){2,}(?!\w|\.\w)")  # an address, a version
_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?!\d|[.,]\d)")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def terms(text: str) -> set[str]:
    """The words that carry what a text is about, in lower case, its numbers without separators, its times as `9:05`.

    Times stand on a twelve-hour clock, to the minute and to the nearest minute.
    """
    found = {f"{hour}:{minute:02}" for hour, minute in clocks(text)}
    rest = _TIME.sub(" ", text)
    found |= set(_DOTTED.findall(rest))
    rest = _DOTTED.sub(" ", rest)
    found |= {_plainly(number) for number in _NUMBER.findall(rest)}
    return found | set(content_words(_NUMBER.sub(" ", rest)))


def rounded_from(numbers: Iterable[str], text: str) -> bool:
    """Whether one of these terms is a number that the text has, as it is or not rounded; a count says too little."""
    return any(
        not is_count(Decimal(number)) and not invented(number, [text]) for number in numbers if _PLAIN.fullmatch(number)
    )


def _plainly(number: str) -> str:
    plain = number.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
