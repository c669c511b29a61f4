"""Pages of results: what a benchmark has measured, and below a line what a person says of it, which stays."""

from __future__ import annotations

import re
from pathlib import Path

from toolquiver.whole_file import write_whole

MARK = "<!-- by hand from here -->"


def write_page(path: Path, text: str) -> None:
    """Write a page anew, as a whole or not at all; from the line `MARK` on it stays as it was."""
    by_hand = _parts(path)[1]
    write_whole(path, text.rstrip("\n") + "\n" + (f"\n{by_hand}" if by_hand else ""))


def section(path: Path, title: str) -> str:
    """What an earlier run has written under this heading; empty where it has not."""
    found = re.search(rf"^## {re.escape(title)}\n+(.*?)(?=^## |\Z)", _parts(path)[0], re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def _parts(path: Path) -> tuple[str, str]:
    """What was measured, and what was written by hand, with the line before it."""
    page = path.read_text("utf-8") if path.exists() else ""
    measured, mark, by_hand = page.partition(f"{MARK}\n")
    return measured, mark + by_hand
