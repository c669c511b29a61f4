"""What came of the last attempt to write each tool's instruction: how long it took, and why it failed, if it did.

Like that of instructions, the table is made with its first row, so that files made before are read as they were.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

_TABLE = """
CREATE TABLE IF NOT EXISTS attempt (
    subject TEXT NOT NULL,
    model TEXT NOT NULL,
    seconds REAL NOT NULL,
    tokens INTEGER NOT NULL,
    failed TEXT NOT NULL,
    PRIMARY KEY (subject, model)
) WITHOUT ROWID
"""


class Attempt(NamedTuple):
    """`subject` is what the tool's instruction is kept under; `failed` is empty where it was finished."""

    subject: str
    model: str
    seconds: float
    tokens: int
    failed: str = ""


def note(connection: sqlite3.Connection, attempt: Attempt) -> None:
    """Keep this attempt instead of the one before."""
    connection.execute(_TABLE)
    connection.execute("INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?)", attempt)


def attempts(connection: sqlite3.Connection, model: str) -> list[Attempt]:
    """The last attempts of this model, one a tool."""
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'attempt'").fetchone()
    if not there:
        return []
    found = connection.execute("SELECT * FROM attempt WHERE model = ? ORDER BY subject", (model,))
    return [Attempt(*row) for row in found]


def pace(found: Sequence[Attempt]) -> float | None:
    """Tokens of a tool in a second, prompts and answers together; None where no attempt has had any."""
    asked = [one for one in found if one.tokens and one.seconds > 0]
    return sum(one.tokens for one in asked) / sum(one.seconds for one in asked) if asked else None
