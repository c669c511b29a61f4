"""New documents of a level, held in memory until they are a segment."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from toolquiver.catalog.index import segments
from toolquiver.catalog.index.impacts import Field, impacts
from toolquiver.catalog.index.segments import Level
from toolquiver.catalog.index.terms import Terms
from toolquiver.catalog.index.vectors import Writer

_HELD = 3_000_000  # stems that are held before a segment is written: 200 MB at most


class Batch:
    """New documents of a level, whose texts are these fields.

    Of several batches with the same `terms` only one at a time holds documents.
    """

    def __init__(self, connection: sqlite3.Connection, level: Level, fields: Sequence[Field], terms: Terms) -> None:
        self._connection = connection
        self._terms = terms
        self._level = level
        self._fields = fields
        self._first = segments.next_document(connection, level)
        self._vectors = Writer(connection, level, self._first)
        self._empty()

    def add(self, owner: int, texts: Sequence[str], meant: str) -> int:
        """Take up a document of the tool with the key `owner`; its number.

        `texts` are those of the fields, `meant` is the one that its vector is made of.
        """
        if len(self._held) >= _HELD:
            self._segment()
        for text in texts:
            numbers = self._terms.of(text)
            self._held.extend(numbers)
            self._lengths.append(len(numbers))
        self._owners.append(owner)
        self._vectors.add(meant)
        return self._first + len(self._owners) - 1

    def write(self) -> None:
        """Write all that is held."""
        self._segment()
        self._vectors.write()

    def _segment(self) -> None:
        """Make a segment of what is held, and merge it with others where that is due."""
        if not self._owners:
            return
        owners = np.array(self._owners, np.int32)
        segments.put(self._connection, self._level, self._first, owners, lists=self._lists())
        self._first += len(self._owners)
        self._empty()
        segments.settle(self._connection, self._level)

    def _lists(self) -> Iterator[tuple[str, bytes]]:
        """Each stem, ascending, with its list as it is stored."""
        lengths = np.array(self._lengths, np.int64).reshape(-1, len(self._fields))
        found = impacts(self._fields, np.array(self._held, np.int64), lengths)
        stems = self._terms.stems
        bounds = np.searchsorted(found.terms, np.arange(len(stems) + 1))
        documents, weights = (self._first + found.documents).astype("<u4").tobytes(), found.weights.tobytes()
        there = np.flatnonzero(np.diff(bounds)).tolist()
        for number in sorted(there, key=stems.__getitem__):
            begin, end = int(bounds[number]), int(bounds[number + 1])
            yield stems[number], documents[4 * begin : 4 * end] + weights[begin:end]

    def _empty(self) -> None:
        self._terms.forget()
        self._held = array("i")
        self._lengths = array("i")
        self._owners = array("i")
