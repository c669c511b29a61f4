"""The catalogue: thousands of APIs in one SQLite file, or in memory."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from toolquiver.catalog import effect_rows, sources
from toolquiver.catalog.effects import checked
from toolquiver.catalog.files import existing_file, new_file, readable
from toolquiver.catalog.garbage_collection import seldom_collected
from toolquiver.catalog.instructions import Instructions
from toolquiver.catalog.reading import Reading
from toolquiver.catalog.records import API, ApiId, Effect
from toolquiver.catalog.sources import Source
from toolquiver.catalog.sync import Difference, add, remove, sync
from toolquiver.catalog.writing import Changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from langchain_core.tools import BaseTool

    from toolquiver.catalog.instruction import Stored


class Catalog(Reading):
    """Categories of tools of APIs, stored and searchable.

    Made by `Catalog.open`, `Catalog.create` or `Catalog.from_tools`. Safe to use from several threads. As a
    context manager it closes itself.

    `tools` are the LangChain tools that APIs of source `python` call, by API id.
    """

    @classmethod
    def create(cls, path: str | Path | None = None) -> Self:
        """A new, empty catalogue in the file `path`, or in memory.

        Raises:
            CatalogError: the file is there already, or cannot be written.
        """
        connection = new_file(path)
        return cls(connection, None if path is None else Path(path))

    @classmethod
    def open(cls, path: str | Path, *, tools: Iterable[BaseTool] = ()) -> Self:
        """The catalogue in the file `path`.

        `tools` are the Python tools it was made from, needed only to call them.

        Raises:
            CatalogError: there is no such file, it is no catalogue, or another version made it.
        """
        connection = existing_file(path)
        catalog = cls(connection, Path(path))
        catalog.bind(tools)
        return catalog

    @classmethod
    def from_tools(
        cls, tools: Iterable[BaseTool], *, path: str | Path | None = None, instructions: Sequence[Stored] = ()
    ) -> Self:
        """A catalogue of LangChain tools, in memory or in a new file.

        A tool's `metadata` may name its `category` and its `tool`; both are `"tools"` otherwise. It may name its
        `effect`, which is `"unknown"` otherwise. `instructions` were written about them elsewhere.

        Raises:
            CatalogError: two tools have one id, an effect is none, or the file cannot be made.
        """
        from toolquiver.catalog.langchain import listed, record  # noqa: PLC0415 - saves its import on every open

        tools = listed(tools)
        catalog = cls.create(path)
        try:
            if instructions:  # first, so that each API is indexed once
                catalog.instructions.put(instructions)
            catalog.add(*(record(tool) for tool in tools))
        except BaseException:
            catalog.close()
            if catalog.path:
                catalog.path.unlink()
            raise
        catalog.bind(tools)
        return catalog

    def bind(self, tools: Iterable[BaseTool]) -> None:
        """Make APIs of source `python` callable by giving their LangChain tools."""
        from toolquiver.catalog.langchain import record  # noqa: PLC0415

        self.tools |= {record(tool).id: tool for tool in tools}

    def add(self, *apis: API) -> None:
        """Store new APIs, all or none.

        Raises:
            CatalogError: an id is there already.
        """
        with self._writing() as connection:
            add(connection, apis)

    def update(self, api: API) -> None:
        """Replace the API of the same id; its function name stays.

        Raises:
            CatalogError: there is none.
        """
        with self._writing() as connection:
            self.get(api.id)
            changes = Changes(connection)
            changes.replace([(api, "")])
            changes.finish()

    def remove(self, api_id: ApiId) -> None:
        """Remove one API, and its tool when that was the last one.

        Raises:
            CatalogError: there is none.
        """
        with self._writing() as connection:
            found = self.get(api_id)
            changes = Changes(connection)
            changes.remove(api_id)
            changes.finish()
            effect_rows.forget(connection, source=found.source, api=api_id)
        self.tools.pop(api_id, None)

    def set_effect(self, api_id: ApiId, effect: Effect) -> None:
        """Say what a call of an API does, whatever its source says now or in a later import.

        It holds until the API, or its source, is removed from the catalogue.

        Raises:
            CatalogError: there is no such API, or no such effect.
        """
        with self._writing() as connection:
            effect_rows.put(connection, self.get(api_id), checked(effect))

    @seldom_collected()
    def sync(self, source: Source, apis: Iterable[API], *, dry_run: bool = False) -> Difference:
        """Make these all the APIs of `source`; those of other sources stay. All or nothing.

        What has not changed is not touched. With `dry_run` nothing is, and the difference is only told. Others may
        read the file meanwhile. The APIs are taken a thousand at a time, and not held.

        Raises:
            CatalogError: an API is of another source, two have one id, or an id belongs to another source.
        """
        if dry_run:
            with self._shared.snapshot() as connection:
                return sync(connection, source, apis, dry_run=True)
        with self._shared.use() as connection, readable(connection), self._writing():
            return sync(connection, source, apis)

    def remove_source(self, name: str) -> Difference:
        """Remove all APIs of an imported source, and forget it. All or nothing.

        `name` is its key, or what it is called where no other is called so.

        Raises:
            CatalogError: there is no such source, or more than one.
        """
        with self._shared.use() as connection, readable(connection), self._writing():
            return remove(connection, sources.named(connection, name))

    def sources(self) -> list[Source]:
        """Where APIs were imported from, by key."""
        with self._shared.use() as connection:
            return sources.all_of(connection)

    @property
    def instructions(self) -> Instructions:
        """What EasyTool has written about the tools and APIs."""
        return Instructions(self._writing, self._shared.use)

    def close(self) -> None:
        """Close the file. The catalogue cannot be used afterwards."""
        self._read.clear()
        self._shared.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._shared.transaction() as connection:
            try:
                yield connection
            finally:
                self._read.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
