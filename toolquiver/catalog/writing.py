"""The changes that one transaction makes: rows, and the indexes of words, of meaning and of what APIs return."""

from __future__ import annotations

import sqlite3

from toolquiver.catalog import rows
from toolquiver.catalog.feeds import index_outputs
from toolquiver.catalog.index.writer import Writer
from toolquiver.catalog.records import API, ApiId


class Changes:
    """Stores and removes APIs. At the end, in the same transaction, comes `finish`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._index = Writer(connection)

    def add(self, api: API, digest: str = "", *, key: int | None = None) -> None:
        """Store an API with its function name, under a new key or this one.

        `digest` is the hash of what its source said.
        """
        tool = rows.tool_key(self._connection, api)
        document = self._index.add(tool, api)
        stored = rows.insert(self._connection, api, tool, document, key=key, digest=digest)
        index_outputs(self._connection, stored, api)

    def remove(self, api_id: ApiId) -> int:
        """Remove an API that is there, and at the end its tool when that was the last one; the key of its row."""
        key, tool, document = rows.delete(self._connection, api_id)
        self._index.remove(tool, document)
        return key

    def replace(self, api: API, digest: str = "") -> None:
        """Store an API in the place of the one with its id."""
        self.add(api, digest, key=self.remove(api.id))

    def finish(self) -> None:
        """Write what the index still holds back."""
        self._index.finish()
