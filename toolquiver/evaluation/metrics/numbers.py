"""Numbers in an answer's text, against a gold number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite

TOLERANCE = 0.001
"""FuncQA's: 0.1 percent of the gold (easytool.txt, 5.3)."""

_PLAIN = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{MULTIPLICATION SIGN}": "x"})
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_GROUPING = re.compile(r"[,\u00a0\u2009\u202f]")  # by a plain blank stand the numbers of a list
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_NUMBER = re.compile(
    r"(?<=[A-Za-z}])\s?\^\s?(?:\{[^{}]*\}|-?\d+(?:\.\d+)?)"  # cm^2: read over, as the power of a unit is no number
    r"|(?<![\w.])(?P<sign>-\s?)?[$€£]?\s?"
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+|[1-9]\d{0,2}(?:[\u00a0\u2009\u202f]\d{3})+(?!,?\d)|\d+)(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?:[x*]|\\times)\s?10(?:\s?\^\s?\{?(?P<power>-?\d{1,3})\}?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))"
    r"|[eE](?P<exponent>[-+]?\d{1,3}))?"
    r"(?:(?P<percent>\s?%)|[\s-]?(?P<scale>(?i:thousand|million|billion))\b)?",
)


def is_close(value: float, gold: float, tolerance: float = TOLERANCE) -> bool:
    """Whether a value is within this share of the gold."""
    return abs(value - gold) <= tolerance * abs(gold)


def numbers_in(text: str) -> list[tuple[float, ...]]:
    """The numbers of a text in their order, each with all that it may mean: 3.2% is 3.2 and 0.032.

    So is 5.4 million also 5.4, as a question may ask how many millions. A unit's power, as in `cm^2`, does not count.
    """
    return [values for match in _NUMBER.finditer(text.translate(_PLAIN)) if (values := tuple(_values(match)))]


def final_number_is(text: str, gold: float, *, asked: str = "") -> bool:
    """Whether the last number of an answer is the gold (easytool.txt, 5.3, FuncQA's accuracy).

    Numbers that stand in the question `asked` are passed over, because answers repeat it; where the answer has no
    others, the last one counts.
    """
    given = {value for values in numbers_in(asked) for value in values}
    found = numbers_in(text)
    own = [values for values in found if values[0] not in given] or found
    return bool(own) and any(is_close(value, gold) for value in own[-1])


def has_number(text: str, gold: float) -> bool:
    """Whether any number of an answer is the gold: our own, more lenient reading, in which working counts too."""
    return any(is_close(value, gold) for values in numbers_in(text) for value in values)


def _values(match: re.Match[str]) -> Iterator[float]:
    if match["digits"] is None:
        return
    power = match["power"] or match["exponent"] or (match["raised"] or "0").translate(_RAISED)
    value = float(f"{_GROUPING.sub('', match['digits'])}e{power}") * (-1 if _is_negative(match) else 1)
    if isfinite(value):
        if match["scale"]:
            yield value * _SCALES[match["scale"].lower()]
        yield value
        if match["percent"]:
            yield value / 100


def _is_negative(match: re.Match[str]) -> bool:
    """A sign before a number is one unless it joins two numbers, as in `3-5`."""
    before = match.string[: match.start()].rstrip()[-1:]
    return match["sign"] is not None and not (before.isdigit() or before == ")")
