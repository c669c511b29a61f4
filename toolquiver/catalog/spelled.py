"""The names of APIs and tools that a text spells: ids, function names, names."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import NamedTuple

_MARKS = "\"'`“”‘’«».,;:!?*"  # noqa: RUF001 - people's texts have such quotes
_EDGE = f"{_MARKS}()[]{{}}<>"
_LONGEST_NAME = 8  # words
_WORDS = 300  # of the text that are looked at
_CODE = re.compile(
    r"[a-z0-9][A-Z]|[A-Za-z]\d|_|\w/\w"
)  # getUser, get_user, v2, geo/city: nobody writes these by chance
_JOINT = re.compile(r"\s*[:/|>,-]\s+|\s+")

_APIS = """
SELECT api.document, api.name, api.tool, tool.name AS tool_name
FROM json_each(?) AS said CROSS JOIN api ON api.name = said.value COLLATE NOCASE JOIN tool ON tool.key = api.tool
"""
_HUMPED = f"{_APIS} WHERE api.name GLOB '*[a-z0-9][A-Z]*'"
_TOOLS = "SELECT tool.key FROM json_each(?) AS said CROSS JOIN tool ON tool.name = said.value COLLATE NOCASE"
_CODES = """
SELECT document FROM api WHERE id IN (SELECT value FROM json_each(?1)) OR function IN (SELECT value FROM json_each(?2))
"""


class Spelled(NamedTuple):
    """What is named in a text.

    `exact` are the documents of the APIs that it can only mean: by id, by a function name or a name that is no plain
    word, by name and tool together, or because the text is nothing else. `apis` are documents of APIs whose name of
    several words is there, `tools` the keys of such tools; these may be there by chance.
    """

    exact: frozenset[int]
    apis: frozenset[int]
    tools: frozenset[int]


def spelled(connection: sqlite3.Connection, text: str) -> Spelled:
    """The names that stand in `text`, whatever their case."""
    words = text.split()[:_WORDS]
    said = _runs(words)
    whole = _plain(text)
    short = len(words) <= 2 * _LONGEST_NAME  # such a text may be nothing but a tool's name and a word
    apis = _named(connection, said, whole if short else "")
    tools = {row["key"] for row in connection.execute(_TOOLS, (json.dumps(sorted(said)),))}
    exact = _by_code(connection, words, whole)
    for row in apis:
        name, tool = row["name"], row["tool_name"]
        alone = whole in {_plain(name), _plain(f"{tool} {name}")}
        telling = " " in name.strip() or bool(_CODE.search(name))
        if alone or (telling and (row["tool"] in tools or " " not in name.strip())):
            exact.add(row["document"])
    several = frozenset(row["document"] for row in apis if " " in row["name"].strip())
    return Spelled(frozenset(exact), several, frozenset(_several(connection, tools)))


def _named(connection: sqlite3.Connection, said: set[str], whole: str) -> list[sqlite3.Row]:
    """The APIs with these names, less those whose name tells nothing: of plain words, and not the end of `whole`.

    A large catalogue has thousands that are called `search`.
    """
    telling = {run for run in said if " " in run or _CODE.search(run) or whole.endswith(_plain(run))}
    found = connection.execute(_APIS, (json.dumps(sorted(telling)),)).fetchall()
    return found + connection.execute(_HUMPED, (json.dumps(sorted(said - telling)),)).fetchall()


def _by_code(connection: sqlite3.Connection, words: list[str], whole: str) -> set[int]:
    """The APIs whose id or function name is a word of the text, or all of it."""
    codes = {word.strip(_EDGE) for word in words if _CODE.search(word)}
    ids, functions = sorted({code.lower() for code in codes if "/" in code}), sorted({*codes, whole})
    return {row["document"] for row in connection.execute(_CODES, (json.dumps(ids), json.dumps(functions)))}


def _several(connection: sqlite3.Connection, tools: set[int]) -> set[int]:
    """Those of these tools whose names are no single plain word."""
    found = connection.execute(
        "SELECT key, name FROM tool WHERE key IN (SELECT value FROM json_each(?))", (json.dumps(sorted(tools)),)
    )
    return {row["key"] for row in found if " " in row["name"].strip() or _CODE.search(row["name"])}


def _runs(words: list[str]) -> set[str]:
    """Every run of neighbouring words that may be a name: without the punctuation around it, and with what is its own.

    `get /users/{id}` ends with a bracket, `Who is?` with a mark.
    """
    runs = (
        " ".join(words[first : first + count])
        for first in range(len(words))
        for count in range(1, min(_LONGEST_NAME, len(words) - first) + 1)
    )
    return {form for run in runs for form in (run, run.strip(_MARKS), run.strip(_EDGE)) if form}


def _plain(name: str) -> str:
    return _JOINT.sub(" ", name.strip()).strip(_EDGE).lower()
