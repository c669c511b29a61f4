"""Files of recorded calls."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from toolquiver.databases import Kind
from toolquiver.errors import RecordingError

_RECORDINGS = Kind(
    noun="recordings",
    owner="Recordings",
    application_id=0x74717672,  # "tqvr"
    version=1,
    error=RecordingError,
    again="Record the calls again.",
    patience=30.0,
)
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
    return _RECORDINGS.new(path, [_TABLE])


def existing_file(path: str | Path) -> sqlite3.Connection:
    """The database of recordings in the file `path`.

    Raises:
        RecordingError: there is no such file, it holds no recordings, or another version made it.
    """
    return _RECORDINGS.existing(path)
