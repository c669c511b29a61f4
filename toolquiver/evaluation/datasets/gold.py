"""The gold APIs of a question, those that the catalogue lacks named apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from toolquiver.catalog import ApiId


class Gold(NamedTuple):
    """The gold APIs once each, the gold path, and labels.

    An API that the catalogue lacks is named in the label `missing`; then there is no path, for no system can take it.
    """

    apis: tuple[ApiId, ...]
    path: tuple[ApiId, ...] | None
    labels: dict[str, JsonValue]


def gold_of(named: Iterable[tuple[str, ApiId | None]]) -> Gold:
    """The gold of names in their order, each with its id, None where the catalogue has none."""
    known = list(named)
    path = tuple(id_ for _, id_ in known if id_ is not None)
    missing: list[JsonValue] = [name for name, id_ in known if id_ is None]
    return Gold(tuple(dict.fromkeys(path)), None if missing else path, {"missing": missing} if missing else {})


def gold_by_name(called: Iterable[str], names: Mapping[str, ApiId]) -> Gold:
    """The gold of names that the catalogue has ids for."""
    return gold_of((name, names.get(name)) for name in called)
