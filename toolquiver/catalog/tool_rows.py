"""The rows of tools, made as their APIs are stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from toolquiver.catalog.records import API

_REMEMBERED = 50_000

_ONLY = """
SELECT key FROM tool WHERE category = ? AND name = ? AND description != ?
AND NOT EXISTS (SELECT 1 FROM api WHERE api.tool = tool.key AND api.source != ?)
"""


class ToolRows:
    """The keys of tools during one transaction, in which nothing else changes their rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, str], tuple[int, str]] = {}

    def key(self, api: API) -> int:
        """The row of the API's tool, which is made when it is new, and described as the API's source does."""
        place = (api.category, api.tool)
        if (found := self._known.get(place)) is None:
            found = self._stored(place) or self._made(place, api.tool_description)
            self._remember(place, found)
        key, description = found
        if api.tool_description and api.tool_description != description:
            self._connection.execute("UPDATE tool SET description = ? WHERE key = ?", (api.tool_description, key))
            self._remember(place, (key, api.tool_description))
        return key

    def describe(self, said: Mapping[tuple[str, str], str], source: str) -> list[int]:
        """Describe these tools (category, name) so where no other source has APIs of them; the rows that this changes.

        What a source takes back, or said before another that is gone, no API tells that is stored anew.
        """
        changed = list[int]()
        for place, description in said.items():
            for row in self._connection.execute(_ONLY, (*place, description, source)).fetchall():
                self._connection.execute("UPDATE tool SET description = ? WHERE key = ?", (description, row["key"]))
                self._remember(place, (row["key"], description))
                changed.append(row["key"])
        return changed

    def _remember(self, place: tuple[str, str], found: tuple[int, str]) -> None:
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[place] = found

    def _stored(self, place: tuple[str, str]) -> tuple[int, str] | None:
        row = self._connection.execute(
            "SELECT key, description FROM tool WHERE category = ? AND name = ?", place
        ).fetchone()
        return None if row is None else (row["key"], row["description"])

    def _made(self, place: tuple[str, str], description: str) -> tuple[int, str]:
        new = self._connection.execute(
            "INSERT INTO tool (category, name, description) VALUES (?, ?, ?)", (*place, description)
        )
        assert new.lastrowid is not None
        return new.lastrowid, description
