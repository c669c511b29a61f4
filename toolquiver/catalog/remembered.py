"""APIs that were read lately: to read one again takes longer than to see that nobody has written since."""

from __future__ import annotations

import sqlite3

from toolquiver.catalog.records import API, ApiId

_MOST = 4_096  # APIs kept; what an agent works with are at most a few hundred

Known = dict[tuple[str, ApiId], API]
"""APIs by the documentation that they are shown with, and their id."""


class Remembered:
    """What was read of a catalogue, as long as it is as it was then."""

    def __init__(self) -> None:
        self.apis: Known = {}
        self._state: tuple[int, int] | None = None

    def of(self, connection: sqlite3.Connection) -> Known:
        """What is remembered of the catalogue as it is now; what is put in is remembered too."""
        (others,) = connection.execute("PRAGMA data_version").fetchone()
        state = (others, connection.total_changes)
        if state != self._state or len(self.apis) > _MOST:
            self.apis.clear()
            self._state = state
        return self.apis
