"""Whether quiver sees that none of a few tools helps: `make bench-fits` writes `docs/results/fits.md`.

Small catalogues of the demo's tools, chosen at random: with what a request needs, and without. Nothing is planned or
called; what counts is whether quiver goes on to plan.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from langchain_core.tools import BaseTool
from rich.progress import track

from tests.bench.bench_smurfs import revision
from tests.bench.compositions import compositions
from tests.bench.fresh_compositions import fresh_compositions
from tests.bench.nested import calls_of
from tests.bench.pages import write_page
from toolquiver import Catalog
from toolquiver.catalog.demo import tools
from toolquiver.contexts import QuiverContext
from toolquiver.graphs import quiver

_TOOLS = 5
_EACH = 7  # every so many of the compositions
_OTHER = (
    "Who painted the Mona Lisa?",
    "Recommend a novel about the sea.",
    "How do I get red wine out of a carpet?",
    "Which team won the cup final in 1994?",
    "What did my sister say yesterday?",
    "Write a poem about autumn leaves.",
    "Is it going to rain in Bergen this afternoon?",
    "Why is the sky blue?",
    "Order two pizzas to my office.",
    "What is the meaning of life?",
    "Which film won the most Oscars?",
    "How much is a ticket for the museum?",
)

Case = tuple[str, str, list[BaseTool]]


def cases(seed: int) -> list[Case]:
    """What the tools are, the request, and the tools."""
    pick, every = random.Random(seed), tools()
    named = {tool.name: tool for tool in every}
    found = list[Case]()
    for one in [*compositions(), *fresh_compositions()][::_EACH]:
        needed = [named[name] for name in dict.fromkeys(call.api for call in calls_of(one.gold)) if name in named]
        subjects = {_subject(tool) for tool in needed}
        others = pick.sample([tool for tool in every if _subject(tool) not in subjects], _TOOLS)
        found.append(("some of them are needed", one.query, [*needed, *others][:_TOOLS]))
        found.append(("of other categories than what is needed", one.query, others))
    return found + [("any, and no API would help", text, pick.sample(every, _TOOLS)) for text in _OTHER]


def _subject(tool: BaseTool) -> str:
    return str((tool.metadata or {})["category"])


async def goes_on(query: str, some: Sequence[BaseTool], model: str) -> tuple[bool, bool]:
    """Whether quiver plans with these tools, and whether it asked the model about them."""
    graph = quiver.build(catalog=Catalog.from_tools(some), model=model)
    asked = False
    async for task in graph.astream({"query": query}, context=QuiverContext(ask=False), stream_mode="tasks"):
        if task["name"] in ("plan", "present"):  # it begins: nothing is planned here
            return task["name"] == "plan", asked
        asked = asked or task["name"] == "solvable"
    raise AssertionError("quiver neither plans nor ends")


async def measured(seed: int, model: str) -> list[list[str]]:
    """A row for each kind of tools."""
    counts = Counter[tuple[str, str]]()
    for kind, query, some in track(cases(seed), description="small catalogues"):
        on, asked = await goes_on(query, some, model)
        counts.update({(kind, "n"): 1, (kind, "on"): on, (kind, "asked"): asked})
        print(f"{kind}: {query} {[tool.name for tool in some]} {'goes on' if on else 'no tool fits'}")
    kinds = dict.fromkeys(kind for kind, _ in counts)
    return [[kind, *(str(counts[kind, what]) for what in ("n", "on", "asked"))] for kind in kinds]


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--model", default="local")
    parser.add_argument("--report", type=Path, default=Path("docs/results/fits.md"))
    options = parser.parse_args()
    rows = asyncio.run(measured(options.seed, options.model))
    lines = [
        "# Small catalogues: does any tool fit?",
        "",
        f"Written by `make bench-fits`. Model: {options.model}, revision {revision()}. {_TOOLS} APIs of the demo each.",
        "Right is to go on where some are needed, and else to say that no tool fits.",
        "",
        "| the tools | n | goes on | the model was asked |",
        "| --- | --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    write_page(options.report, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
