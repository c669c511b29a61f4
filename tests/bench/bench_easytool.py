"""How many tokens instructions save by rule alone: `make bench-easytool` writes `docs/results/easytool.md`.

No model is asked. The data are not part of the project: TOOLQUIVER_DATA names their folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.progress import track

from tests.bench.easytool_documents import Raw, kept, tmdb, to_keep, tokens, toolbench
from tests.bench.pages import write_page
from toolquiver.catalog.instruction import by_rule, purpose_by_rule, rendered

_HEAD = """# Documentation into instructions (EasyTool)

Written by `make bench-easytool`. No model is asked: a rule strips markup and repeated sentences. Tokens are
cl100k's. `before` is the mean of the raw documents, as JSON on one line. `after` is the mean of the instructions: a
line for the tool, then each function with all its parameters, their types and meanings, and its example. `saved` is
1 - after / before, of the means, as in the paper. `each` is the mean of what each document saves. A parameter is kept
where the instruction has its exact name and type and says rightly whether it is required. What is required of an object
counts as parameters too.

Of ToolBench's documents 779 are here: the tools among the candidates of its queries. `gold` are those that a query
needs. RestBench's documents are TMDB's endpoints, each one of its own. EasyTool reports 2,530 -> 748 tokens (70.43%) on
ToolBench and 3,881 -> 103 (97.35%) on RestBench, with ChatGPT.

| documents | n | APIs | before | after | saved | each | parameters | kept |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


class Measured(NamedTuple):
    """What a document came to: tokens, and counts of its APIs and parameters."""

    before: int
    after: int
    gold: bool
    apis: int
    parameters: int
    kept: int


def measured(raw: Raw) -> Measured:
    """What the instruction by rule makes of a document."""
    purpose = purpose_by_rule(raw.apis).purpose if raw.apis else ""
    text = rendered(raw.tool, purpose, [(api.name, by_rule(api)) for api in raw.apis])
    return Measured(
        before=tokens(raw.text),
        after=tokens(text),
        gold=raw.gold,
        apis=len(raw.apis),
        parameters=sum(to_keep(api) for api in raw.apis),
        kept=sum(kept(text, api.name, api) for api in raw.apis),
    )


def row(name: str, found: Sequence[Measured]) -> str:
    """A line of the table."""
    before, after = (sum(one[place] for one in found) / len(found) for place in (0, 1))
    each = sum(1 - one.after / one.before for one in found) / len(found)
    parameters, known = sum(one.parameters for one in found), sum(one.kept for one in found)
    share = f"{100 * known / parameters:.2f}%" if parameters else "-"
    return (
        f"| {name} | {len(found):,} | {sum(one.apis for one in found):,} | {before:,.0f} | {after:,.0f} "
        f"| {100 * (1 - after / before):.2f}% | {100 * each:.1f}% | {parameters:,} | {share} |\n"
    )


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    tools = [measured(raw) for raw in track(toolbench(), "ToolBench")]
    movies = [measured(raw) for raw in tmdb()]
    text = _HEAD + row("ToolBench", tools) + row("ToolBench, gold", [one for one in tools if one.gold])
    text += row("RestBench TMDB", movies)
    print(text)
    if options.report:
        write_page(options.report, text)


if __name__ == "__main__":
    main()
