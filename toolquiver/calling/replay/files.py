"""Files of recorded calls: SQLite databases that carry our mark."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from toolquiver.errors import RecordingError

_APPLICATION_ID = 0x74717672  # "tqvr", in the header of every file of recordings
_SCHEMA_VERSION = 1
_PATIENCE = 30.0  # seconds to wait for another process that writes

_TABLE = """
CREATE TABLE recording (
    api TEXT NOT NULL,
    arguments TEXT NOT NULL,
    kind TEXT,
    text TEXT NOT NULL,
    omitted INTEGER NOT NULL,
    recorded TEXT,
    simulated INTEGER NOT NULL,
    worth INTEGER NOT NULL,
    PRIMARY KEY (api, arguments)
) WITHOUT ROWID
"""


def new_file(path: str | Path | None) -> sqlite3.Connection:
    """An empty database of recordings in the file `path`, or in memory.

    Raises:
        RecordingError: the file is there already, or cannot be written.
    """
    if path is not None and Path(path).exists():
        raise RecordingError(f"{str(path)!r} is there already. Open it with Recordings.open, or name a new file.")
    try:
        connection = _connect(":memory:" if path is None else str(path))
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_TABLE)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise RecordingError(f"Cannot make recordings at {str(path)!r}: {error}. Name another place.") from error
    return connection


def existing_file(path: str | Path) -> sqlite3.Connection:
    """The database of recordings in the file `path`.

    Raises:
        RecordingError: there is no such file, it holds no recordings, or it was made by a newer version.
    """
    if not Path(path).is_file():
        raise RecordingError(f"There is no file {str(path)!r}. Check the path, or make one with Recordings.create.")
    try:
        connection = _connect(str(path))
    except sqlite3.Error as error:
        raise RecordingError(f"{str(path)!r} cannot be opened: {error}. Check the file.") from error
    if problem := _problem(connection):
        connection.close()
        raise RecordingError(f"{str(path)!r} {problem}")
    return connection


def _problem(connection: sqlite3.Connection) -> str:
    """Why the database cannot be used for recordings; empty when it can."""
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        return f"holds no recordings ({error}). Check the path."
    if application != _APPLICATION_ID:
        return "is a database, but holds no recordings of toolquiver. Check the path."
    if version > _SCHEMA_VERSION:
        return "was made by a newer toolquiver. Upgrade toolquiver to open it."
    return ""


def _connect(location: str) -> sqlite3.Connection:
    # The lock of the recordings makes the sharing between threads safe.
    connection = sqlite3.connect(location, timeout=_PATIENCE, check_same_thread=False, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection
