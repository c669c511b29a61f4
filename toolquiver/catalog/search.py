"""Finding APIs by words (BM25 over weighted fields, SQLite FTS5) and by meaning (vectors), clause by clause, fused."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from typing import NamedTuple

from toolquiver.catalog import rows
from toolquiver.catalog.records import API
from toolquiver.catalog.text import clauses, query_words
from toolquiver.catalog.vectors import Index

# BM25 weights of name, description, tool, category, parameters, in the order of the index's columns.
_SEARCH = """
SELECT api.key FROM api_text JOIN api ON api.key = api_text.rowid JOIN tool ON tool.key = api.tool
WHERE api_text MATCH ?1 AND (?2 IS NULL OR tool.category = ?2) AND (?3 IS NULL OR tool.name = ?3)
ORDER BY bm25(api_text, 4.0, 2.0, 2.0, 1.0, 0.5), api.key LIMIT ?4
"""
_DEPTH = 50  # of each ranking that is fused
_RANK_OFFSET = 10  # reciprocal rank fusion: how little the difference between the first ranks counts


class Hit(NamedTuple):
    """One API found, and how well it fits (higher is better; comparable within one search only)."""

    api: API
    score: float


def search(
    connection: sqlite3.Connection, index: Index | None, text: str, k: int, *, category: str | None, tool: str | None
) -> list[Hit]:
    """The at most `k` APIs with the words of `text`, or near it in meaning, the best first; none without a usable word.

    A question of several clauses is searched whole and clause by clause, so that each finds its APIs. Without an
    `index` of vectors only words count.
    """
    if k < 1 or not query_words(text):
        return []
    parts = clauses(text)
    texts = [text, *(parts if len(parts) > 1 else [])]
    depth = max(k, _DEPTH)
    rankings = [_keys(connection, part, depth, category, tool) for part in texts]
    if index is not None:
        rankings += index.nearest(connection, texts, depth, category=category, tool=tool)
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in enumerate(ranking):
            scores[key] += 1 / (_RANK_OFFSET + rank)
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k]
    return [Hit(rows.by_key(connection, key), score) for key, score in best]


def _keys(connection: sqlite3.Connection, text: str, k: int, category: str | None, tool: str | None) -> list[int]:
    words = query_words(text)
    if not words:
        return []
    match = " OR ".join(f'"{word}"' for word in words)
    return [row["key"] for row in connection.execute(_SEARCH, (match, category, tool, k))]
