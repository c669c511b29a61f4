"""Vectors of meaning as bytes: a document's has one signed byte a number, which costs nothing that can be measured.

The file keeps them in blocks of `BLOCK` documents by number, apart from the segments, so that merging those leaves the
vectors where they are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toolquiver.catalog import instruction_rows, meaning
from toolquiver.catalog.index.documents import api_text, tool_text
from toolquiver.catalog.index.segments import Level

Rows = NDArray[np.int8]
SCALE = 256.0
"""A component of a vector of length 1 times this is its byte; the few that are larger are cut."""
BLOCK = 4_096
_SMALL = 64  # rows


def made(texts: Sequence[str]) -> bytes:
    """The vectors of these texts, one after the other. Only when `meaning.available`."""
    rows = meaning.embed(texts)
    rows *= np.float32(SCALE)
    np.rint(rows, out=rows)
    np.clip(rows, -127, 127, out=rows)
    return rows.astype(np.int8).tobytes()


class Writer:
    """Stores the vectors of the documents from number `first` on; none where `meaning` is not available.

    A block whose earlier documents have none is left out whole: readers make it.
    """

    def __init__(self, connection: sqlite3.Connection, level: Level, first: int) -> None:
        self._connection = connection
        self._level: Level = level
        self._next = first
        self._texts: list[str] = []

    def add(self, text: str) -> None:
        """Take up the next document's text."""
        self._texts.append(text)
        if (self._next + len(self._texts)) % BLOCK == 0:
            self.write()

    def write(self) -> None:
        """Write what is held, in the block where it belongs."""
        if not self._texts:
            return
        block, place = divmod(self._next, BLOCK)
        before = _stored(self._connection, self._level, block) or b""
        rows = made(self._texts) if meaning.available() else b""
        if rows and len(before) // (len(rows) // len(self._texts)) == place:
            self._connection.execute(
                "INSERT INTO vectors (level, block, rows) VALUES (?1, ?2, ?3)"
                " ON CONFLICT (level, block) DO UPDATE SET rows = ?3",
                (self._level, block, before + rows),
            )
        elif before:
            self._connection.execute("DELETE FROM vectors WHERE level = ? AND block = ?", (self._level, block))
        self._next += len(self._texts)
        self._texts = []


def rows_of(connection: sqlite3.Connection, level: Level, count: int) -> Rows:
    """The vectors of a level's first `count` documents, a row a document; those that the file lacks are made now."""
    found = np.empty((count, meaning.width()), np.int8)
    for first in range(0, count, BLOCK):
        part = found[first : first + BLOCK]
        value = _stored(connection, level, first // BLOCK)
        if value is None or len(value) != part.size:
            value = made(_texts(connection, level, first, len(part)))
        part[:] = np.frombuffer(value, np.int8).reshape(part.shape)
    return found


def products(rows: Rows, columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """The matrix product, in blocks, so that the rows need no second place in memory as numbers that multiply fast.

    A block is multiplied as many small matrices, each too small for BLAS to share among threads: where the processors
    are busy, the threads' waiting for each other costs ten times the product.
    """
    columns = np.ascontiguousarray(columns)
    found = np.empty((_whole(len(rows)), columns.shape[1]), np.float32)
    block = np.empty((min(BLOCK, len(found)), rows.shape[1]), np.float32)
    for first in range(0, len(rows), BLOCK):
        part = rows[first : first + BLOCK]
        block[: len(part)] = part
        block[len(part) : _whole(len(part))] = 0
        stack = block[: _whole(len(part))].reshape(-1, _SMALL, rows.shape[1])
        np.matmul(stack, columns, out=found[first : first + BLOCK].reshape(-1, _SMALL, columns.shape[1]))
    return found[: len(rows)]


def _whole(count: int) -> int:
    """So many rows that no small matrix is begun and not filled."""
    return -(-count // _SMALL) * _SMALL


def _stored(connection: sqlite3.Connection, level: Level, block: int) -> bytes | None:
    row = connection.execute("SELECT rows FROM vectors WHERE level = ? AND block = ?", (level, block)).fetchone()
    return None if row is None else bytes(row["rows"])


def _texts(connection: sqlite3.Connection, level: Level, first: int, count: int) -> list[str]:
    texts, stretch = [""] * count, (first, first + count)
    if level == "api":
        found = connection.execute(
            "SELECT api.document, api.id, api.name, api.description, tool.key, tool.name AS tool FROM api"
            " JOIN tool ON tool.key = api.tool WHERE api.document >= ? AND api.document < ?",
            stretch,
        ).fetchall()
        said = instruction_rows.texts_of_tools(connection, sorted({row["key"] for row in found}))
        for row in found:
            description = said.get(row["id"], row["description"])
            texts[row["document"] - first] = api_text(row["tool"], row["name"], description)
        return texts
    tools = connection.execute("SELECT * FROM tool WHERE document >= ? AND document < ?", stretch).fetchall()
    about = instruction_rows.texts_about_tools(connection, tools)
    said = instruction_rows.texts_of_tools(connection, [tool["key"] for tool in tools])
    for tool in tools:
        apis = connection.execute("SELECT id, name, description FROM api WHERE tool = ? ORDER BY id", (tool["key"],))
        named = [(row["name"], said.get(row["id"], row["description"])) for row in apis]
        texts[tool["document"] - first] = tool_text(tool["name"], about[tool["key"]], named)
    return texts
