"""The changes that one transaction makes to the index, written at its end."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from toolquiver.catalog import instruction_rows, rows
from toolquiver.catalog.index import segments
from toolquiver.catalog.index.batch import Batch
from toolquiver.catalog.index.documents import (
    Member,
    api_fields,
    api_text,
    parameters_text,
    tool_fields,
    tool_text,
)
from toolquiver.catalog.index.impacts import API_FIELDS, TOOL_FIELDS
from toolquiver.catalog.index.terms import Terms
from toolquiver.catalog.records import API

_AT_ONCE = 500  # tools whose APIs are read by one statement

_APIS = """
SELECT tool, id, name, description, parameters FROM api WHERE tool IN (SELECT value FROM json_each(?)) ORDER BY tool, id
"""
_TOOLS = "SELECT * FROM tool WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key"


class Writer:
    """Indexes APIs as they are stored, and at the end, with `finish`, the tools that they belong to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._terms = Terms()
        self._apis = Batch(connection, "api", API_FIELDS, self._terms)
        self._tools: set[int] = set()

    def add(self, tool: int, api: API) -> int:
        """Index an API of the tool with this key; the number of its document, which its row keeps."""
        self._tools.add(tool)
        return self._apis.add(tool, api_fields(api), api_text(api.tool, api.name, api.description))

    def remove(self, tool: int, document: int) -> None:
        """Take an API's document out of the index."""
        self._tools.add(tool)
        segments.remove(self._connection, "api", [document])

    def again(self, tools: Iterable[int]) -> None:
        """Index the tools with these keys anew at the end, though their APIs are the same."""
        self._tools.update(tools)

    def finish(self) -> None:
        """Write what is held, then index the tools anew whose APIs are others now."""
        self._apis.write()
        batch = Batch(self._connection, "tool", TOOL_FIELDS, self._terms)
        keys = sorted(self._tools)
        for first in range(0, len(keys), _AT_ONCE):
            self._index_tools(batch, keys[first : first + _AT_ONCE])
        batch.write()
        self._tools.clear()

    def _index_tools(self, batch: Batch, keys: Sequence[int]) -> None:
        said = (json.dumps(keys),)
        tools = self._connection.execute(_TOOLS, said).fetchall()
        found = itertools.groupby(self._connection.execute(_APIS, said), key=lambda row: row["tool"])
        about = instruction_rows.texts_about_tools(self._connection, tools)
        said_by = instruction_rows.texts_of_tools(self._connection, keys)
        apis = {tool: [_member(row, said_by) for row in of_it] for tool, of_it in found}
        documents = []
        for tool in tools:
            if of_it := apis.get(tool["key"]):
                name, description = tool["name"], about[tool["key"]]
                texts = tool_fields(tool["category"], name, description, of_it)
                meant = tool_text(name, description, [(api.name, api.text) for api in of_it])
                documents.append((batch.add(tool["key"], texts, meant), tool["key"]))
        before = [tool["document"] for tool in tools if tool["document"] is not None]
        segments.remove(self._connection, "tool", before)
        self._connection.executemany("UPDATE tool SET document = ? WHERE key = ?", documents)
        empty = [(tool["key"],) for tool in tools if tool["key"] not in apis]
        self._connection.executemany("DELETE FROM tool WHERE key = ?", empty)


def _member(row: sqlite3.Row, said_by: Mapping[str, str]) -> Member:
    text = said_by.get(row["id"], row["description"])
    return Member(row["name"], text, parameters_text(rows.read(row["parameters"])))
