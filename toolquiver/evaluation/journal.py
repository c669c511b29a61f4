"""The journal of a run: a head that says what is measured, then a line for each thing that is finished.

A line is written by one call and is whole or torn at the end of the file. A torn one, of a process that was killed, is
dropped when the journal is opened again, so that its question is asked anew.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Generic, Self

from pydantic import BaseModel, ValidationError

from toolquiver.errors import InputError
from toolquiver.evaluation.lines import Head, Line, Row, Ruled, as_line
from toolquiver.evaluation.refusals import refuse_other_files, refuse_other_heads, refuse_what_keeps_nothing


class Journal(Generic[Row]):
    """An open journal that is written to, by this process alone. `done` has its lines by what they are about.

    As a context manager it closes itself.
    """

    def __init__(self, path: Path, file: int, shape: type[Row]) -> None:
        self.path = path
        self.done: dict[str, Row] = {}
        self._file = file
        self._shape: type[Row] = shape
        self._head: Head | None = None
        self.code = ""
        """The digest of the code that answers now, where the journal was begun by another."""

    @property
    def keeps_texts(self) -> bool:
        """Whether its lines have what was asked and answered."""
        return self._head is None or self._head.texts

    @classmethod
    def open(cls, path: str | Path, head: Head, shape: type[Row], *, any_code: bool = False) -> Self:
        """The journal in the file `path`, a new one where there is none; with `any_code` also one begun by other code.

        Raises:
            InputError: the file cannot be written, is no journal, is damaged, has another head, or is in use.
        """
        path = Path(path)
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise InputError(f"Cannot write the journal {str(path)!r}: {error.strerror}. Name another file.") from error
        journal = cls(path, file, shape)
        try:
            journal._begin(head, any_code=any_code)
        except BaseException:
            journal.close()
            raise
        return journal

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, row: Row) -> None:
        """Write a line, whole and through to the disk.

        Raises:
            InputError: the disk does not take it.
        """
        self._write(row)
        self.done[row.key] = row

    def close(self) -> None:
        """Let another process have it."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def _begin(self, head: Head, *, any_code: bool) -> None:
        self._head = head
        refuse_what_keeps_nothing(self.path, self._file)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(
                f"Another process writes the journal {str(self.path)!r}. Wait for it, or give each shard its own."
            ) from error
        text = self.path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole == 0:
            refuse_other_files(self.path, text)
        else:
            there = _head(self.path, text)
            refuse_other_heads(self.path, there, head, {"conditions", "code"} if any_code else {"conditions"})
            self.code = "" if there.code == head.code else head.code
            self.done = {row.key: row for row in _rows(self.path, text[:whole], self._shape)}
        os.ftruncate(self._file, whole)
        if whole == 0:
            self._write(head)

    def _write(self, record: BaseModel) -> None:
        data = as_line(record)
        try:
            while data:  # one call, unless the disk takes less
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as error:
            raise InputError(
                f"Cannot write the journal {str(self.path)!r}: {error.strerror}. Make room and run the same again."
            ) from error


def read_journal(path: str | Path, *, every: bool = False) -> tuple[Head, list[Line] | list[Ruled]]:
    """The head and the whole lines of a journal, which stays as it is: of one question the last, or `every` ruling.

    Raises:
        InputError: there is no such file, it is no journal, or it is damaged.
    """
    path = Path(path)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"Cannot read the journal {str(path)!r}: {error.strerror}. Check its path.") from error
    whole = text[: text.rfind(b"\n") + 1]
    head = _head(path, whole)
    if head.kind == "results":
        return head, list({line.key: line for line in _rows(path, whole, Line)}.values())
    rulings = _rows(path, whole, Ruled)
    return head, rulings if every else list({ruled.key: ruled for ruled in rulings}.values())


def _rows(path: Path, text: bytes, shape: type[Row]) -> list[Row]:
    """The lines after the head of a journal's text, all of them whole."""
    rows: list[Row] = []
    for number, line in enumerate(text.splitlines()[1:], 2):
        try:
            rows.append(shape.model_validate_json(line))
        except ValidationError as error:
            raise InputError(
                f"Line {number} of the journal {str(path)!r} is damaged. Delete that line; its question is asked again."
            ) from error
    return rows


def _head(path: Path, text: bytes) -> Head:
    try:
        return Head.model_validate_json(text.partition(b"\n")[0])
    except ValidationError as error:
        raise InputError(f"{str(path)!r} is no journal of an evaluation. Name another file.") from error
