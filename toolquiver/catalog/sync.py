"""A source's APIs made what the source says: new ones added, changed ones updated, vanished ones removed."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from toolquiver.catalog import rows, sources
from toolquiver.catalog.records import API, ApiId
from toolquiver.catalog.sources import Source
from toolquiver.catalog.writing import Changes
from toolquiver.errors import CatalogError

Progress = Callable[[int, int], None]
"""Told how many entries are written, and of how many."""

_BATCH = 1_000


@dataclass(frozen=True)
class Difference:
    """What a sync does to a source's APIs: the ids that it adds, changes and removes, and how many it leaves."""

    added: tuple[ApiId, ...] = ()
    changed: tuple[ApiId, ...] = ()
    removed: tuple[ApiId, ...] = ()
    unchanged: int = 0


def content_hash(api: API) -> str:
    """A hash of all that a source says of an API, without what the catalogue gives: function name and example."""
    return hashlib.sha256(api.model_dump_json(exclude={"function", "example"}).encode()).hexdigest()


def prepared(source: str, apis: Iterable[API]) -> dict[ApiId, tuple[API, str]]:
    """The APIs with their hashes, by id.

    Raises:
        CatalogError: one is of another source, or two have one id.
    """
    found = dict[ApiId, tuple[API, str]]()
    for api in apis:
        if api.source != source:
            raise CatalogError(f"{api.id!r} is of the source {api.source!r}, not of {source!r}. Give it that source.")
        if api.id in found:
            raise CatalogError(f"Two APIs of {source!r} have the id {api.id!r}. Give one another name or tool.")
        found[api.id] = (api, content_hash(api))
    return found


def difference(connection: sqlite3.Connection, source: str, apis: Mapping[ApiId, tuple[API, str]]) -> Difference:
    """What is to be done to make the source's APIs these.

    Raises:
        CatalogError: an id belongs to another source.
    """
    there = rows.hashes(connection, source)
    added = [id_ for id_ in apis if id_ not in there]
    if others := rows.owners(connection, added):
        id_, other = next(iter(others.items()))
        raise CatalogError(
            f"{id_!r} is there already, from the source {other!r}. Import with another category or tool, or remove it."
        )
    changed = [id_ for id_ in apis if id_ in there and there[id_] != apis[id_][1]]
    removed = [id_ for id_ in there if id_ not in apis]
    return Difference(tuple(added), tuple(changed), tuple(removed), len(apis) - len(added) - len(changed))


def replace(
    connection: sqlite3.Connection,
    source: Source,
    apis: Mapping[ApiId, tuple[API, str]],
    progress: Progress | None = None,
) -> Difference:
    """Make these all the APIs of the source, in the transaction that the connection is in.

    Raises:
        CatalogError: an id belongs to another source.
    """
    what = difference(connection, source.key, apis)
    total, done = len(what.removed) + len(what.changed) + len(what.added), len(what.removed)
    changes = Changes(connection)
    for id_ in what.removed:
        changes.remove(id_)
    for write, ids in ((changes.replace, what.changed), (changes.add, what.added)):
        for first in range(0, len(ids), _BATCH):
            batch = ids[first : first + _BATCH]
            write([apis[id_] for id_ in batch])
            done += len(batch)
            if progress:
                progress(done, total)
    changes.finish()
    sources.put(connection, source)
    return what


def add(connection: sqlite3.Connection, apis: Iterable[API]) -> None:
    """Store new APIs, in the transaction that the connection is in.

    Raises:
        CatalogError: an id is there already.
    """
    new = [(api, "") for api in apis]
    there = set(rows.owners(connection, [api.id for api, _ in new]))
    for api, _ in new:
        if api.id in there:
            raise CatalogError(
                f"An API with the id {api.id!r} is there already. Give one of the two another name, tool or category, "
                "or call update."
            )
        there.add(api.id)
    changes = Changes(connection)
    changes.add(new)
    changes.finish()
