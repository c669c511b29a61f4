"""Where a catalogue's APIs were imported from."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from toolquiver.errors import CatalogError

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

    @property
    def name(self) -> str:
        """What the source is called: its key without the kind."""
        return self.key.partition(":")[2]


def put(connection: sqlite3.Connection, source: Source) -> None:
    """Remember a source, or what has changed about it."""
    connection.execute(
        "INSERT INTO source (key, kind, location, settings) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (key) DO UPDATE SET kind = ?2, location = ?3, settings = ?4",
        (source.key, source.kind, source.location, json.dumps(source.settings, sort_keys=True)),
    )


def forget(connection: sqlite3.Connection, key: str) -> None:
    """Forget a source; its APIs are no matter of this."""
    connection.execute("DELETE FROM source WHERE key = ?", (key,))


def sizes(connection: sqlite3.Connection) -> dict[str, int]:
    """How many APIs each source has, those that were not imported too, by key; "" is none."""
    found = connection.execute("SELECT source, count(*) AS apis FROM api GROUP BY source ORDER BY min(key)")
    return {row["source"]: row["apis"] for row in found}


def all_of(connection: sqlite3.Connection) -> list[Source]:
    """The sources, by key."""
    found = connection.execute("SELECT key, kind, location, settings FROM source ORDER BY key")
    return [Source(**dict(row) | {"settings": json.loads(row["settings"])}) for row in found]


def named(connection: sqlite3.Connection, name: str) -> Source:
    """The source with this key, or the only one that is called so.

    Raises:
        CatalogError: there is none, or more than one.
    """
    known = all_of(connection)
    found = [source for source in known if source.key == name] or [source for source in known if source.name == name]
    if len(found) == 1:
        return found[0]
    keys = ", ".join(source.key for source in found or known)
    if found:
        raise CatalogError(f"More than one source is called {name!r}. Name one of them whole: {keys}.")
    there = f"There are: {keys}." if keys else "Nothing was imported into it."
    raise CatalogError(f"The catalogue has no source {name!r}. {there}")
