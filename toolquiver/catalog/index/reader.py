"""The index in memory: who owns each document, and the lists of the words that were asked for lately."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from toolquiver.catalog.index import segments, vectors
from toolquiver.catalog.index.impacts import STEPS
from toolquiver.catalog.index.segments import GONE, Bytes, Level, Numbers
from toolquiver.catalog.index.vectors import Rows
from toolquiver.catalog.records import API
from toolquiver.catalog.remembered import version

Scores = NDArray[np.float32]
_FAINT = 0.2  # what a faint word counts
_CACHED = 40_000_000  # entries of lists kept in memory, 200 MB at most


def rarest(count: int) -> float:
    """What a word counts that one of so many documents has."""
    return log(1 + (count - 0.5) / 1.5)


class LevelReader:
    """The documents of a level, as they are at one moment."""

    def __init__(self, connection: sqlite3.Connection, level: Level) -> None:
        self._level: Level = level
        self._segments = segments.segments(connection, level)
        self._lists: OrderedDict[str, tuple[Numbers, Bytes]] = OrderedDict()
        self._held = 0
        self._vectors: Rows | None = None
        self._places: NDArray[np.int64] | None = None
        self._sizes: Scores | None = None
        parts = [np.empty(0, np.int32), *(segment.owners for segment in self._segments)]
        self.owners = np.concatenate(parts)
        """The key of each document's tool, -1 for those that were removed."""
        self.live = self.owners >= 0
        self.count = int(self.live.sum())

    def lists(self, connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, tuple[Numbers, Bytes]]:
        """The documents that have each of these stems, with its weights there; stems that none has are left out."""
        found: dict[str, tuple[Numbers, Bytes]] = {}
        for term in terms:
            if (entry := self._lists.get(term)) is None:
                entry = self._lists[term] = self._read(connection, term)
                self._held += len(entry[0])
            else:
                self._lists.move_to_end(term)
            if len(entry[0]):
                found[term] = entry
        while self._held > _CACHED:
            _, (documents, _) = self._lists.popitem(last=False)
            self._held -= len(documents)
        return found

    def rarity(self, entry: tuple[Numbers, Bytes]) -> float:
        """What a word counts for being rare (BM25's inverse document frequency)."""
        return log(1 + (self.count - len(entry[0]) + 0.5) / (len(entry[0]) + 0.5))

    def scores(
        self,
        lists: Mapping[str, tuple[Numbers, Bytes]],
        whole: Sequence[str],
        parts: Sequence[Sequence[str]],
        faint: Container[str] = (),
    ) -> Iterator[Scores]:
        """Each document's sum over the stems of each part, at last of the whole: weight times rarity.

        Those that are `faint` count little. Most stems are both of the whole and of one part, and are added up once
        for both.
        """
        left = {stem: None for stem in whole if stem in lists}
        total = np.zeros(len(self.owners), np.float32)
        for part in parts:
            there = [stem for stem in part if stem in lists]
            scores = np.zeros(len(self.owners), np.float32)
            self._add(scores, lists, [stem for stem in there if stem in left], faint)
            total += scores
            self._add(scores, lists, [stem for stem in there if stem not in left], faint)
            left = {stem: None for stem in left if stem not in set(there)}
            yield scores
        self._add(total, lists, left, faint)
        yield total

    def _add(
        self,
        scores: Scores,
        lists: Mapping[str, tuple[Numbers, Bytes]],
        stems: Iterable[str],
        faint: Container[str],
    ) -> None:
        for stem in stems:
            documents, weights = lists[stem]
            counts = self.rarity(lists[stem]) * (_FAINT if stem in faint else 1.0)
            scores[documents] += weights * np.float32(counts / STEPS)

    def ideal(
        self, lists: Mapping[str, tuple[Numbers, Bytes]], stems: Iterable[str], faint: Container[str] = ()
    ) -> float:
        """The score of a document that has all of these stems with full weight.

        An unknown stem counts as one that a single document has, so that it says little where there are few documents.
        """
        unknown = rarest(self.count)
        counts = {stem: self.rarity(lists[stem]) if stem in lists else unknown for stem in stems}
        return sum(_FAINT * count if stem in faint else count for stem, count in counts.items()) or 1.0

    def vectors(self, connection: sqlite3.Connection) -> Rows:
        """A row a document."""
        if self._vectors is None:
            self._vectors = vectors.rows_of(connection, self._level, len(self.owners))
        return self._vectors

    def places(self, tools: LevelReader) -> NDArray[np.int64]:
        """For each of these APIs the number of its tool's document; 0 for those that were removed."""
        if self._places is None:
            by_key = np.zeros(max(int(tools.owners.max(initial=0)), int(self.owners.max(initial=0))) + 2, np.int64)
            (documents,) = np.nonzero(tools.live)
            by_key[tools.owners[documents]] = documents
            by_key[GONE] = 0
            self._places = by_key[self.owners]
        return self._places

    def sizes(self, tools: LevelReader) -> Scores:
        """For each tool's document the logarithm of how many of these APIs it has."""
        if self._sizes is None:
            counts = np.bincount(self.places(tools)[self.live], minlength=len(tools.owners))
            self._sizes = np.log1p(counts).astype(np.float32)
        return self._sizes

    def _read(self, connection: sqlite3.Connection, term: str) -> tuple[Numbers, Bytes]:
        parts = []
        for segment in self._segments:
            row = connection.execute(
                "SELECT entries FROM posting WHERE segment = ? AND term = ?", (segment.key, term)
            ).fetchone()
            if row is not None:
                parts.append(segments.unpacked(row["entries"]))
        if not parts:
            return np.empty(0, np.uint32), np.empty(0, np.uint8)
        documents = np.concatenate([one for one, _ in parts])
        weights = np.concatenate([one for _, one in parts])
        there = self.live[documents]
        return (documents, weights) if there.all() else (documents[there], weights[there])


class Reader:
    """Both levels, read again after a change of the catalogue, by this process or another.

    `found` keeps the records that were found lately, by document, until then.
    """

    def __init__(self) -> None:
        self.found: dict[int, API] = {}
        self._state: tuple[int, int] | None = None
        self._apis: LevelReader | None = None
        self._tools: LevelReader | None = None

    def levels(self, connection: sqlite3.Connection) -> tuple[LevelReader, LevelReader]:
        """The APIs and the tools, as they are in the transaction that the connection is in."""
        state = version(connection)
        if state != self._state or self._apis is None or self._tools is None:
            self._apis, self._tools = LevelReader(connection, "api"), LevelReader(connection, "tool")
            self._state = state
            self.found.clear()
        return self._apis, self._tools
