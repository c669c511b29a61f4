"""The index in the file: segments, each with the documents of a stretch of numbers.

A document is an API or a tool, of one of two levels. It gets the next number of its level and never another; when it
changes, a new one takes its place. The old number is listed as removed, and its entries vanish when segments merge.
"""

from __future__ import annotations

import heapq
import itertools
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Level = Literal["api", "tool"]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.uint32]

ENTRY = 5  # bytes of an entry in a list: four of the document's number, one of its weight
GONE = -1
"""The owner of a document that was removed."""


class Segment(NamedTuple):
    """Documents `first` and on: to which tool each belongs (-1: removed)."""

    key: int
    first: int
    owners: NDArray[np.int32]

    @property
    def end(self) -> int:
        """The number after the last."""
        return self.first + len(self.owners)


def packed(documents: Numbers, weights: Bytes) -> bytes:
    """A word's list as it is stored."""
    return documents.astype("<u4").tobytes() + weights.tobytes()


def unpacked(value: bytes) -> tuple[Numbers, Bytes]:
    """A word's list: the numbers of the documents, ascending, and the word's weight in each."""
    count = len(value) // ENTRY
    return np.frombuffer(value, "<u4", count), np.frombuffer(value, np.uint8, count, 4 * count)


def segments(connection: sqlite3.Connection, level: Level) -> list[Segment]:
    """The segments of a level, in the order of their documents; removed documents have no owner."""
    rows = connection.execute("SELECT document FROM removed WHERE level = ?", (level,)).fetchall()
    removed = np.array([row["document"] for row in rows], np.int64)
    found = []
    for row in connection.execute("SELECT key, first, owners FROM segment WHERE level = ? ORDER BY first", (level,)):
        owners = np.frombuffer(row["owners"], "<i4").astype(np.int32)
        places = removed - row["first"]
        owners[places[(places >= 0) & (places < len(owners))]] = GONE
        found.append(Segment(row["key"], row["first"], owners))
    return found


def next_document(connection: sqlite3.Connection, level: Level) -> int:
    """The number of the next document."""
    (end,) = connection.execute(
        "SELECT coalesce(max(first + length(owners) / 4), 0) FROM segment WHERE level = ?", (level,)
    ).fetchone()
    return int(end)


def remove(connection: sqlite3.Connection, level: Level, documents: Iterable[int]) -> None:
    """Let these documents be found no more."""
    connection.executemany(
        "INSERT INTO removed (level, document) VALUES (?, ?)", ((level, document) for document in documents)
    )


def put(
    connection: sqlite3.Connection,
    level: Level,
    first: int,
    owners: NDArray[np.int32],
    *,
    lists: Iterable[tuple[str, bytes]],
) -> None:
    """Store a segment; `lists` are the words with their packed lists, words ascending."""
    cursor = connection.execute(
        "INSERT INTO segment (level, first, owners) VALUES (?, ?, ?)", (level, first, owners.astype("<i4").tobytes())
    )
    key = cursor.lastrowid
    connection.executemany(
        "INSERT INTO posting (segment, term, entries) VALUES (?, ?, ?)", ((key, term, entry) for term, entry in lists)
    )


def settle(connection: sqlite3.Connection, level: Level) -> None:
    """Merge the last segments while the one before is not at least twice as long.

    So a catalogue of n documents has no more than log2(n) segments, and each document is written about as often.
    """
    lengths = connection.execute("SELECT length(owners) FROM segment WHERE level = ? ORDER BY first DESC", (level,))
    count = total = 0
    for (length,) in lengths.fetchall():
        if count and length >= 2 * total:
            break
        count, total = count + 1, total + length
    if count > 1:
        _merge(connection, level, segments(connection, level)[-count:])


def _merge(connection: sqlite3.Connection, level: Level, parts: list[Segment]) -> None:
    owners = np.concatenate([part.owners for part in parts])
    first, end = parts[0].first, parts[-1].end
    keys = [part.key for part in parts]
    put(connection, level, first, owners, lists=_joined(connection, keys, first, owners))
    connection.executemany("DELETE FROM posting WHERE segment = ?", ((key,) for key in keys))
    connection.executemany("DELETE FROM segment WHERE key = ?", ((key,) for key in keys))
    connection.execute("DELETE FROM removed WHERE level = ? AND document >= ? AND document < ?", (level, first, end))


def _joined(
    connection: sqlite3.Connection, keys: list[int], first: int, owners: NDArray[np.int32]
) -> Iterator[tuple[str, bytes]]:
    """The lists of several segments as one each, without the documents that are gone."""
    # Each part is read in the order of its words, so that no more than one list of each is held.
    parts = [
        connection.execute("SELECT term, segment, entries FROM posting WHERE segment = ? ORDER BY term", (key,))
        for key in keys
    ]
    rows = heapq.merge(*parts, key=lambda row: (row["term"].encode(), keys.index(row["segment"])))
    gone = bool((owners == GONE).any())
    for term, group in itertools.groupby(rows, key=lambda row: str(row["term"])):
        lists = [unpacked(row["entries"]) for row in group]
        documents = np.concatenate([one for one, _ in lists])
        weights = np.concatenate([one for _, one in lists])
        if gone:
            there = owners[documents - first] != GONE
            documents, weights = documents[there], weights[there]
        if len(documents):
            yield term, packed(documents, weights)
