"""Files that are no place for a journal: of another run, something else altogether, or nothing that is kept."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from pydantic import BaseModel, JsonValue

from toolquiver.errors import InputError
from toolquiver.evaluation.unsecret import may_be
from toolquiver.masking import masked_values


def refuse_what_keeps_nothing(path: Path, file: int) -> None:
    """Refuse an open file that is none on a disk, such as `/dev/null` or a pipe.

    Raises:
        InputError: it is such a one.
    """
    if not stat.S_ISREG(os.fstat(file).st_mode):
        raise InputError(f"The journal cannot be {str(path)!r}: that keeps nothing. Name a file.")


def refuse_other_files(path: Path, text: bytes) -> None:
    """Refuse a file without a single whole line that is no journal whose head was torn: something else that must stay.

    Raises:
        InputError: it is not.
    """
    start = b'{"format": '
    if not (text[: len(start)] == start or start.startswith(text)):
        raise InputError(f"{str(path)!r} is no journal of an evaluation. Name another file.")


def refuse_other_heads(path: Path, found: BaseModel, head: BaseModel, may_differ: set[str]) -> None:
    """Refuse a journal of another run, by its head, in all but what may differ.

    Raises:
        InputError: it is of another, and how that differs.
    """
    mine, there = head.model_dump(mode="json"), found.model_dump(mode="json")
    other = [name for name in mine if name not in may_differ and not may_be(there[name], mine[name])]
    if other:
        then, now = masked_values(there), masked_values(mine)
        told = "; ".join(f"{name}: {_short(then[name])} there, {_short(now[name])} now" for name in other)
        raise InputError(f"The journal {str(path)!r} is of another run ({told}). Name a new journal, or run the same.")


def _short(value: JsonValue) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}..."  # noqa: PLR2004
