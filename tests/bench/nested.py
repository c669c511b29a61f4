"""Nested calls as data: their parts, how deep they are, and when two values are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

_MIDNIGHT = re.compile(r"(?<=\d{4}-\d\d-\d\d)t00:00(?::00)?$")


class Nested(NamedTuple):
    """A call, its arguments values or calls themselves; `field` is what the one above takes of its output.

    `also` has arguments with which a gold call is as right as without them.
    """

    api: str
    arguments: dict[str, Any]
    field: str = ""
    also: Mapping[str, Any] = MappingProxyType({})


def same(left: Any, right: Any) -> bool:
    """Whether two values are one. Spelling of case does not count, and a day is its beginning."""
    return _plain(left) == _plain(right)


def _plain(value: Any) -> str:
    return _MIDNIGHT.sub("", str(value).strip().lower())


def calls_of(call: Nested) -> Iterator[Nested]:
    """All its calls, those first that others take from."""
    for value in call.arguments.values():
        if isinstance(value, Nested):
            yield from calls_of(value)
    yield call


def level_of(call: Nested) -> int:
    """How deep the call is nested: 0 where it takes from no other, as the paper counts (3, data set)."""
    return max((level_of(value) + 1 for value in call.arguments.values() if isinstance(value, Nested)), default=0)
