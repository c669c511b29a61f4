"""The changes that one transaction makes: rows, and the indexes of words, of meaning and of what APIs return."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from toolquiver.catalog import effect_rows, function_names, instruction_rows, rows
from toolquiver.catalog.feeds import index_outputs
from toolquiver.catalog.index.writer import Writer
from toolquiver.catalog.records import API, ApiId
from toolquiver.catalog.rows import Row
from toolquiver.catalog.tool_rows import ToolRows

Said = tuple[API, str]
"""An API, and the hash of what its source said of it."""


class Changes:
    """Stores and removes APIs. At the end, in the same transaction, comes `finish`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._index = Writer(connection)
        self._tools = ToolRows(connection)
        self._instructed = instruction_rows.there(connection)

    def add(self, apis: Sequence[Said]) -> None:
        """Store new APIs, each with the function name that it gets now. A thousand at once take the least time."""
        first = rows.next_key(self._connection)
        functions = function_names.free_names(self._connection, [api for api, _ in apis])
        self._store(apis, functions, range(first, first + len(apis)))

    def replace(self, apis: Sequence[Said]) -> None:
        """Store APIs in the place of those with their ids; their function names stay."""
        known = rows.functions(self._connection, [api.id for api, _ in apis])
        keys = [self.remove(api.id) for api, _ in apis]
        self._store(apis, [known[api.id] for api, _ in apis], keys)

    def remove(self, api_id: ApiId) -> int:
        """Remove an API that is there, and at the end its tool when that was the last one; the key of its row."""
        key, tool, document = rows.delete(self._connection, api_id)
        self._index.remove(tool, document)
        return key

    def describe(self, said: Mapping[tuple[str, str], str], source: str) -> None:
        """Describe the tools (category, name) that only this source has as it does."""
        self._index.again(self._tools.describe(said, source))

    def again(self, subjects: Iterable[str]) -> None:
        """Index those of these subjects that are APIs, or tools, as their instructions now say, and finish."""
        wanted = list(subjects)
        self._instructed = instruction_rows.there(self._connection)
        self.replace(rows.said(self._connection, wanted))
        self._index.again(rows.tools_under(self._connection, wanted))
        self.finish()

    def finish(self) -> None:
        """Write what the index still holds back."""
        self._index.finish()

    def _store(self, apis: Sequence[Said], functions: Sequence[str], keys: Sequence[int]) -> None:
        effect_rows.add_column(self._connection)
        by_user = effect_rows.set_by_user(self._connection, [api for api, _ in apis])
        placed = []
        instructed = instruction_rows.texts(self._connection, [api for api, _ in apis]) if self._instructed else {}
        for (api, digest), function, key in zip(apis, functions, keys, strict=True):
            tool = self._tools.key(api)
            said = instructed.get(api.id)
            found_by = api.model_copy(update={"description": said}) if said else api
            stored = api.model_copy(update={"effect": by_user[api.id]}) if api.id in by_user else api
            placed.append(Row(key, stored, function, digest, tool, self._index.add(tool, found_by)))
        rows.insert(self._connection, placed)
        index_outputs(self._connection, placed)
