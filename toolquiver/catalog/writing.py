"""An API in the catalogue's table, and in the indexes of words and of what it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolquiver.catalog import rows
from toolquiver.catalog.feeds import index_outputs
from toolquiver.catalog.text import indexed

if TYPE_CHECKING:
    import sqlite3

    from toolquiver.catalog.records import API


def write(connection: sqlite3.Connection, api: API, key: int | None = None, digest: str = "") -> int:
    """Store an API with its function name, under a new key or this one; the row's key.

    `digest` is the hash of what its source said. Vectors are made of many APIs at once, by `vectors.store`.
    """
    stored = rows.insert(connection, api, key, digest)
    rows.index(connection, stored, indexed(api))
    index_outputs(connection, stored, api)
    return stored
