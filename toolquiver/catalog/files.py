"""Catalogue files: SQLite databases that carry our mark, made whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path

from toolquiver.errors import CatalogError

_APPLICATION_ID = 0x74717669  # "tqvi", in the header of every catalogue file
_SCHEMA_VERSION = 3
_CACHE_KIB = 65_536  # of the file while it is written: rows go into the indexes of names and ids at any place


def new_file(path: str | Path | None) -> sqlite3.Connection:
    """An empty catalogue in the file `path`, or in memory.

    Raises:
        CatalogError: the file is there already, or cannot be written.
    """
    if path is not None and Path(path).exists():
        raise CatalogError(f"{str(path)!r} is there already. Open it with Catalog.open, or name a new file.")
    try:
        connection = _connect(":memory:" if path is None else str(path))
        connection.execute("BEGIN IMMEDIATE")
        for statement in files(__package__).joinpath("schema.sql").read_text("utf-8").split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise CatalogError(f"Cannot make a catalogue at {str(path)!r}: {error}.") from error
    return connection


def existing_file(path: str | Path) -> sqlite3.Connection:
    """The catalogue in the file `path`.

    Raises:
        CatalogError: there is no such file, it is no catalogue, or another version made it.
    """
    try:
        there = Path(path).is_file()
        connection = _connect(str(path)) if there else None
    except (OSError, sqlite3.Error) as error:
        raise CatalogError(f"{str(path)!r} cannot be opened: {error}.") from error
    if connection is None:
        raise CatalogError(f"There is no catalogue file {str(path)!r}. Check the path.")
    if problem := _problem(connection):
        connection.close()
        raise CatalogError(f"{str(path)!r} {problem}")
    return connection


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


def _problem(connection: sqlite3.Connection) -> str:
    """Why the database cannot be used as a catalogue; empty when it can."""
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        return f"is not a catalogue ({error})."
    if application != _APPLICATION_ID:
        return "is a database, but not a toolquiver catalogue."
    if version > _SCHEMA_VERSION:
        return "was made by a newer toolquiver. Upgrade toolquiver to open it."
    if version < _SCHEMA_VERSION:
        return "was made by an older toolquiver, which indexed otherwise. Make it anew: import its sources again."
    return ""


def _connect(location: str) -> sqlite3.Connection:
    # The catalogue's own lock makes the sharing between threads safe.
    connection = sqlite3.connect(location, check_same_thread=False, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection
