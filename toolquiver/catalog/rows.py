"""The SQL of the catalogue's tables: records in, records out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import from_json

from toolquiver.catalog.effects import of_stored
from toolquiver.catalog.records import API, ApiId, Category, Tool

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

_SELECT = (
    "SELECT api.*, tool.name AS tool_name, tool.category, tool.description AS tool_description"
    " FROM api JOIN tool ON tool.key = api.tool"
)


class Row(NamedTuple):
    """An API as it is stored: under which key and function name, of the tool with which key.

    `digest` is the hash of what its source said, by which a sync sees changes, `document` its number in the search
    index.
    """

    key: int
    api: API
    function: str
    digest: str
    tool: int
    document: int


def insert(connection: sqlite3.Connection, placed: Iterable[Row]) -> None:
    """Store APIs that are not there."""
    connection.executemany(
        "INSERT INTO api (key, id, function, name, description, method, effect, parameters, output, source,"
        " binding, hash, tool, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                row.key,
                row.api.id,
                row.function,
                row.api.name,
                row.api.description,
                row.api.method,
                row.api.effect,
                json.dumps(row.api.parameters),
                None if row.api.output is None else json.dumps(row.api.output),
                row.api.source,
                json.dumps(row.api.binding) if row.api.binding else "{}",
                row.digest,
                row.tool,
                row.document,
            )
            for row in placed
        ),
    )


def next_key(connection: sqlite3.Connection) -> int:
    """The key of the next API."""
    (most,) = connection.execute("SELECT coalesce(max(key), 0) FROM api").fetchone()
    return int(most) + 1


def delete(connection: sqlite3.Connection, api_id: ApiId) -> tuple[int, int, int]:
    """Remove an API; the keys of its row and of its tool's, and its number in the search index."""
    key, tool, document = connection.execute("SELECT key, tool, document FROM api WHERE id = ?", (api_id,)).fetchone()
    connection.execute("DELETE FROM output WHERE api = ?", (key,))
    connection.execute("DELETE FROM api WHERE key = ?", (key,))
    return key, tool, document


def one(connection: sqlite3.Connection, where: str, value: str) -> API | None:
    """The API for which `where` (an expression of ours, never a user's) holds of `value`."""
    row = connection.execute(f"{_SELECT} WHERE {where}", (value,)).fetchone()
    return None if row is None else api(row)


def documents(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, API]:
    """The APIs with these numbers in the search index."""
    where = "WHERE api.document IN (SELECT value FROM json_each(?))"
    found = connection.execute(f"{_SELECT} {where}", (json.dumps(list(numbers)),))
    return {row["document"]: api(row) for row in found}


def by_key(connection: sqlite3.Connection, key: int) -> API:
    """The API of this row, which is there."""
    return api(connection.execute(f"{_SELECT} WHERE api.key = ?", (key,)).fetchone())


def many(connection: sqlite3.Connection, *, category: str | None, tool: str | None) -> Iterator[API]:
    """The APIs of a category and a tool; None is any."""
    for row in connection.execute(
        f"{_SELECT} WHERE (?1 IS NULL OR tool.category = ?1) AND (?2 IS NULL OR tool.name = ?2) ORDER BY api.key",
        (category, tool),
    ):
        yield api(row)


def few(connection: sqlite3.Connection, most: int) -> list[API]:
    """All APIs where there are at most so many; none where there are more."""
    found = connection.execute(f"{_SELECT} ORDER BY api.key LIMIT ?", (most + 1,)).fetchall()
    return [api(row) for row in found] if len(found) <= most else []


def of_tools(connection: sqlite3.Connection, keys: Iterable[int]) -> Iterator[API]:
    """The APIs of the tools with these keys."""
    where = "WHERE api.tool IN (SELECT value FROM json_each(?))"
    for row in connection.execute(f"{_SELECT} {where}", (json.dumps(list(keys)),)):
        yield api(row)


def tools(connection: sqlite3.Connection, category: str | None) -> list[Tool]:
    """The tools of a category; None is any."""
    found = connection.execute(
        "SELECT tool.name, tool.category, tool.description, count(api.key) AS apis FROM tool"
        " LEFT JOIN api ON api.tool = tool.key WHERE ?1 IS NULL OR tool.category = ?1"
        " GROUP BY tool.key ORDER BY tool.category, tool.name",
        (category,),
    )
    return [Tool(**dict(row)) for row in found]


def categories(connection: sqlite3.Connection) -> list[Category]:
    """The categories with their sizes."""
    found = connection.execute(
        "SELECT tool.category AS name, count(DISTINCT tool.key) AS tools, count(api.key) AS apis FROM tool"
        " LEFT JOIN api ON api.tool = tool.key GROUP BY tool.category ORDER BY tool.category"
    )
    return [Category(**dict(row)) for row in found]


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many categories, tools and APIs there are."""
    row = connection.execute(
        "SELECT (SELECT count(DISTINCT category) FROM tool) AS categories, (SELECT count(*) FROM tool) AS tools,"
        " (SELECT count(*) FROM api) AS apis"
    ).fetchone()
    return dict(row)


def ids(connection: sqlite3.Connection) -> set[ApiId]:
    """The ids of all APIs."""
    return {row["id"] for row in connection.execute("SELECT id FROM api")}


def hashes(connection: sqlite3.Connection, source: str) -> dict[ApiId, str]:
    """The APIs of a source, with the hashes of what it said of them, in the order they were added."""
    found = connection.execute("SELECT id, hash FROM api WHERE source = ? ORDER BY key", (source,))
    return {row["id"]: row["hash"] for row in found}


def hashes_of(connection: sqlite3.Connection, api_ids: Iterable[ApiId]) -> dict[ApiId, tuple[str, str]]:
    """Those of these APIs that are there, each with its source and the hash of what that said of it."""
    found = connection.execute(
        "SELECT id, source, hash FROM api WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(api_ids)),)
    )
    return {row["id"]: (row["source"], row["hash"]) for row in found}


def ids_of(connection: sqlite3.Connection, source: str) -> Iterator[ApiId]:
    """The ids of a source's APIs, in the order they were added."""
    for row in connection.execute("SELECT id FROM api WHERE source = ? ORDER BY key", (source,)):
        yield row["id"]


def owners(connection: sqlite3.Connection, api_ids: Iterable[ApiId]) -> dict[ApiId, str]:
    """The sources of those of these APIs that are there."""
    found = connection.execute(
        "SELECT id, source FROM api WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(api_ids)),)
    )
    return {row["id"]: row["source"] for row in found}


def functions(connection: sqlite3.Connection, api_ids: Iterable[ApiId]) -> dict[ApiId, str]:
    """The function names of those of these APIs that are there."""
    found = connection.execute(
        "SELECT id, function FROM api WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(api_ids)),)
    )
    return {row["id"]: row["function"] for row in found}


def tools_under(connection: sqlite3.Connection, subjects: Iterable[str]) -> set[int]:
    """The keys of the tools whose APIs' ids begin with one of these subjects and a slash."""
    found = set[int]()
    for subject in subjects:
        between = (f"{subject}/", f"{subject}0")  # "0" is what comes after "/"
        found.update(key for (key,) in connection.execute("SELECT tool FROM api WHERE id > ? AND id < ?", between))
    return found


def said(connection: sqlite3.Connection, api_ids: Iterable[str]) -> list[tuple[API, str]]:
    """Those of these APIs that are there, with the hashes of what their sources said of them."""
    where = "WHERE api.id IN (SELECT value FROM json_each(?))"
    found = connection.execute(f"{_SELECT} {where} ORDER BY api.key", (json.dumps(list(api_ids)),))
    return [(api(row), row["hash"]) for row in found]


def api(row: sqlite3.Row) -> API:
    """A row of `_SELECT` as a record."""
    return API(
        id=row["id"],
        name=row["name"],
        description=row["description"],
        method=row["method"],
        effect=row["effect"] if "effect" in row.keys() else of_stored(row["method"]),  # noqa: SIM118 - a row of values
        parameters=read(row["parameters"]),
        output=None if row["output"] is None else read(row["output"]),
        tool=row["tool_name"],
        tool_description=row["tool_description"],
        category=row["category"],
        source=row["source"],
        binding=read(row["binding"]),
        function=row["function"],
    )


def read(text: str) -> Any:
    """JSON of ours, by the fast reader; it refuses halves of surrogate pairs and what lies very deep."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)
