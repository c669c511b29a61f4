"""Function names: what models call an API, unique in a catalogue."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from toolquiver.catalog import rows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from toolquiver.catalog.records import API

AGENTS_OWN = frozenset(
    {
        *("call", "give_answer", "give_up", "give_up_and_restart", "tool_register", "tool_unregister"),
        *("api_docs", "search_apis", "show_result"),
    }
)
"""What agents call beside APIs: no API gets one of these names, so that a call means one thing."""

_OTHERS = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST = 64
_FROM = "SELECT key, name, function FROM api WHERE key >= ? ORDER BY key LIMIT 1000"


def function_name(text: str) -> str:
    """`text` as a name that every provider takes: `^[a-zA-Z0-9_-]{1,64}$`."""
    return _OTHERS.sub("_", text).strip("_")[:_LONGEST] or "api"


def free_names(connection: sqlite3.Connection, apis: Sequence[API]) -> list[str]:
    """A name for each that nobody has yet, nor one before it.

    The API's own, else with its tool's before it, else with a piece of its id's hash.
    """
    plain = [function_name(api.name) for api in apis]
    count, there = Counter(plain), _taken(connection, plain)
    wanted_twice = [api for api, name in zip(apis, plain, strict=True) if count[name] > 1 or name in there]
    seconds = {_with_tool(api) for api in wanted_twice}
    likely, taken = seconds.union(plain), there | _taken(connection, seconds)
    found = []
    for api, first in zip(apis, plain, strict=True):
        name = next(
            name
            for name in _names(api, first)
            if name not in taken and (name in likely or not _taken(connection, [name]))
        )
        taken.add(name)
        found.append(name)
    return found


def name_again(connection: sqlite3.Connection, first: int) -> None:
    """Give APIs, those with keys from `first` on, the names that others have left free meanwhile."""
    while found := connection.execute(_FROM, (first,)).fetchall():
        for row in found:
            if row["function"] != function_name(row["name"]):
                _name_again(connection, rows.by_key(connection, row["key"]), row["key"])
        first = found[-1]["key"] + 1


def _name_again(connection: sqlite3.Connection, api: API, key: int) -> None:
    wanted = _names(api, function_name(api.name))
    best = next(name for name in wanted if name == api.function or not _taken(connection, [name]))
    if best != api.function:
        connection.execute("UPDATE api SET function = ? WHERE key = ?", (best, key))


def _with_tool(api: API) -> str:
    return function_name(f"{api.tool}_{api.name}")


def _taken(connection: sqlite3.Connection, wanted: Iterable[str]) -> set[str]:
    """Those of these names that APIs have, or agents' own functions."""
    names = set(wanted)
    rows = connection.execute(
        "SELECT function FROM api WHERE function IN (SELECT value FROM json_each(?))", (json.dumps(sorted(names)),)
    )
    return {row["function"] for row in rows} | (AGENTS_OWN & names)


def _names(api: API, plain: str) -> Iterator[str]:
    yield plain
    yield _with_tool(api)
    digest = hashlib.sha256(api.id.encode()).hexdigest()
    yield f"{plain[: _LONGEST - 9]}_{digest[:8]}"
    yield digest[:_LONGEST]
