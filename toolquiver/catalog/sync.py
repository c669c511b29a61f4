"""A source's APIs made what the source says: new ones added, changed ones updated, vanished ones removed."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from toolquiver.catalog import effect_rows, function_names, rows, sources
from toolquiver.catalog.records import API, ApiId
from toolquiver.catalog.sources import Source
from toolquiver.catalog.writing import Changes, Said
from toolquiver.errors import CatalogError

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


def sync(connection: sqlite3.Connection, source: Source, apis: Iterable[API], *, dry_run: bool = False) -> Difference:
    """Make these all the APIs of the source, in the transaction that the connection is in; or only tell the difference.

    They are read and written a thousand at a time: of a source only the ids are held.

    Raises:
        CatalogError: an API is of another source, two have one id, or an id belongs to another source.
    """
    compared, changes, first = _Comparison(connection, source.key), Changes(connection), rows.next_key(connection)
    coming = iter(apis)
    while batch := list(islice(coming, _BATCH)):
        new, other = compared.of(batch)
        if not dry_run:
            changes.replace(other)
            changes.add(new)
    what = compared.difference()
    if not dry_run:
        for id_ in what.removed:
            changes.remove(id_)
        if what.removed:
            function_names.name_again(connection, first)
        changes.describe(compared.tools, source.key)
        changes.finish()
        sources.put(connection, source)
    return what


def remove(connection: sqlite3.Connection, source: Source) -> Difference:
    """Remove all the APIs of the source, and forget it, in the transaction that the connection is in.

    What the user has set for them is forgotten too: what comes under this name later may be another server.
    """
    what = sync(connection, source, ())
    effect_rows.forget(connection, source=source.key)
    sources.forget(connection, source.key)
    return what


class _Comparison:
    """What a source says against what is stored of it; `tools` are the descriptions of its tools (category, name)."""

    def __init__(self, connection: sqlite3.Connection, source: str) -> None:
        self._connection, self._source = connection, source
        self._added, self._changed = list[ApiId](), list[ApiId]()
        self._seen = set[ApiId]()
        self.tools: dict[tuple[str, str], str] = {}

    def of(self, apis: Sequence[API]) -> tuple[list[Said], list[Said]]:
        """Those of these APIs that are new, and those of which something else is said now, with their hashes.

        Raises:
            CatalogError: one is of another source, or its id is there twice or belongs to another source.
        """
        for api in apis:
            self._see(api)
        there = rows.hashes_of(self._connection, [api.id for api in apis])
        new, other = list[Said](), list[Said]()
        for api in apis:
            owner, before = there.get(api.id, (self._source, None))
            if owner != self._source:
                way = f"`toolquiver catalog remove FILE {owner}`" if ":" in owner else "Catalog.remove"
                raise CatalogError(
                    f"{api.id!r} is there already, from the source {owner!r}. Import with another category or tool, or "
                    f"remove what is there with {way}."
                )
            digest = content_hash(api)
            if before is None:
                new.append((api, digest))
            elif before != digest:
                other.append((api, digest))
        self._added += [api.id for api, _ in new]
        self._changed += [api.id for api, _ in other]
        return new, other

    def difference(self) -> Difference:
        """What there is to be done in all; what is stored and was not seen has vanished."""
        removed = tuple(id_ for id_ in rows.ids_of(self._connection, self._source) if id_ not in self._seen)
        unchanged = len(self._seen) - len(self._added) - len(self._changed)
        return Difference(tuple(self._added), tuple(self._changed), removed, unchanged)

    def _see(self, api: API) -> None:
        if api.source != self._source:
            raise CatalogError(
                f"{api.id!r} is of the source {api.source!r}, not of {self._source!r}. Give it that source."
            )
        if api.id in self._seen:
            raise CatalogError(f"Two APIs of {self._source!r} have the id {api.id!r}. Give one another name or tool.")
        self._seen.add(api.id)
        place = (api.category, api.tool)
        self.tools[place] = api.tool_description or self.tools.get(place, "")


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
