"""What EasyTool's instructions save and what they cost: `make bench-easytool` writes `docs/results/easytool.md`.

Without a model: documents condensed by rule. `make bench-easytool PARTS=local` also writes instructions with the local
model, into catalogues that a run which was stopped goes on in. The data are not part of the project: TOOLQUIVER_DATA
names their folder.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.progress import track

from tests.bench.easytool_documents import Raw, kept, tmdb, tmdb_apis, tokens, toolbench
from tests.bench.easytool_page import Measured, page
from toolquiver.calling import problems
from toolquiver.catalog import API, Catalog, Source
from toolquiver.catalog.instruction import Guideline, by_rule, purpose_by_rule, rendered
from toolquiver.cli.counting import Count
from toolquiver.cli.documenting import left_to_write, write_all
from toolquiver.context import Context
from toolquiver.models import tokens as spent_tokens

FOLDER = Path(".venv/easytool")
SAMPLE = 150  # tools, at random
_LOCAL = "local"

Instruct = Callable[[Raw], tuple[str, list[Guideline]]]
"""The purpose of a document's tool and the guidelines of its APIs."""


def measured(raws: Sequence[Raw], instruct: Instruct, label: str) -> list[Measured]:
    """What each document comes to; the documents of a single API have no line for the tool."""
    return [_measured(raw, instruct) for raw in track(raws, description=label)]


def _measured(raw: Raw, instruct: Instruct) -> Measured:
    purpose, guidelines = instruct(raw)
    functions = [(api.name, guideline) for api, guideline in zip(raw.apis, guidelines, strict=True)]
    text = rendered(raw.tool, purpose, functions)
    examples = [
        (api, one.arguments) for api, one in zip(raw.apis, guidelines, strict=True) if one.arguments is not None
    ]
    return Measured(
        before=tokens(raw.text),
        after=tokens(text),
        gold=raw.gold,
        apis=len(raw.apis),
        parameters=sum(len(api.parameter_list()) for api in raw.apis),
        kept=sum(kept(text, api.name, api) for api in raw.apis),
        examples=len(examples),
        valid=sum(not problems(api, arguments) for api, arguments in examples),
        marked=sum(bool(one.problem) for one in guidelines),
    )


def ruled(raw: Raw) -> tuple[str, list[Guideline]]:
    """By rule alone."""
    return purpose_by_rule(raw.apis).purpose if raw.apis else "", [by_rule(api) for api in raw.apis]


def written_in(catalog: Catalog) -> Instruct:
    """As a catalogue's instructions say; by rule what has none."""

    def instruct(raw: Raw) -> tuple[str, list[Guideline]]:
        found = catalog.instructions.guidelines(raw.apis)
        purpose = catalog.instructions.purpose(raw.apis[0].category, raw.apis[0].tool)
        return purpose, [found.get(api.id) or by_rule(api) for api in raw.apis]

    return instruct


def catalogue(name: str, apis: Sequence[API]) -> Catalog:
    """A catalogue file of these APIs, made where it is not there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.db"
    if path.exists():
        return Catalog.open(path)
    catalog = Catalog.create(path)
    catalog.sync(Source(key=apis[0].source, kind="bench"), apis)
    return catalog


def sampled(raws: Sequence[Raw]) -> list[Raw]:
    """Tools at random of those that have APIs, each id once."""
    having = list({raw.apis[0].category + raw.tool: raw for raw in raws if raw.apis}.values())
    return random.Random(0).sample(having, SAMPLE)


def write_missing(catalog: Catalog) -> None:
    """Let the local model write what is missing."""
    works = left_to_write(catalog, _LOCAL)
    context = Context(model=_LOCAL, try_examples="never")
    with Count(len(works), 0, "tools") as count:
        asyncio.run(
            write_all(
                catalog,
                works,
                context,
                concurrency=1,
                progress=lambda done, spent: count.add("written", done.work.tool, done.seconds, spent_tokens(spent)),
            )
        )


def main() -> None:
    """Measure what is asked for, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], _LOCAL], help="what is measured besides the rules")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    chosen = parser.parse_args()
    raws, movies = toolbench(), tmdb()
    found = {
        "ToolBench": measured(raws, ruled, "ToolBench by rule"),
        "RestBench TMDB": measured(movies, ruled, "TMDB by rule"),
    }
    local = {}
    if _LOCAL in chosen.parts:
        some = sampled(raws)
        for name, apis, which in (
            ("ToolBench", [api for raw in some for api in raw.apis], some),
            ("RestBench TMDB", tmdb_apis(), movies),
        ):
            with catalogue(name.replace(" ", "-").lower(), apis) as catalog:
                write_missing(catalog)
                local[name] = measured(which, written_in(catalog), f"{name} by the local model")
    text = page(found, local)
    print(text)
    if chosen.report:
        chosen.report.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
