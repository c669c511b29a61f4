"""The vectors of a catalogue's APIs, kept in its file and held in memory for searching."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolquiver.catalog import meaning
from toolquiver.catalog.text import spaced

if TYPE_CHECKING:
    from toolquiver.catalog.records import API

_LEAST = 0.2  # cosine: below, a text has nothing to do with an API
_BATCH = 4_096
_ALL = """
SELECT api.key, api.name, api.description, tool.name AS tool, vector.value
FROM api JOIN tool ON tool.key = api.tool LEFT JOIN vector ON vector.api = api.key ORDER BY api.key
"""
_SUBSET = """
SELECT api.key FROM api JOIN tool ON tool.key = api.tool
WHERE (?1 IS NULL OR tool.category = ?1) AND (?2 IS NULL OR tool.name = ?2)
"""


def store(connection: sqlite3.Connection, keys: Sequence[int], apis: Sequence[API]) -> None:
    """Keep the vectors of these APIs, two bytes a number; nothing without the extra `dense`."""
    if not meaning.available():
        return
    for first in range(0, len(apis), _BATCH):
        part = meaning.embed([_text(api.tool, api.name, api.description) for api in apis[first : first + _BATCH]])
        values = (row.tobytes() for row in part.astype("float16"))
        connection.executemany("INSERT INTO vector (api, value) VALUES (?, ?)", zip(keys[first:], values, strict=False))


class Index:
    """The vectors of all APIs in memory, read again after a change of the catalogue."""

    def __init__(self) -> None:
        self._state: tuple[int, int] | None = None
        self._keys: Any = None
        self._matrix: Any = None

    def nearest(
        self, connection: sqlite3.Connection, texts: Sequence[str], k: int, *, category: str | None, tool: str | None
    ) -> list[list[int]]:
        """For each text the keys of the at most `k` APIs nearest to it in meaning, the nearest first."""
        if not meaning.available():
            return [[] for _ in texts]
        import numpy as np  # noqa: PLC0415 - an optional part

        self._refresh(connection)
        if not len(self._keys):
            return [[] for _ in texts]
        similar = meaning.embed(texts) @ self._matrix.T
        if category is not None or tool is not None:
            allowed = [row["key"] for row in connection.execute(_SUBSET, (category, tool))]
            similar[:, ~np.isin(self._keys, allowed)] = -1
        best = np.argsort(-similar, axis=1, kind="stable")[:, :k]
        return [
            [int(self._keys[place]) for place in places if row[place] >= _LEAST]
            for row, places in zip(similar, best, strict=True)
        ]

    def _refresh(self, connection: sqlite3.Connection) -> None:
        (others,) = connection.execute("PRAGMA data_version").fetchone()
        state = (others, connection.total_changes)
        if state == self._state:
            return
        import numpy as np  # noqa: PLC0415

        found = connection.execute(_ALL).fetchall()
        lacking = [place for place, row in enumerate(found) if row["value"] is None]
        texts = [_text(found[place]["tool"], found[place]["name"], found[place]["description"]) for place in lacking]
        made = dict(zip(lacking, meaning.embed(texts), strict=True))
        self._keys = np.array([row["key"] for row in found], dtype=np.int64)
        rows = [
            made[place] if row["value"] is None else np.frombuffer(row["value"], dtype=np.float16)
            for place, row in enumerate(found)
        ]
        self._matrix = np.array(rows, dtype=np.float32)
        self._state = state


def _text(tool: str, name: str, description: str) -> str:
    """What of an API is compared with a question; its parameters only blur it (measured on the demo)."""
    return f"{spaced(tool)}: {spaced(name)}. {description}"
