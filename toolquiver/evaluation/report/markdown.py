"""A report as Markdown: tables, objective ones first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from toolquiver.escaping import visible
from toolquiver.evaluation.report.judged import judged_tables
from toolquiver.evaluation.report.labels import Label
from toolquiver.evaluation.report.measured import Measured, by_dataset
from toolquiver.evaluation.report.overall import overall_tables
from toolquiver.evaluation.report.tables import Table, objective_tables

_MEANT = re.compile(r"([\\`*_{}\[\]<>|#~])")


def markdown(measured: Sequence[Measured], labels: Sequence[Label] = (), against: str = "") -> str:
    """The report's tables in Markdown, of what `gathered` makes of journals and what `labels` say of answers.

    With `against` only that system is compared with each other one. Whatever comes from data, models or tools is
    escaped.
    """
    sets = by_dataset(measured)
    parts = ["# Evaluation"]
    for table in overall_tables(sets):
        parts += [f"## {plain(table.title)}", rendered(table), plain(table.note)]
    for dataset, systems in sets.items():
        parts += [f"## {plain(dataset)}", *(f"- {plain(text)}" for text in conditions(systems))]
        for table in [*objective_tables(systems, against), *judged_tables(systems, labels)]:
            parts += [f"### {plain(table.title)}", rendered(table), plain(table.note)]
    text = "\n\n".join(part for part in parts if part)
    return re.sub(r"(^- .*)\n\n(?=- )", r"\1\n", text, flags=re.MULTILINE) + "\n"


def rendered(table: Table) -> str:
    """A table as Markdown."""
    lines = [table.columns, ["---"] + ["---:"] * (len(table.columns) - 1), *table.rows]
    return "\n".join(f"| {' | '.join(plain(cell) for cell in line)} |" for line in lines)


def plain(text: str) -> str:
    """`text` on one line, with nothing in it that Markdown or HTML would take for a mark; `---` rules a table."""
    line = " ".join(visible(text).split())
    return line if set(line) <= set("-:") else _MEANT.sub(r"\\\1", line)


def conditions(systems: Sequence[Measured]) -> list[str]:
    """Under which settings each system was measured, in a line each."""
    return [f"{one.name}: {_conditions(one)}" for one in systems]


def _conditions(system: Measured) -> str:
    head = system.head
    order = "in the order of the data" if head.seed is None else f"in the order of seed {head.seed}"
    said = [
        f"model {head.model}",
        _pairs(head.settings) or "default settings",
        f"data with {_pairs(head.options)}" if head.options else "",
        f"{head.timeout:g} s a question",
        order,
        ", ".join(f"{name} {version}" for name, version in head.versions.items()),
        f"code {_codes(system)}",
        "" if head.texts else "a journal of figures alone",
        str(head.conditions.get("began", "")),
    ]
    return "; ".join(part for part in said if part)


def _codes(system: Measured) -> str:
    """The code that answered, of several each with how many questions."""
    counts = Counter(line.code or system.head.code for line in system.lines)
    if len(counts) > 1:
        return ", ".join(f"{code} ({count})" for code, count in counts.items())
    return next(iter(counts), system.head.code)


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())
