"""The instructions of a catalogue: stored beside the documentation, in versions, and used by the search as well."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from pydantic import ValidationError

from toolquiver.catalog import attempts, instruction_rows, rows
from toolquiver.catalog.attempts import Attempt
from toolquiver.catalog.instruction import Guideline, Stored
from toolquiver.catalog.records import API, ApiId
from toolquiver.catalog.writing import Changes
from toolquiver.errors import CatalogError
from toolquiver.whole_file import write_whole

Use = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Lends the catalogue's connection."""


class Instructions:
    """What EasyTool has written about a catalogue's tools and APIs; `Catalog.instructions` gives it.

    A changed document leaves its instructions where they are: they stand in again when it is as it was.
    """

    def __init__(self, writing: Use, reading: Use) -> None:
        self._writing = writing
        self._reading = reading

    def put(self, stored: Sequence[Stored]) -> None:
        """Store instructions, each as the next version of its subject, and index their APIs anew: all or none."""
        with self._writing() as connection:
            instruction_rows.put(connection, stored)
            Changes(connection).again(one.subject for one in stored)

    def versions(self, *subjects: str) -> list[Stored]:
        """The instructions of these subjects (all: give none), the oldest version of each first."""
        with self._reading() as connection:
            return instruction_rows.versions(connection, subjects or None)

    def guidelines(self, apis: Sequence[API]) -> dict[ApiId, Guideline]:
        """The guidelines in force, of those of these APIs (as the catalogue has them) that have one."""
        with self._reading() as connection:
            return instruction_rows.current_guidelines(connection, apis)

    def purpose(self, category: str, tool: str) -> str:
        """What the tool's instruction in force says that it is for; empty where there is none."""
        with self._reading() as connection:
            return instruction_rows.current_purposes(connection, [(category, tool)]).get((category, tool), "")

    def drop(self, subjects: Iterable[str], *, last: bool = False) -> int:
        """Remove the instructions of these subjects, or only the last version of each; how many there were."""
        wanted = list(subjects)
        with self._writing() as connection:
            dropped = instruction_rows.drop(connection, wanted, last=last)
            Changes(connection).again(wanted)
        return dropped

    def note(self, attempt: Attempt) -> None:
        """Keep what came of the last attempt to write a tool's instruction."""
        with self._writing() as connection:
            attempts.note(connection, attempt)

    def attempts(self, model: str) -> list[Attempt]:
        """What came of the last attempt of this model at each tool."""
        with self._reading() as connection:
            return attempts.attempts(connection, model)

    def export(self, path: Path) -> int:
        """Write the instructions in force to a file, a line each; how many there are.

        Raises:
            InputError: the file cannot be written.
        """
        with self._reading() as connection:
            apis = list(rows.many(connection, category=None, tool=None))
            last = {(one.subject, one.document): one for one in instruction_rows.versions(connection)}
        wanted = instruction_rows.in_force(apis, last)
        lines = (one.model_copy(update={"version": 0}).model_dump_json(exclude_defaults=True) for one in wanted)
        write_whole(path, "".join(f"{line}\n" for line in lines))
        return len(wanted)


def read_instructions(path: Path) -> list[Stored]:
    """The instructions of a file that `Instructions.export` wrote.

    Raises:
        CatalogError: the file cannot be read, or a line is no instruction.
    """
    try:
        lines = path.read_bytes().splitlines()  # in a str they end at U+2028 and the like, too, which texts may hold
        return [Stored.model_validate(json.loads(line)) for line in lines]
    except (OSError, ValueError, ValidationError) as error:
        raise CatalogError(
            f"{str(path)!r} cannot be read ({error}). Write it anew: toolquiver document export."
        ) from error
