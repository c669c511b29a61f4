"""The sign of a coordinate: a small model writes 31.80 S as 31.8."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from toolquiver.catalog.text import spaced

_COORDINATE = re.compile(r"\b(?:lat|lon|lng)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])([-\N{MINUS SIGN}]?)(\d+\.\d+)")
_PLACE = re.compile(
    r"(?<![-\N{MINUS SIGN}\d.])(\d+(?:\.\d+)?)\s*(?:°|degrees)?\s*(?:([NE]|(?i:north|east))|([SW]|(?i:south|west)))\b"
)


def signed(arguments: dict[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """The arguments, coordinates with the sign of the hemisphere that the texts give their number.

    A minus counts, whatever hemisphere a small model names after it. A number that the texts give in both, or in none,
    keeps its sign.
    """
    signs: dict[float, set[int]] = {}
    for text in texts:
        for number, positive, _ in _PLACE.findall(text):
            signs.setdefault(float(number), set()).add(1 if positive else -1)
    written = {found for text in texts for found in _NUMBER.findall(_PLACE.sub(" ", text))}
    for minus, number in written:
        if minus and ("", number) not in written:
            signs.setdefault(float(number), set()).add(-1)
    return {name: _with_sign(name, value, signs) for name, value in arguments.items()}


def _with_sign(name: str, value: Any, signs: dict[float, set[int]]) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not _COORDINATE.search(spaced(name)):
        return value
    known = signs.get(float(abs(value)), set())
    return abs(value) * known.pop() if len(known) == 1 else value
