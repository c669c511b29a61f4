"""The changes that one transaction makes to the index, written at its end."""

from __future__ import annotations

import sqlite3
from array import array

import numpy as np

from toolquiver.catalog import meaning
from toolquiver.catalog.index import segments, vectors
from toolquiver.catalog.index.documents import api_stems, api_text, tool_stems, tool_text
from toolquiver.catalog.index.impacts import API_FIELDS, TOOL_FIELDS, impacts
from toolquiver.catalog.index.segments import Level
from toolquiver.catalog.records import API

_HELD = 50_000  # documents that are held in memory before a segment of them is written


class Batch:
    """New documents of a level, held until they are a segment."""

    def __init__(self, connection: sqlite3.Connection, level: Level) -> None:
        self._connection = connection
        self._level = level
        self._first = segments.next_document(connection, level)
        self._owners = array("i")
        self._texts: list[str] = []
        self._lists: dict[str, tuple[array[int], bytearray]] = {}

    def add(self, owner: int, weights: dict[str, int], text: str) -> int:
        """Take up a document of the tool with the key `owner`; its number. `text` is what its vector is made of."""
        if len(self._owners) >= _HELD:
            self.write()
        document = self._first + len(self._owners)
        self._owners.append(owner)
        self._texts.append(text)
        for term, weight in weights.items():
            if (found := self._lists.get(term)) is None:
                found = self._lists[term] = (array("I"), bytearray())
            found[0].append(document)
            found[1].append(weight)
        return document

    def write(self) -> None:
        """Make a segment of what is held, and merge it with others where that is due."""
        if not self._owners:
            return
        made = vectors.made(self._texts) if meaning.available() else None
        lists = (
            (term, np.array(documents, "<u4").tobytes() + weights)
            for term, (documents, weights) in sorted(self._lists.items())
        )
        owners = np.array(self._owners, np.int32)
        segments.put(self._connection, self._level, self._first, owners, made=made, lists=lists)
        self._first += len(self._owners)
        self._owners, self._texts, self._lists = array("i"), [], {}
        segments.settle(self._connection, self._level)


class Writer:
    """Indexes APIs as they are stored, and at the end, with `finish`, the tools that they belong to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._apis = Batch(connection, "api")
        self._tools: set[int] = set()

    def add(self, tool: int, api: API) -> int:
        """Index an API of the tool with this key; the number of its document, which its row keeps."""
        self._tools.add(tool)
        weights = impacts(API_FIELDS, api_stems(api))
        return self._apis.add(tool, weights, api_text(api.tool, api.name, api.description))

    def remove(self, tool: int, document: int) -> None:
        """Take an API's document out of the index."""
        self._tools.add(tool)
        segments.remove(self._connection, "api", document)

    def finish(self) -> None:
        """Write what is held, then index the tools anew whose APIs are others now."""
        self._apis.write()
        batch = Batch(self._connection, "tool")
        for key in sorted(self._tools):
            self._index_tool(batch, key)
        batch.write()
        self._tools.clear()

    def _index_tool(self, batch: Batch, key: int) -> None:
        tool = self._connection.execute("SELECT * FROM tool WHERE key = ?", (key,)).fetchone()
        if tool is None:
            return
        if tool["document"] is not None:
            segments.remove(self._connection, "tool", tool["document"])
        found = self._connection.execute("SELECT name, description FROM api WHERE tool = ? ORDER BY id", (key,))
        apis = [(row["name"], row["description"]) for row in found]
        if not apis:
            self._connection.execute("DELETE FROM tool WHERE key = ?", (key,))
            return
        weights = impacts(TOOL_FIELDS, tool_stems(tool["category"], tool["name"], tool["description"], apis))
        document = batch.add(key, weights, tool_text(tool["name"], tool["description"], apis))
        self._connection.execute("UPDATE tool SET document = ? WHERE key = ?", (document, key))
