"""The page of results of `make bench-easytool`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

_HEAD = """# Documentation into instructions (EasyTool)

Written by `make bench-easytool`. Tokens are cl100k's. `before` is the mean of the raw documents, as JSON on one line;
`after` that of the instructions: a line for the tool, one for each function with all its parameters and types, and what
the parameters mean. `saved` is 1 - after / before, of the means, as in the paper; `each` the mean of what each document
saves. A parameter is kept where the instruction's text has it by its exact name and type and says rightly whether it
may be left out.

Of ToolBench's documents 779 are here, those of the tools that occur in the candidates of its queries; `gold` are those
that a query needs. RestBench's documents are TMDB's endpoints, each one of its own. EasyTool reports 2,530 -> 748
tokens (70.43%) on ToolBench and 3,881 -> 103 (97.35%) on RestBench, with ChatGPT, and with an example for each
function; what is made by rule has none.
"""


class Measured(NamedTuple):
    """What a document came to: tokens, and counts of its APIs, parameters and examples."""

    before: int
    after: int
    gold: bool
    apis: int
    parameters: int
    kept: int
    examples: int
    valid: int
    marked: int


def page(ruled: Mapping[str, Sequence[Measured]], local: Mapping[str, Sequence[Measured]]) -> str:
    """The page; what was not measured is not on it."""
    sections = [_HEAD, "## By rule, without a model\n", _table(ruled)]
    if local:
        sections += ["\n## By the local model\n", _table(local), _examples(local)]
    return "\n".join(sections)


def _table(found: Mapping[str, Sequence[Measured]]) -> str:
    lines = [
        "| documents | n | APIs | before | after | saved | each | parameters | kept |",
        f"|{' --- |' * 9}",
    ]
    for name, rows in found.items():
        lines.append(_row(name, rows))
        if 0 < sum(row.gold for row in rows) < len(rows):
            lines.append(_row(f"{name}, gold", [row for row in rows if row.gold]))
    return "\n".join(lines) + "\n"


def _row(name: str, rows: Sequence[Measured]) -> str:
    before, after = (sum(row[place] for row in rows) / len(rows) for place in (0, 1))
    each = sum(1 - row.after / row.before for row in rows) / len(rows)
    parameters, kept = sum(row.parameters for row in rows), sum(row.kept for row in rows)
    share = f"{100 * kept / parameters:.2f}%" if parameters else "-"
    return (
        f"| {name} | {len(rows):,} | {sum(row.apis for row in rows):,} | {before:,.0f} | {after:,.0f} "
        f"| {100 * (1 - after / before):.2f}% | {100 * each:.1f}% | {parameters:,} | {share} |"
    )


def _examples(found: Mapping[str, Sequence[Measured]]) -> str:
    lines = ["| documents | functions | with an example | of these valid | marked |", f"|{' --- |' * 5}"]
    for name, rows in found.items():
        apis, examples = sum(row.apis for row in rows), sum(row.examples for row in rows)
        valid = f"{100 * sum(row.valid for row in rows) / examples:.2f}%" if examples else "-"
        lines.append(f"| {name} | {apis:,} | {examples:,} | {valid} | {sum(row.marked for row in rows):,} |")
    return "\n".join(lines) + "\n"
