"""Numbers that come from nowhere: what a model wrote against what it was given.

A small model invents coordinates rather than look them up, and retypes what a tool returned with a digit wrong.
Both show in the numbers, which code can compare. Words are left alone: a model may know that Portugal is PT.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import BaseModel, create_model, model_validator

Shape = TypeVar("Shape", bound=BaseModel)

_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_SMALL = 12  # numbers up to here are also counted, written as words, or meant as defaults
_ROUNDABLE = 10**12  # beyond, rounding would need more digits than a Decimal keeps
_SHARES = (Decimal(1), Decimal(100), Decimal("0.01"))  # 15% may be written 15 or 0.15


def invented(text: str, sources: Iterable[str]) -> list[str]:
    """The numbers of `text` that neither stand in the sources nor are one of theirs rounded to fewer decimals."""
    known = {number for source in sources for found in _NUMBER.findall(source) for number in _readings(found)}
    return [found for found in _NUMBER.findall(text) if not any(_known(number, known) for number in _readings(found))]


def invented_arguments(arguments: dict[str, Any], sources: Iterable[str]) -> list[str]:
    """The names of the arguments that are a number, or a list with one, which the sources do not have."""
    given = list(sources)
    return [name for name, value in arguments.items() if any(invented(text, given) for text in _numeric(value))]


def faithful(shape: type[Shape], sources: Iterable[str]) -> type[Shape]:
    """`shape`, not valid when one of its texts holds an invented number."""
    given = list(sources)

    class Faithful(shape):  # type: ignore[valid-type, misc]
        @model_validator(mode="after")
        def _invents_nothing(self) -> Faithful:
            text = " ".join(value for _, value in self if isinstance(value, str))
            if found := invented(text, given):
                raise ValueError(f"{', '.join(found)} is not in what you were given; copy the values as they are")
            return self

    return create_model(shape.__name__, __base__=Faithful, __doc__=shape.__doc__)


def _readings(found: str) -> set[Decimal]:
    """`1,234` is one number with its thousands marked, or two in a list without spaces."""
    return {Decimal(found.replace(",", "")), *(Decimal(part) for part in found.split(","))}


def _known(number: Decimal, known: set[Decimal]) -> bool:
    if number <= _SMALL and number == number.to_integral_value():
        return True
    places = max(0, -int(number.normalize().as_tuple().exponent))
    return any(
        number == source * share or (places > 0 and source < _ROUNDABLE and round(source, places) == number)
        for source in known
        for share in _SHARES
    )


def _numeric(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for part in value for text in _numeric(part)]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    return [format(Decimal(repr(abs(value))), "f")]
