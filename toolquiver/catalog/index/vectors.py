"""Vectors of meaning as bytes: a document's has one signed byte a number, which costs nothing that can be measured."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toolquiver.catalog import meaning
from toolquiver.catalog.index.documents import api_text, tool_text
from toolquiver.catalog.index.segments import Level, Segment
from toolquiver.catalog.index.segments import vectors as stored

Rows = NDArray[np.int8]
SCALE = 256.0
"""A component of a vector of length 1 times this is its byte; the few that are larger are cut."""

_BATCH = 4_096


def made(texts: Sequence[str]) -> bytes:
    """The vectors of these texts, one after the other. Only when `meaning.available`."""
    return b"".join(
        np.clip(np.rint(meaning.embed(texts[first : first + _BATCH]) * SCALE), -127, 127).astype(np.int8).tobytes()
        for first in range(0, len(texts), _BATCH)
    )


def rows_of(connection: sqlite3.Connection, level: Level, segment: Segment) -> Rows:
    """The vectors of a segment, a row a document; made now when the file was written without the extra `dense`."""
    value = stored(connection, segment)
    if value is None:
        value = made(_texts(connection, level, segment))
    return np.frombuffer(value, np.int8).reshape(len(segment.owners), -1)


def _texts(connection: sqlite3.Connection, level: Level, segment: Segment) -> list[str]:
    texts = [""] * len(segment.owners)
    if level == "api":
        found = connection.execute(
            "SELECT api.document, api.name, api.description, tool.name AS tool FROM api"
            " JOIN tool ON tool.key = api.tool WHERE api.document >= ? AND api.document < ?",
            (segment.first, segment.end),
        )
        for row in found:
            texts[row["document"] - segment.first] = api_text(row["tool"], row["name"], row["description"])
        return texts
    tools = connection.execute(
        "SELECT * FROM tool WHERE document >= ? AND document < ?", (segment.first, segment.end)
    ).fetchall()
    for tool in tools:
        apis = connection.execute("SELECT name, description FROM api WHERE tool = ? ORDER BY id", (tool["key"],))
        named = [(row["name"], row["description"]) for row in apis]
        texts[tool["document"] - segment.first] = tool_text(tool["name"], tool["description"], named)
    return texts
