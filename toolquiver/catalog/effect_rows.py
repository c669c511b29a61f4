"""The SQL of effects: a column with the effect in force, and a table of what the user has set, which outlives imports.

Both are made with the first write, so that files made before are read as they were.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from toolquiver.catalog.effects import of_stored
from toolquiver.catalog.records import API, ApiId, Effect

_TABLE = """
CREATE TABLE IF NOT EXISTS effect (
    api TEXT NOT NULL,
    source TEXT NOT NULL,
    effect TEXT NOT NULL,
    PRIMARY KEY (api, source)
) WITHOUT ROWID
"""


def add_column(connection: sqlite3.Connection) -> None:
    """Give the APIs of a file that was made before the effects that their methods have."""
    if any(column["name"] == "effect" for column in connection.execute("PRAGMA table_info(api)")):
        return
    connection.execute("ALTER TABLE api ADD COLUMN effect TEXT NOT NULL DEFAULT 'unknown'")
    for (method,) in connection.execute("SELECT DISTINCT method FROM api").fetchall():
        connection.execute("UPDATE api SET effect = ? WHERE method = ?", (of_stored(method), method))


def put(connection: sqlite3.Connection, api: API, effect: Effect) -> None:
    """Store what the user says of an API that is there."""
    add_column(connection)
    connection.execute(_TABLE)
    connection.execute("INSERT OR REPLACE INTO effect VALUES (?, ?, ?)", (api.id, api.source, effect))
    connection.execute("UPDATE api SET effect = ? WHERE id = ?", (effect, api.id))


def set_by_user(connection: sqlite3.Connection, apis: Sequence[API]) -> dict[ApiId, Effect]:
    """What the user has set for those of these APIs for which it did, by id; of another source's API nothing."""
    if not _there(connection):
        return {}
    sources = {api.id: api.source for api in apis}
    listed = json.dumps(list(sources))
    found = connection.execute("SELECT * FROM effect WHERE api IN (SELECT value FROM json_each(?))", (listed,))
    return {row["api"]: row["effect"] for row in found if sources[row["api"]] == row["source"]}


def forget(connection: sqlite3.Connection, *, source: str, api: str | None = None) -> None:
    """Forget what the user has set for the APIs of a source, or for one of them."""
    if _there(connection):
        connection.execute("DELETE FROM effect WHERE source = ?1 AND (?2 IS NULL OR api = ?2)", (source, api))


def _there(connection: sqlite3.Connection) -> bool:
    """Whether the user has set an effect in this catalogue."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'effect'").fetchone()
    return found is not None
