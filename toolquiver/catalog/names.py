"""Function names: what models call an API, unique in a catalogue."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from toolquiver.catalog.records import API

_LONGEST = 64


def function_name(text: str) -> str:
    """`text` as a name that every provider takes: `^[a-zA-Z0-9_-]{1,64}$`."""
    return re.sub(r"[^a-zA-Z0-9_-]+", "_", text).strip("_")[:_LONGEST] or "api"


def free_name(connection: sqlite3.Connection, api: API) -> str:
    """A name nobody has yet: the API's own, else with its tool's before it, else with a piece of its id's hash."""
    for name in _names(api):
        if connection.execute("SELECT 1 FROM api WHERE function = ?", (name,)).fetchone() is None:
            return name
    raise AssertionError("a SHA-256 hash was taken")


def _names(api: API) -> Iterator[str]:
    plain = function_name(api.name)
    yield plain
    yield function_name(f"{api.tool}_{api.name}")
    digest = hashlib.sha256(api.id.encode()).hexdigest()
    yield f"{plain[: _LONGEST - 9]}_{digest[:8]}"
    yield digest[:_LONGEST]
