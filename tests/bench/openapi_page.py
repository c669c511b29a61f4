"""The page about real documents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from tests.bench.one_import import Row

_HEAD = """# Real OpenAPI documents

Written by `make bench-openapi`. {about}
Each document is imported into a catalogue of its own, in a process of its own that may use {megabytes:,} MB and
{seconds:g} s of a processor; the network is not needed.
"""
_NAMES = {
    "whole": "import whole",
    "parts": "import with `--skip-broken`",
    "error": "one clear error, nothing imported",
    "crash": "crash",
    "memory": "too much memory",
    "time": "too slow",
}


def page(rows: list[Row], about: str, *, seconds: float, megabytes: int) -> str:
    """The Markdown page of these rows."""
    others = [row for row in rows if row["outcome"] != "whole"]
    sections = [
        _HEAD.format(about=about, seconds=seconds, megabytes=megabytes),
        _outcomes(rows),
        *([_reasons(others)] if others else []),
        _keys(rows),
        _most(rows, "seconds", "Slowest"),
        _most(rows, "megabytes", "Largest in memory"),
    ]
    return "\n".join(sections)


def _outcomes(rows: list[Row]) -> str:
    lines = ["| | documents | operations | left out |", "| --- | --- | --- | --- |"]
    for outcome, name in _NAMES.items():
        of_it = [row for row in rows if row["outcome"] == outcome]
        lines.append(f"| {name} | {len(of_it):,} | {_sum(of_it, 'operations'):,} | {_sum(of_it, 'skipped'):,} |")
    lines.append(f"| all | {len(rows):,} | {_sum(rows, 'operations'):,} | {_sum(rows, 'skipped'):,} |")
    return "\n".join(lines) + "\n"


def _reasons(rows: list[Row]) -> str:
    by_reason: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_reason[_reason(row)].append(row)
    lines = ["## What is said of the others\n", "| documents | what is said | for example |", "| --- | --- | --- |"]
    for reason, of_it in sorted(by_reason.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        lines.append(f"| {len(of_it)} | {_cell(reason)} | `{of_it[0]['file']}`: {_cell(_place(of_it[0]))} |")
    return "\n".join(lines) + "\n"


def _keys(rows: list[Row]) -> str:
    """The parameters that are kept from models and that no security scheme asks for."""
    names = Counter(name for row in rows for name in row.get("keys", ()))
    documents = sum(bool(row.get("keys")) for row in rows)
    lines = [
        "## Parameters that are credentials\n",
        f"{documents:,} documents have some beside what their security schemes ask for; the most frequent:\n",
        "| parameter | documents |",
        "| --- | --- |",
    ]
    return "\n".join([*lines, *(f"| `{name}` | {count:,} |" for name, count in names.most_common(12))]) + "\n"


def _most(rows: list[Row], what: str, title: str) -> str:
    most = sorted((row for row in rows if what in row), key=lambda row: -row[what])[:10]
    lines = [f"## {title}\n", f"| document | {what} | operations |", "| --- | --- | --- |"]
    lines += [f"| `{row['file']}` | {row[what]:,} | {row.get('operations', 0):,} |" for row in most]
    return "\n".join(lines) + "\n"


def _sum(rows: list[Row], what: str) -> int:
    return sum(row.get(what, 0) for row in rows)


def _reason(row: Row) -> str:
    """What is said, without the place and without the names that differ from document to document."""
    message = row.get("message", row["outcome"]).removeprefix(_place(row)).removeprefix(": ")
    return re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", message)


def _place(row: Row) -> str:
    found = re.match(r"\S+#[^\s:]*(?::[^\s:]+)*", row.get("message", ""))
    return found[0] if found else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
