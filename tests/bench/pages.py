"""Pages of results: what a benchmark has measured, and below a line what a person says of it, which stays.

`python -m tests.bench.pages TARGET REPORT PAGE` makes this target's page of what `toolquiver eval report` has written.
What the page had of other data sets stays: a table of hours is not lost where only another one was measured again. Its
title stays too, since all such reports have the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from toolquiver.evaluation.report.overall import OVERALL
from toolquiver.whole_file import write_whole

MARK = "<!-- by hand from here -->"
_TABLE = re.compile(r"^(\|.*\n)(\|(?: *:?-+:? *\|)+\n)((?:\|.*(?:\n|\Z))*)", re.MULTILINE)  # columns, a rule, rows
_GLANCE = re.compile(r"^### At a glance\n\n((?:\|.*\n)+)", re.MULTILINE)
_OVERALL = f"## {OVERALL}"
_SECTION = re.compile(r"^(?=## )", re.MULTILINE)


def write_page(path: Path, text: str) -> None:
    """Write a page anew, as a whole or not at all; from the line `MARK` on it stays as it was."""
    by_hand = _parts(path)[1]
    write_whole(path, text.rstrip("\n") + "\n" + (f"\n{by_hand}" if by_hand else ""))


def title_of(path: Path, otherwise: str) -> str:
    """The line that the page begins with, where it is a title."""
    found = re.match(r"# .+", _parts(path)[0])
    return found[0] if found else otherwise


def section(path: Path, title: str) -> str:
    """What an earlier run has written under this heading; empty where it has not."""
    found = re.search(rf"^## {re.escape(title)}\n+(.*?)(?=^## |\Z)", _parts(path)[0], re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def with_earlier(text: str, path: Path, keys: Mapping[str, int] | None = None) -> str:
    """The text, with the sections of the earlier page that it does not have, each where it was.

    A section that both have is the new one; `keys` says for the tables in it, by the title of their first column, how
    many columns tell which row it is: earlier rows that the text does not have stay, while the table has its columns.
    """
    head, *new = _SECTION.split(text)
    earlier = {_title(one): one for one in _SECTION.split(_parts(path)[0])[1:]}
    now = {_title(one): _with_rows(one, earlier.get(_title(one), ""), keys or {}) for one in new}
    return "\n\n".join(one.strip() for one in [head, *(earlier | now).values()]) + "\n"


def with_overall(text: str) -> str:
    """The text with a section before the others that has a line for each system of each: what was seen at a glance."""
    head, *sections = _SECTION.split(text)
    kept = [one for one in sections if _title(one) != _OVERALL]
    lines = [line for one in kept for line in _glanced(one)]
    if len(kept) > 1 and lines:
        columns = "| data set | system | n | metric | mean | tokens | model calls | tool calls | seconds |"
        table = "\n".join([columns, "| --- | --- | ---: | --- |" + " ---: |" * 5, *lines])
        kept.insert(0, f"{_OVERALL}\n\n{table}\n\nMeans a question; the sections say under which settings.\n")
    return "\n\n".join(one.strip() for one in [head, *kept]) + "\n"


def _glanced(one: str) -> list[str]:
    found = _GLANCE.search(one)
    if not found:
        return []
    columns, _, *rows = [_cells(line) for line in found[1].strip().splitlines()]
    name = _title(one).removeprefix("## ")
    return [f"| {' | '.join([name, row[0], row[1], columns[2], *row[2:7]])} |" for row in rows]


def _with_rows(new: str, earlier: str, keys: Mapping[str, int]) -> str:
    """A section whose tables keep the earlier rows that it does not have."""
    old = {found[1]: found[3] for found in _TABLE.finditer(earlier)}

    def merged(found: re.Match[str]) -> str:
        count = keys.get(_cells(found[1])[0], 0)
        kept, rows = (_by_key(table, count) for table in (old.get(found[1], ""), found[3]))
        if count and not kept.keys() <= rows.keys():
            return found[1] + found[2] + "".join((kept | rows).values())
        return found[0]

    return _TABLE.sub(merged, new)


def _by_key(table: str, count: int) -> dict[tuple[str, ...], str]:
    """The rows of a table by what tells them apart; rows of which that is the same go together."""
    found: dict[tuple[str, ...], str] = {}
    for row in table.splitlines(keepends=True):
        key = _cells(row)[:count]
        found[key] = found.get(key, "") + row
    return found


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().removeprefix("|").removesuffix("|")))


def _title(one: str) -> str:
    return one.partition("\n")[0].strip()


def _where(path: Path) -> str:
    """Where what was written by hand begins, below many tables."""
    found = re.search(r"^## (.+)", _parts(path)[1], re.MULTILINE)
    return f" [{found[1]}](#{found[1].lower().replace(' ', '-')})" if found else ""


def _parts(path: Path) -> tuple[str, str]:
    """What was measured, and what was written by hand, with the line before it."""
    page = path.read_text("utf-8") if path.exists() else ""
    measured, mark, by_hand = page.partition(f"{MARK}\n")
    return measured, mark + by_hand


if __name__ == "__main__":
    target, report, page = sys.argv[1:]
    title, _, rest = Path(report).read_text("utf-8").partition("\n\n")
    written = f"Written by `make {target}`.{_where(Path(page))}"
    text = f"{title_of(Path(page), title)}\n\n{written}\n\n{rest}"
    write_page(Path(page), with_overall(with_earlier(text, Path(page))))
