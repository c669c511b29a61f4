"""The SQL of instructions, which stand beside the documentation and outlive its rows.

The table is made with the first instruction, so that files made before are read and written as they were.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from toolquiver.catalog import rows
from toolquiver.catalog.instruction import (
    Guideline,
    Purpose,
    Stored,
    api_hash,
    searchable,
    tool_hash,
    tool_subject,
)
from toolquiver.catalog.records import API, ApiId

_TABLE = """
CREATE TABLE IF NOT EXISTS instruction (
    subject TEXT NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    prompt TEXT NOT NULL,
    model TEXT NOT NULL,
    made TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (subject, version)
) WITHOUT ROWID
"""
_AMONG = """
SELECT * FROM instruction WHERE subject IN (SELECT value FROM json_each(?)) ORDER BY subject, version
"""


def there(connection: sqlite3.Connection) -> bool:
    """Whether the catalogue has had an instruction."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'instruction'").fetchone()
    return found is not None


def put(connection: sqlite3.Connection, stored: Iterable[Stored]) -> None:
    """Store instructions, each as the next version of its subject."""
    connection.execute(_TABLE)
    for one in stored:
        connection.execute(
            "INSERT INTO instruction (subject, version, document, prompt, model, made, content) SELECT ?1,"
            " coalesce(max(version), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM instruction WHERE subject = ?1",
            (
                one.subject,
                one.document,
                one.prompt,
                one.model,
                one.made.isoformat(),
                json.dumps(one.content.model_dump(mode="json"), ensure_ascii=False),
            ),
        )


def versions(connection: sqlite3.Connection, subjects: Iterable[str] | None = None) -> list[Stored]:
    """The instructions of these subjects, or all, by subject, the oldest version first."""
    if not there(connection):
        return []
    if subjects is None:
        found = connection.execute("SELECT * FROM instruction ORDER BY subject, version")
    else:
        found = connection.execute(_AMONG, (json.dumps(list(subjects)),))
    return [_stored(row) for row in found]


def drop(connection: sqlite3.Connection, subjects: Iterable[str], *, last: bool) -> int:
    """Remove the instructions of these subjects, or only the last version of each; how many there were."""
    if not there(connection):
        return 0
    found = {(one.subject, one.version) for one in versions(connection, subjects)}
    if last:
        found = {max(pair for pair in found if pair[0] == subject) for subject, _ in found}
    connection.executemany("DELETE FROM instruction WHERE subject = ? AND version = ?", sorted(found))
    return len(found)


def current_guidelines(connection: sqlite3.Connection, apis: Sequence[API]) -> dict[ApiId, Guideline]:
    """The last guideline that was written from the documentation that each API has now; none where that changed."""
    said = _by_document(connection, [api.id for api in apis])
    wanted = {api.id: said[api.id].get(api_hash(api)) for api in apis if api.id in said}
    return {id_: one.content for id_, one in wanted.items() if one and isinstance(one.content, Guideline)}


def texts(connection: sqlite3.Connection, apis: Sequence[API]) -> dict[str, str]:
    """What those of these APIs are found by that have a guideline in force, by id."""
    found = current_guidelines(connection, apis)
    return {api.id: searchable(api, found[api.id]) for api in apis if api.id in found}


def texts_of_tools(connection: sqlite3.Connection, tools: Sequence[int]) -> dict[str, str]:
    """The same for all APIs of the tools with these keys; fast where the catalogue has no instruction."""
    return texts(connection, list(rows.of_tools(connection, tools))) if there(connection) else {}


def texts_about_tools(connection: sqlite3.Connection, tools: Iterable[sqlite3.Row]) -> dict[int, str]:
    """What these tools (rows of the table) are found by: what their instructions say, and their own descriptions."""
    own = {row["key"]: (row["category"], row["name"], row["description"]) for row in tools}
    found = current_purposes(connection, [place[:2] for place in own.values()]) if there(connection) else {}
    return {key: f"{found.get(said[:2], '')}\n{said[2]}".strip() for key, said in own.items()}


def current_purposes(connection: sqlite3.Connection, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What these tools (category, name) are for, by the last instruction that fits their documentation now."""
    subjects = {place: tool_subject(*place) for place in places}
    said = _by_document(connection, subjects.values())
    found = {}
    for place, subject in subjects.items():
        if subject in said and (apis := list(rows.many(connection, category=place[0], tool=place[1]))):
            one = said[subject].get(tool_hash(apis))
            if one and isinstance(one.content, Purpose) and one.content.purpose:
                found[place] = one.content.purpose
    return found


def in_force(apis: Sequence[API], last: Mapping[tuple[str, str], Stored]) -> list[Stored]:
    """Of the last instructions by subject and document those that fit the documentation of these APIs."""
    tools = dict[tuple[str, str], list[API]]()
    for api in apis:
        tools.setdefault((api.category, api.tool), []).append(api)
    wanted = [(tool_subject(*place), tool_hash(of_it)) for place, of_it in tools.items()]
    wanted += [(api.id, api_hash(api)) for api in apis]
    return [last[key] for key in wanted if key in last]


def _by_document(connection: sqlite3.Connection, subjects: Iterable[str]) -> Mapping[str, dict[str, Stored]]:
    """The last instruction of each subject and document."""
    found = dict[str, dict[str, Stored]]()
    for one in versions(connection, subjects):
        found.setdefault(one.subject, {})[one.document] = one
    return found


def _stored(row: sqlite3.Row) -> Stored:
    content = json.loads(row["content"])
    shape = Purpose if "purpose" in content else Guideline
    return Stored.model_validate({**dict(row), "content": shape.model_validate(content)})
