"""Catalogue files: SQLite databases that several processes may read while one writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path

from toolquiver.databases import Kind
from toolquiver.errors import CatalogError

_CATALOGUE = Kind(
    noun="catalogue",
    owner="Catalog",
    application_id=0x74717669,  # "tqvi"
    version=4,
    error=CatalogError,
    again="It indexed otherwise. Make the file anew: import its sources again.",
)
_CACHE_KIB = 65_536  # of the file while it is written: rows go into the indexes of names and ids at any place


def new_file(path: str | Path | None) -> sqlite3.Connection:
    """An empty catalogue in the file `path`, or in memory.

    Raises:
        CatalogError: the file is there already, or cannot be written.
    """
    return _CATALOGUE.new(path, files(__package__).joinpath("schema.sql").read_text("utf-8").split(";\n"))


def existing_file(path: str | Path) -> sqlite3.Connection:
    """The catalogue in the file `path`.

    Raises:
        CatalogError: there is no such file, it is no catalogue, or another version made it.
    """
    return _CATALOGUE.existing(path)


@contextmanager
def readable(connection: sqlite3.Connection) -> Iterator[None]:
    """Let other processes read the file while this one writes.

    In SQLite's write-ahead mode for that time only: a file that is left in it cannot be opened where nobody may write.
    """
    connection.execute("PRAGMA journal_mode = WAL")
    (before,) = connection.execute("PRAGMA cache_size").fetchone()
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA cache_size = {before}")
        with suppress(sqlite3.OperationalError):  # others have it open: then the next import does it
            connection.execute("PRAGMA journal_mode = DELETE")
