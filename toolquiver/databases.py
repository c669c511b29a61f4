"""SQLite files that carry a mark of ours, so that none is taken for another, or for that of another version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from toolquiver.errors import ToolquiverError


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of file: `noun` says what it holds, `owner` names the class that makes and opens it.

    `application_id` and `version` stand in the header of each file; `again` says how a file of an older version is made
    anew. `patience` is how many seconds to wait for another process that writes. What goes wrong is an `error`.
    """

    noun: str
    owner: str
    application_id: int
    version: int
    error: type[ToolquiverError]
    again: str = ""
    patience: float = 5.0

    def new(self, path: str | Path | None, statements: Iterable[str]) -> sqlite3.Connection:
        """An empty database, made by these statements, in the file `path`, or in memory.

        Raises:
            ToolquiverError: the file is there already, or cannot be written.
        """
        if path is not None and Path(path).exists():
            raise self.error(f"{str(path)!r} is there already. Open it with {self.owner}.open, or name a new file.")
        try:
            connection = self._connect(":memory:" if path is None else str(path))
            connection.execute("BEGIN IMMEDIATE")
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self.application_id}")
            connection.execute(f"PRAGMA user_version = {self.version}")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise self.error(f"Cannot make the {self.noun} at {str(path)!r}: {error}. Name another place.") from error
        return connection

    def existing(self, path: str | Path) -> sqlite3.Connection:
        """The database in the file `path`.

        Raises:
            ToolquiverError: there is no such file, it is of another kind, or of another version.
        """
        try:
            there = Path(path).is_file()
            if Path(path).is_dir():
                raise self.error(f"{str(path)!r} is a folder. Name the file of the {self.noun}.")
            connection = self._connect(str(path)) if there else None
        except (OSError, sqlite3.Error) as error:
            raise self.error(f"{str(path)!r} cannot be opened: {error}. Check the file.") from error
        if connection is None:
            raise self.error(f"There is no file {str(path)!r}. Check the path of the {self.noun}.")
        if problem := self._problem(connection):
            connection.close()
            raise self.error(f"{str(path)!r} {problem}")
        return connection

    def _problem(self, connection: sqlite3.Connection) -> str:
        """Why the database is not one of this kind and version; empty when it is."""
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.OperationalError as error:  # locked, or it cannot be read
            return f"cannot be read now ({error}). Try again when no other program writes it, or check the file."
        except sqlite3.Error as error:
            return f"holds no {self.noun} ({error}). Check the path."
        if application != self.application_id:
            return f"is a database, but holds no {self.noun} of toolquiver. Check the path."
        if version > self.version:
            return "was made by a newer toolquiver. Upgrade toolquiver to open it."
        if version < self.version:
            return f"was made by an older toolquiver. {self.again}"
        return ""

    def _connect(self, location: str) -> sqlite3.Connection:
        # Whoever owns the connection shares it between threads under a lock.
        connection = sqlite3.connect(location, timeout=self.patience, check_same_thread=False, isolation_level=None)
        connection.row_factory = sqlite3.Row
        return connection
