"""A source's APIs made what the source says: new ones added, changed ones updated, vanished ones removed."""

from __future__ import annotations

import hashlib
import itertools
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolquiver.catalog import names, rows, sources
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
    """A hash of everything that a source says of an API; the function name, which the catalogue gives, is not of it."""
    return hashlib.sha256(api.model_dump_json(exclude={"function"}).encode()).hexdigest()


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
    for batch in _batches(_written(connection, changes, what, apis)):
        done += len(batch)
        if progress:
            progress(done, total)
    changes.finish()
    sources.put(connection, source)
    return what


def _written(
    connection: sqlite3.Connection, changes: Changes, what: Difference, apis: Mapping[ApiId, tuple[API, str]]
) -> Iterator[ApiId]:
    """Each API that was changed or added, once it is stored and indexed."""
    for id_ in what.changed:
        api, digest = apis[id_]
        changes.replace(api.model_copy(update={"function": rows.function(connection, id_)}), digest)
        yield id_
    for id_ in what.added:
        api, digest = apis[id_]
        changes.add(api.model_copy(update={"function": names.free_name(connection, api)}), digest)
        yield id_


def _batches(written: Iterator[ApiId]) -> Iterator[Sequence[ApiId]]:
    while batch := list(itertools.islice(written, _BATCH)):
        yield batch
