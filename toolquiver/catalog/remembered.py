"""What was read lately: to read it again takes longer than to see that nobody has written since."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from toolquiver.catalog.records import API, ApiId

MOST = 4_096
"""How many APIs, or entries of a list, are remembered: agents work with a few hundred, an export reads all."""
_LISTS = 64  # agents that look through one category all search it for the same query

Asked = tuple[object, ...]
"""What was searched for or listed, and where."""


class Remembered:
    """APIs and lists of a catalogue, as long as it is as it was then.

    `apis` are by the documentation that they are shown with, and their id.
    """

    def __init__(self) -> None:
        self.apis: dict[tuple[str, ApiId], API] = {}
        self._lists: OrderedDict[Asked, Sequence[Any]] = OrderedDict()
        self._state: tuple[int, int] | None = None

    def now(self, connection: sqlite3.Connection) -> Remembered:
        """This, without what was read before the last change."""
        state = version(connection)
        if state != self._state or len(self.apis) > MOST:
            self.clear()
            self._state = state
        return self

    def found(self, asked: Asked) -> list[Any] | None:
        """What was found for this, if it is remembered."""
        found = self._lists.get(asked)
        return None if found is None else list(found)

    def keep(self, asked: Asked, found: Sequence[Any]) -> None:
        """Remember what was found for this unless it is very long, and forget the oldest where there are too many."""
        if len(found) > MOST:
            return
        self._lists[asked] = tuple(found)
        if len(self._lists) > _LISTS:
            self._lists.popitem(last=False)

    def clear(self) -> None:
        """Forget all."""
        self.apis.clear()
        self._lists.clear()


def version(connection: sqlite3.Connection) -> tuple[int, int]:
    """The file's version: it changes with every write, by this connection or another."""
    (others,) = connection.execute("PRAGMA data_version").fetchone()
    return others, connection.total_changes
