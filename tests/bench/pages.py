"""Pages of results: what a benchmark has measured, and below a line what a person says of it, which stays.

`python -m tests.bench.pages TARGET REPORT PAGE` makes this target's page of what `toolquiver eval report` has written.
What the page had of other data sets stays: a table of hours is not lost where only another one was measured again.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MARK = "<!-- by hand from here -->"
_SECTION = re.compile(r"^(?=## )", re.MULTILINE)


def write_page(path: Path, text: str) -> None:
    """Write a page anew, as a whole or not at all; from the line `MARK` on it stays as it was."""
    by_hand = _parts(path)[1]
    new = path.with_name(path.name + ".new")
    new.write_text(text.rstrip("\n") + "\n" + (f"\n{by_hand}" if by_hand else ""), "utf-8")
    new.replace(path)


def section(path: Path, title: str) -> str:
    """What an earlier run has written under this heading; empty where it has not."""
    found = re.search(rf"^## {re.escape(title)}\n+(.*?)(?=^## |\Z)", _parts(path)[0], re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def with_earlier(text: str, path: Path) -> str:
    """The text, with the sections of the earlier page that it does not have, each where it was."""
    head, *new = _SECTION.split(text)
    now = {_title(one): one for one in new}
    earlier = {_title(one): one for one in _SECTION.split(_parts(path)[0])[1:]}
    return "\n\n".join(one.strip() for one in [head, *(earlier | now).values()]) + "\n"


def _title(one: str) -> str:
    return one.partition("\n")[0].strip()


def _parts(path: Path) -> tuple[str, str]:
    """What was measured, and what was written by hand, with the line before it."""
    page = path.read_text("utf-8") if path.exists() else ""
    measured, mark, by_hand = page.partition(f"{MARK}\n")
    return measured, mark + by_hand


if __name__ == "__main__":
    target, report, page = sys.argv[1:]
    title, _, rest = Path(report).read_text("utf-8").partition("\n\n")
    text = f"{title}\n\nWritten by `make {target}`.\n\n{rest}"
    write_page(Path(page), with_earlier(text, Path(page)))
