"""What was measured, a line each in a file, so that a run that was stopped goes on there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    """What was measured; a torn last line is left out."""
    if not path.exists():
        return []
    text = path.read_bytes()
    return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


def add(path: Path, measured: Sequence[Row]) -> None:
    """Write down what was measured; a torn last line makes room for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        file.seek(0)
        text = file.read()
        file.truncate(len(text[: text.rfind("\n") + 1].encode()))
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in measured)
