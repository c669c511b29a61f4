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

from toolquiver.catalog import API

Shape = TypeVar("Shape", bound=BaseModel)

_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3}(?!\d))?")
# Numbers as small as these are counted, or written as words.
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ROUNDABLE, _PLACES = 10**12, 15  # beyond, rounding would need more digits than a Decimal keeps
# 15% may be written 15 or 0.15, and 1.5 million 1500000.
_SHARES = (Decimal(1), Decimal(100), Decimal("0.01"), Decimal(1000), Decimal(1000000))
_NOON = 12  # 9 pm is 21


def invented(text: str, sources: Iterable[str]) -> list[str]:
    """The numbers of `text` that neither stand in the sources nor are one of theirs rounded to fewer decimals."""
    return _unknown(text, list(sources), counts=True)


def invented_arguments(api: API, arguments: dict[str, Any], sources: Iterable[str]) -> list[str]:
    """The names of the arguments that are a number, or a list with one, which the sources do not have.

    Small counts may be a model's own, but no measure: what an API takes as a `number` must be known. A parameter's
    default is never invented.
    """
    given = list(sources)
    return [
        parameter.name
        for parameter in api.parameter_list()
        if (value := arguments.get(parameter.name)) is not None
        and value != parameter.schema_.get("default")
        and any(_unknown(text, given, counts="integer" in str(parameter.schema_)) for text in _numeric(value))
    ]


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


def _unknown(text: str, sources: list[str], *, counts: bool) -> list[str]:
    known = {number for source in sources for found in _NUMBER.findall(source) for number in _readings(found)}
    known |= {Decimal(n) for source in sources for n, word in enumerate(_WORDS) if word in source.lower().split()}
    return [
        found
        for found in _NUMBER.findall(text)
        if not any(_known(number, known) or (counts and _is_count(number)) for number in _readings(found))
    ]


def _readings(found: str) -> set[Decimal]:
    """`1,234` is one number with its thousands marked, or two in a list without spaces."""
    return {Decimal(found.replace(",", "")), *(Decimal(part) for part in found.split(","))}


def _is_count(number: Decimal) -> bool:
    return number < len(_WORDS) and number == number.to_integral_value()


def _known(number: Decimal, known: set[Decimal]) -> bool:
    places = max(0, -int(number.as_tuple().exponent))
    return any(
        number == source * share
        or number == source + _NOON <= 2 * _NOON
        or (0 < places <= _PLACES and source < _ROUNDABLE and round(source, places) == number)
        for source in known
        for share in _SHARES
    )


def _numeric(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for part in value for text in _numeric(part)]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    return [format(Decimal(repr(abs(value))), "f")]
