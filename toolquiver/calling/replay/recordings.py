"""Recorded calls in one SQLite file, or in memory."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict

from toolquiver.calling.outcome import Failure, Observation
from toolquiver.calling.replay.files import existing_file, new_file
from toolquiver.catalog.records import ApiId
from toolquiver.errors import RecordingError

# A simulation stays as it is: the same miss must have the same answer the next time.
_PUT = """
INSERT INTO recording (api, arguments, kind, text, omitted, recorded, simulated, worth)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (api, arguments) DO UPDATE SET
    kind = excluded.kind, text = excluded.text, omitted = excluded.omitted, recorded = excluded.recorded,
    simulated = excluded.simulated, worth = excluded.worth
WHERE excluded.worth > worth OR (excluded.worth = worth AND NOT excluded.simulated)
"""


class Recording(BaseModel):
    """One call and what came of it.

    `arguments` is their normal form, as `normalised` gives it. `recorded` is when, None where the source does not
    say. `simulated`: a model made the outcome up.
    """

    model_config = ConfigDict(frozen=True)

    api: ApiId
    arguments: str
    outcome: Observation | Failure
    recorded: datetime | None = None
    simulated: bool = False


class Recordings:
    """What calls returned, by API and arguments.

    Made by `Recordings.create` or `Recordings.open`. Safe to use from several threads, and the file from several
    processes. As a context manager it closes itself.

    Of several recordings of one call one is kept: an observation rather than a failure, a real call rather than a
    simulated one, and of two alike the later, but the first simulation.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def create(cls, path: str | Path | None = None) -> Self:
        """New, empty recordings in the file `path`, or in memory.

        Raises:
            RecordingError: the file is there already, or cannot be written.
        """
        return cls(new_file(path), None if path is None else Path(path))

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """The recordings in the file `path`.

        Raises:
            RecordingError: there is no such file, it holds no recordings, or it was made by a newer version.
        """
        return cls(existing_file(path), Path(path))

    def put(self, recordings: Iterable[Recording]) -> None:
        """Store recordings, all or none, also when `recordings` raises while it is read.

        Raises:
            RecordingError: the file cannot be written.
        """
        with self._use() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.executemany(_PUT, (_row(recording) for recording in recordings))
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # a full disk has ended it already
                    connection.execute("ROLLBACK")
                raise

    def find(self, api_id: ApiId, arguments: str) -> Recording | None:
        """What is recorded for a call with these normalised arguments, or None.

        Raises:
            RecordingError: the file cannot be read.
        """
        with self._use() as connection:
            found = connection.execute("SELECT * FROM recording WHERE api = ? AND arguments = ?", (api_id, arguments))
            row = found.fetchone()
        return None if row is None else _recording(row)

    def examples(self, api_id: ApiId, k: int) -> list[Recording]:
        """At most `k` observations of real calls of an API, always the same ones.

        Raises:
            RecordingError: the file cannot be read.
        """
        with self._use() as connection:
            found = connection.execute(
                "SELECT * FROM recording WHERE api = ? AND kind IS NULL AND NOT simulated ORDER BY arguments LIMIT ?",
                (api_id, k),
            )
            return [_recording(row) for row in found]

    def texts(self) -> list[str]:
        """Every real call and its outcome, as JSON, in one order: what two files differ in.

        Raises:
            RecordingError: the file cannot be read.
        """
        with self._use() as connection:
            found = connection.execute("SELECT * FROM recording WHERE NOT simulated ORDER BY api, arguments")
            return [_recording(row).model_dump_json() for row in found]

    def counts(self) -> Mapping[str, int]:
        """How many `observation`s of real calls, `simulated` ones, and failures of each kind there are.

        Raises:
            RecordingError: the file cannot be read.
        """
        with self._use() as connection:
            found = connection.execute(
                "SELECT CASE WHEN simulated THEN 'simulated' ELSE ifnull(kind, 'observation') END AS what, count(*)"
                " FROM recording GROUP BY what ORDER BY what"
            )
            return {str(what): int(number) for what, number in found}

    def close(self) -> None:
        """Close the file. The recordings cannot be used afterwards."""
        with self._lock:
            self._connection.close()

    def __len__(self) -> int:
        return sum(self.counts().values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Recordings {str(self.path) if self.path else 'in memory'!r}>"

    @contextmanager
    def _use(self) -> Iterator[sqlite3.Connection]:
        """The connection, for this thread alone."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise RecordingError(f"{self!r} cannot be read or written ({error}). Check the file.") from error


def _row(recording: Recording) -> tuple[object, ...]:
    outcome = recording.outcome
    failed = isinstance(outcome, Failure)
    return (
        recording.api,
        recording.arguments,
        outcome.kind if isinstance(outcome, Failure) else None,
        outcome.message if isinstance(outcome, Failure) else outcome.text,
        0 if isinstance(outcome, Failure) else outcome.omitted,
        recording.recorded and recording.recorded.isoformat(),
        recording.simulated,
        0 if recording.simulated else 1 if failed else 2,
    )


def _recording(row: sqlite3.Row) -> Recording:
    failed = row["kind"] is not None
    return Recording(
        api=row["api"],
        arguments=row["arguments"],
        outcome=Failure(kind=row["kind"], message=row["text"])
        if failed
        else Observation(text=row["text"], omitted=row["omitted"]),
        recorded=row["recorded"],
        simulated=row["simulated"],
    )
