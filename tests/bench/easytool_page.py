"""The page of results of `make bench-easytool`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_HEAD = """# Documentation into instructions (EasyTool)

Written by `make bench-easytool`. Tokens are cl100k's. `before` is the mean of the raw documents, as JSON on one line;
`after` that of the instructions: a line for the tool, then each function with all its parameters, their types and
meanings, and its example. `saved` is 1 - after / before, of the means, as in the paper; `each` the mean of what each
document saves. A parameter is kept where the instruction's text has it by its exact name and type and says rightly
whether it may be left out; what is required of an object counts as parameters too.

Of ToolBench's documents 779 are here, those of the tools that occur in the candidates of its queries; `gold` are those
that a query needs. RestBench's documents are TMDB's endpoints, each one of its own. EasyTool reports 2,530 -> 748
tokens (70.43%) on ToolBench and 3,881 -> 103 (97.35%) on RestBench, with ChatGPT.
"""

_LOCAL = """## By the local model

FuncQA's and the demo's documents are what the catalogue has of them, as JSON; their functions can be called, and so can
TMDB's, whose answers are those of its document.
"""
_SEARCH = """## Search

`all of ToolBench`: its queries of the half that search's weights were not chosen on, over its 16,463 APIs; no model is
asked. Over fewer APIs: the queries whose golds are all among the tools that the local model wrote about. `condensed` is
a catalogue of the condensed texts; with instructions an API is found by these and by its own words.
"""
_SELECTION = """## Selection and calls

The local model names the one tool for a query among so many that are like it, by the descriptions of tools and
functions (`select`), or writes a call that nothing constrains with 5 tools at hand, in full (`call`): a name error is a
function that does not exist, a parameter error means arguments that do not fit. What does not fit 7,000 tokens is not
asked.
"""
_PATHS = """## FuncQA and RestBench

With the local model; `descriptions` are instructions without their examples.
"""

KEYS = {"documents": 1, "over": 3, "asked for": 3, "set": 3}
"""How many columns of each table say what a row is about: rows that a run does not measure stay on the page."""


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
    called: int
    marked: int


def page(
    ruled: Mapping[str, Sequence[Measured]],
    local: Mapping[str, Sequence[Measured]],
    *,
    searched: Sequence[Mapping[str, Any]] = (),
    answered: Sequence[Mapping[str, Any]] = (),
    paths: Sequence[Sequence[str]] = (),
) -> str:
    """The page; what was not measured is not on it."""
    sections = [_HEAD, "## By rule, without a model\n", _table(ruled)]
    if local:
        sections += [_LOCAL, _table(local), _examples(local)]
    if searched:
        sections += [_SEARCH, _searched(searched)]
    if answered:
        sections += [_SELECTION, _answered(answered)]
    if paths:
        rows = (f"| {' | '.join(row)} |" for row in paths)
        sections += [_PATHS, "| set | system | documentation | n | means |", f"|{' --- |' * 5}", *rows, ""]
    return "\n".join(sections)


def _searched(rows: Sequence[Mapping[str, Any]]) -> str:
    names = [name for name in rows[0] if "@" in name]
    lines = [f"| over | queries | documentation | n | {' | '.join(names)} |", f"|{' --- |' * (len(names) + 4)}"]
    for part in dict.fromkeys(row["part"] for row in rows):
        of_part = [row for row in rows if row["part"] == part]
        for group in ("all", *sorted({row["group"] for row in of_part})):
            of_group = [row for row in of_part if group in {"all", row["group"]}]
            for kind in dict.fromkeys(row["kind"] for row in of_group):
                mine = [row for row in of_group if row["kind"] == kind]
                means = (f"{sum(row[name] for row in mine) / len(mine):.3f}" for name in names)
                lines.append(f"| {part} | {group} | {kind} | {len(mine)} | {' | '.join(means)} |")
    return "\n".join(lines) + "\n"


def _answered(rows: Sequence[Mapping[str, Any]]) -> str:
    groups = dict[tuple[str, str, int], list[Mapping[str, Any]]]()
    for row in rows:
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
    lines = ["| documents | functions | with an example | of these valid | called | marked |", f"|{' --- |' * 6}"]
    for name, rows in found.items():
        apis, examples = sum(row.apis for row in rows), sum(row.examples for row in rows)
        valid = f"{100 * sum(row.valid for row in rows) / examples:.2f}%" if examples else "-"
        called, marked = sum(row.called for row in rows), sum(row.marked for row in rows)
        lines.append(f"| {name} | {apis:,} | {examples:,} | {valid} | {called:,} | {marked:,} |")
    return "\n".join(lines) + "\n"
