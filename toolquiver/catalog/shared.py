"""One connection to a catalogue's file for several threads, one at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from toolquiver.errors import CatalogError


class Shared:
    """A connection that threads take in turns; `name` is what errors call the catalogue."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._lock = threading.RLock()

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """The connection, for this thread alone.

        Raises:
            CatalogError: SQLite cannot do what is asked.
        """
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise CatalogError(f"{self._name} cannot be read or written ({error}). Check the file.") from error

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """The same, and the file stays for it as it is now, whatever others write."""
        with self.use() as connection:
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The same for writing: all is written, or, after an error, nothing."""
        with self.use() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute(
                    "COMMIT"
                )  # fails where somebody reads for long; left open, it would lock all others out
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._connection.close()
