"""What EasyTool's instructions save and what they cost: `make bench-easytool` writes `docs/results/easytool.md`.

Without a model: documents condensed by rule. With the local model, each going on where it was stopped:
`PARTS="local quality paths wordings"` writes instructions into catalogues, asks for tools and calls among candidates,
runs FuncQA and RestBench in the harness, and writes with other prompts. The data are not part of the project:
TOOLQUIVER_DATA names their folder.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.progress import track

from tests.bench import easytool_paths, easytool_quality
from tests.bench.easytool_documents import Raw, kept, tmdb, tmdb_apis, tokens, toolbench
from tests.bench.easytool_page import Measured, page
from tests.bench.easytool_wordings import COUNT, worded
from tests.bench.easytool_writing import catalogue, write_missing
from tests.bench.pages import write_page
from toolquiver.calling import problems
from toolquiver.catalog import Catalog
from toolquiver.catalog.instruction import Guideline, by_rule, purpose_by_rule, rendered
from toolquiver.models import load_model

FOLDER = Path(".venv/easytool")
SAMPLE = 150  # tools, at random
_LOCAL = "local"
_TOOLBENCH, _TMDB = "ToolBench", "RestBench TMDB"
_PARTS = ("local", "quality", "paths", "wordings")

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


def sampled(raws: Sequence[Raw], count: int) -> list[Raw]:
    """Tools at random of those that have APIs, each name once."""
    having = list({raw.apis[0].category + raw.tool: raw for raw in raws if raw.apis}.values())
    return random.Random(0).sample(having, count)


def written(raws: Sequence[Raw], movies: Sequence[Raw], count: int) -> dict[str, list[Measured]]:
    """What the local model makes of so many tools of ToolBench and of all of TMDB."""
    found = {}
    some = sampled(raws, count)
    for name, apis, which in (
        (_TOOLBENCH, [api for raw in some for api in raw.apis], some),
        (_TMDB, tmdb_apis(), movies),
    ):
        with catalogue(FOLDER, _file(name), apis) as catalog:
            write_missing(catalog, _LOCAL)
            found[name] = measured(which, written_in(catalog), f"{name} by the local model")
    return found


def worded_otherwise(raws: Sequence[Raw], count: int) -> dict[str, list[Measured]]:
    """The same tools with our prompts and three rewordings of them."""
    some = sampled(raws, count)
    found = {}
    for number in range(COUNT + 1):
        name = f"wording {number}" if number else "our wording"
        apis = [api for raw in some for api in raw.apis]
        with worded(number), catalogue(FOLDER, f"wording-{number}", apis) as catalog:
            write_missing(catalog, _LOCAL)
            found[name] = measured(some, written_in(catalog), name)
    return found


def main() -> None:
    """Measure what is asked for, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"what is measured besides the rules: {', '.join(_PARTS)}")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="tools of ToolBench that the model writes about")
    parser.add_argument("--wordings", type=int, default=20, help="tools that each wording is tried on")
    parser.add_argument("--limit", type=int, help="questions of each part with a model")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - set(_PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    raws, movies = toolbench(), tmdb()
    ruled_ones = {
        _TOOLBENCH: measured(raws, ruled, "ToolBench by rule"),
        _TMDB: measured(movies, ruled, "TMDB by rule"),
    }
    local = written(raws, movies, chosen.sample) if {"local", "quality"} & set(chosen.parts) else {}
    quality, paths = [], []
    if "quality" in chosen.parts:
        with Catalog.open(FOLDER / f"{_file(_TOOLBENCH)}.db") as catalog:
            quality = easytool_quality.measure(catalog, load_model(_LOCAL), FOLDER / "quality.jsonl", chosen.limit)
    if "paths" in chosen.parts:
        FOLDER.mkdir(parents=True, exist_ok=True)
        paths = list(easytool_paths.measure(load_model(_LOCAL), _LOCAL, FOLDER, chosen.limit))
    wordings = worded_otherwise(raws, chosen.wordings) if "wordings" in chosen.parts else {}
    text = page(ruled_ones, local, quality, paths, wordings)
    print(text)
    if chosen.report:
        write_page(chosen.report, text)


def _file(name: str) -> str:
    return name.replace(" ", "-").lower()


if __name__ == "__main__":
    main()
