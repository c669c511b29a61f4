"""Where a catalogue's APIs were imported from."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

PYTHON = "python"
"""The source of APIs that are Python tools of a program; it is imported from nowhere."""
CALLED = frozenset({"openapi", "mcp", "langchain"})
"""The kinds of sources whose APIs can be called from here."""


class Source(BaseModel):
    """One source, so that its import can be repeated.

    `key` is the `source` of its APIs, `kind` says how `location` (a path or URL, without credentials) is read, and
    `settings` what was said about it. No secret is ever stored here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    kind: str
    location: str = ""
    settings: dict[str, Any] = Field(default_factory=dict)


def put(connection: sqlite3.Connection, source: Source) -> None:
    """Remember a source, or what has changed about it."""
    connection.execute(
        "INSERT INTO source (key, kind, location, settings) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (key) DO UPDATE SET kind = ?2, location = ?3, settings = ?4",
        (source.key, source.kind, source.location, json.dumps(source.settings, sort_keys=True)),
    )


def sizes(connection: sqlite3.Connection) -> dict[str, int]:
    """How many APIs each source has, those that were not imported too, by key; "" is none."""
    found = connection.execute("SELECT source, count(*) AS apis FROM api GROUP BY source ORDER BY min(key)")
    return {row["source"]: row["apis"] for row in found}


def all_of(connection: sqlite3.Connection) -> list[Source]:
    """The sources, by key."""
    found = connection.execute("SELECT key, kind, location, settings FROM source ORDER BY key")
    return [Source(**dict(row) | {"settings": json.loads(row["settings"])}) for row in found]
