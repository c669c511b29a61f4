"""Numbers that a model copied short: taken as the tools gave them, by reference as it were.

A small model writes 0.17 where a tool returned 0.174412, and what is computed with that is wrong by two percent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

_NUMBER = re.compile(r"(?<![\w.])(?<!\d,)-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?(?!\w|[.,]\d)")
_ROUNDED = re.compile(r"\b(?:round\w*|nearest|decimals?|approximate\w*|about|whole|integer|places)\b", re.IGNORECASE)
_LOSS = Decimal("0.0005")  # a share: what an answer may lose by being written short
_DIGITS = 6  # significant ones, of what is written in its place


def arguments_in_full(arguments: dict[str, Any], said: str, observations: Iterable[str]) -> dict[str, Any]:
    """The arguments, each number that is short for one of the observations' as that is.

    What the user has `said` stays, and what is short for several.
    """
    given, found = set(_numbers([said])), _numbers(observations)
    return {name: _value(value, given, found) for name, value in arguments.items()} if found else arguments


def text_in_full(text: str, asked: str, observations: Iterable[str]) -> str:
    """The text, each number that is too short for one of the observations' as that is, to six digits.

    Too short is what has lost more than a twentieth of a percent. Where rounding is `asked` for, all stays.
    """
    if _ROUNDED.search(asked):
        return text
    given, found = set(_numbers([asked])), _numbers(observations)

    def longer(match: re.Match[str]) -> str:
        short = Decimal(match[0])
        whole = None if short in given else _meant(short, found)
        return match[0] if whole is None or abs(whole - short) <= _LOSS * abs(whole) else f"{whole:.{_DIGITS}g}"

    return _NUMBER.sub(longer, text)


def _value(value: Any, given: set[Decimal], found: list[Decimal]) -> Any:
    if isinstance(value, list):
        return [_value(part, given, found) for part in value]
    if not isinstance(value, float):
        return value
    short = Decimal(repr(value))
    whole = None if short in given else _meant(short, found)
    return value if whole is None else float(whole)


def _meant(short: Decimal, found: list[Decimal]) -> Decimal | None:
    """The one number of those found that this is short for, to its last digit; None for a whole number."""
    if not short.is_finite() or short == short.to_integral_value() or short in found:
        return None
    last = Decimal(1).scaleb(int(short.as_tuple().exponent))
    meant = {number for number in found if abs(number - short) < last}
    return meant.pop() if len(meant) == 1 else None


def _numbers(texts: Iterable[str]) -> list[Decimal]:
    return [Decimal(match[0]) for text in texts for match in _NUMBER.finditer(text)]
