"""The page of results of `make bench-easytool`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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

_SEARCH = """## Search

Over the tools that the local model wrote about: ToolBench's queries whose golds are all among these. `condensed` is a
catalogue of the condensed texts; with instructions an API is found by these and by its own words.
"""
_SELECTION = """## Selection and calls

The local model names the one tool for a query among so many that are like it, by the descriptions of tools and
functions (`select`), or writes a call that nothing constrains with 5 tools at hand, in full (`call`): a name error is a
function that does not exist, a parameter error means arguments that do not fit. What does not fit 7,000 tokens is not
asked.
"""
_PATHS = """## FuncQA and RestBench

With the local model; `examples` are instructions with their examples.
"""
_WORDINGS = """## Other wordings of the prompts

The same tools, written with our prompts and with three rewordings of them.
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


def page(
    ruled: Mapping[str, Sequence[Measured]],
    local: Mapping[str, Sequence[Measured]],
    quality: Sequence[Mapping[str, Any]] = (),
    paths: Sequence[Sequence[str]] = (),
    wordings: Mapping[str, Sequence[Measured]] | None = None,
) -> str:
    """The page; what was not measured is not on it."""
    sections = [_HEAD, "## By rule, without a model\n", _table(ruled)]
    if local:
        sections += ["## By the local model\n", _table(local), _examples(local)]
    if quality:
        sections += [_SEARCH, _searched(quality), _SELECTION, _answered(quality)]
    if paths:
        rows = (f"| {' | '.join(row)} |" for row in paths)
        sections += [_PATHS, "| set | system | documentation | n | means |", f"|{' --- |' * 5}", *rows, ""]
    if wordings:
        sections += [_WORDINGS, _table(wordings), _examples(wordings)]
    return "\n".join(sections)


def _searched(rows: Sequence[Mapping[str, Any]]) -> str:
    mine = [row for row in rows if row["part"] == "search"]
    names = [name for name in mine[0] if "@" in name]
    lines = [f"| documentation | n | {' | '.join(names)} |", f"|{' --- |' * (len(names) + 2)}"]
    for kind in dict.fromkeys(row["kind"] for row in mine):
        of_it = [row for row in mine if row["kind"] == kind]
        means = (f"{sum(row[name] for row in of_it) / len(of_it):.3f}" for name in names)
        lines.append(f"| {kind} | {len(of_it)} | {' | '.join(means)} |")
    return "\n".join(lines) + "\n"


def _answered(rows: Sequence[Mapping[str, Any]]) -> str:
    groups = dict[tuple[str, str, int], list[Mapping[str, Any]]]()
    for row in rows:
        if row["part"] != "search":
            groups.setdefault((row["part"], row["kind"], row["size"]), []).append(row)
    lines = ["| asked for | documentation | tools | n | mean prompt | outcomes |", f"|{' --- |' * 6}"]
    for (part, kind, size), of_it in sorted(groups.items()):
        counts = Counter(row["outcome"] for row in of_it)
        told = ", ".join(f"{name} {count} ({100 * count / len(of_it):.0f}%)" for name, count in counts.most_common())
        prompt = sum(row["prompt"] for row in of_it) / len(of_it)
        lines.append(f"| {part} | {kind} | {size} | {len(of_it)} | {prompt:,.0f} | {told} |")
    return "\n".join(lines) + "\n"


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
