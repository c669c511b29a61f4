"""Finding APIs by words: BM25 over weighted fields (SQLite FTS5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolquiver.catalog import rows
from toolquiver.catalog.text import query_words

if TYPE_CHECKING:
    import sqlite3

    from toolquiver.catalog.records import API

# BM25 weights of name, description, tool, category, parameters, in the order of the index's columns.
_SEARCH = """
SELECT api.*, tool.name AS tool_name, tool.category, -bm25(api_text, 4.0, 2.0, 2.0, 1.0, 0.5) AS score
FROM api_text JOIN api ON api.key = api_text.rowid JOIN tool ON tool.key = api.tool
WHERE api_text MATCH ?1 AND (?2 IS NULL OR tool.category = ?2) AND (?3 IS NULL OR tool.name = ?3)
ORDER BY score DESC, api.key LIMIT ?4
"""


class Hit(NamedTuple):
    """One API found, and how well it fits (higher is better; comparable within one search only)."""

    api: API
    score: float


def search(connection: sqlite3.Connection, text: str, k: int, *, category: str | None, tool: str | None) -> list[Hit]:
    """The at most `k` APIs with the words of `text`, the best first; none when it has no usable word."""
    words = query_words(text)
    if not words or k < 1:
        return []
    match = " OR ".join(f'"{word}"' for word in words)
    found = connection.execute(_SEARCH, (match, category, tool, k))
    return [Hit(rows.api(row), row["score"]) for row in found]
