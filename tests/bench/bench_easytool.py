"""What EasyTool's instructions save and what they cost: `make bench-easytool` writes `docs/results/easytool.md`.

Without a model: documents condensed by rule, and `PARTS=search`, search over them. With the local model, each going on
where it was stopped: `PARTS="local quality paths"` writes instructions into catalogues, asks for tools and calls
among candidates, and runs FuncQA and RestBench in the harness. The data are not part of the project: TOOLQUIVER_DATA
names their folder.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.progress import track

from tests.bench import easytool_paths, easytool_quality, easytool_search
from tests.bench.easytool_documents import Raw, as_catalogued, kept, tmdb, to_keep, tokens, toolbench
from tests.bench.easytool_page import KEYS, Measured, page
from tests.bench.easytool_writing import catalogue, write_missing
from tests.bench.pages import with_earlier, write_page
from toolquiver.calling import problems
from toolquiver.catalog import Catalog
from toolquiver.catalog.instruction import Guideline, by_rule, purpose_by_rule, rendered
from toolquiver.catalog.named import DEMO, catalog_named
from toolquiver.contexts import EasyToolContext
from toolquiver.models import load_model

FOLDER = Path(".bench/easytool")
SAMPLE = 150  # tools, at random
_LOCAL = "local"
_TOOLBENCH, _TMDB = "ToolBench", "RestBench TMDB"
_PARTS = ("search", "local", "quality", "paths")

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
        parameters=sum(to_keep(api) for api in raw.apis),
        kept=sum(kept(text, api.name, api) for api in raw.apis),
        examples=len(examples),
        valid=sum(not problems(api, arguments) for api, arguments in examples),
        called=sum(one.proof == "called" for one in guidelines),
        marked=sum(bool(one.problem) for one in guidelines),
    )


def ruled(raw: Raw) -> tuple[str, list[Guideline]]:
    """By rule alone."""
    return purpose_by_rule(raw.apis).purpose if raw.apis else "", [by_rule(api) for api in raw.apis]


def written_in(catalog: Catalog) -> Instruct:
    """As a catalogue's instructions say; by rule what has none."""

    def instruct(raw: Raw) -> tuple[str, list[Guideline]]:
        found, tool = catalog.instructions.guidelines(raw.apis), raw.apis[0].tool
        purpose = catalog.instructions.purpose(raw.apis[0].category, tool) if raw.tool == tool else ""
        return purpose, [found.get(api.id) or by_rule(api) for api in raw.apis]

    return instruct


def sampled(raws: Sequence[Raw], count: int, seed: int) -> list[Raw]:
    """Tools at random of those that have APIs, each name once; a larger sample has all of a smaller one."""
    having = list({raw.apis[0].category + raw.tool: raw for raw in raws if raw.apis}.values())
    random.Random(seed).shuffle(having)
    return having[:count]


def sample_written(
    some: Sequence[Raw], folder: Path, context: EasyToolContext, at_once: int, name: str = _TOOLBENCH.lower()
) -> Catalog:
    """A catalogue of just these tools of ToolBench, each with the model's instructions."""
    catalog = catalogue(folder, name, [api for raw in some for api in raw.apis])
    write_missing(catalog, context, at_once)
    return catalog


def written(
    some: Sequence[Raw], movies: Sequence[Raw], folder: Path, context: EasyToolContext, at_once: int
) -> dict[str, list[Measured]]:
    """What the model makes of these tools of ToolBench, of all of TMDB, and of FuncQA, which can be called."""
    found = {}
    with sample_written(some, folder, context, at_once) as catalog:
        name = _TOOLBENCH if len(some) == SAMPLE else f"{_TOOLBENCH}, {len(some)} of its tools"  # each a row of its own
        found[name] = measured(some, written_in(catalog), f"{name} by the model")
    for name, set_name in ((_TMDB, "restbench-tmdb"), ("FuncQA", "funcqa-multi")):
        with Catalog.open(easytool_paths.instructed(set_name, folder, context, at_once).written) as catalog:
            which = movies if name == _TMDB else as_catalogued(catalog)
            found[name] = measured(which, written_in(catalog), f"{name} by the model")
    return found


def shipped() -> dict[str, list[Measured]]:
    """What the demo comes with, where that was written."""
    catalog = asyncio.run(catalog_named(DEMO))
    if not catalog.instructions.versions():
        return {}
    return {"the demo": measured(as_catalogued(catalog), written_in(catalog), "the demo")}


def _chosen() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"what is measured besides the rules: {', '.join(_PARTS)}")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="catalogues and journals; a run goes on in them")
    parser.add_argument("--seed", type=int, default=0, help="of the samples")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="tools of ToolBench that the model writes about")
    parser.add_argument("--limit", type=int, help="questions of each part with a model, and of the search")
    told = "tools that are written about, questions that are asked"
    parser.add_argument("--at-once", type=int, choices=range(1, 17), default=1, metavar="N", help=told)
    parser.add_argument("--sizes", type=int, nargs="+", default=easytool_quality.SIZES, help="numbers of candidates")
    for name in ("sets", "systems", "kinds"):
        known = getattr(easytool_paths, name.upper())
        parser.add_argument(f"--{name}", nargs="+", choices=known, default=known, help="of the part paths")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - set(_PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    return chosen


def main() -> None:
    """Measure what is asked for, and write the page."""
    chosen = _chosen()
    raws, movies = toolbench(), tmdb()
    ruled_ones = {
        _TOOLBENCH: measured(raws, ruled, "ToolBench by rule"),
        _TMDB: measured(movies, ruled, "TMDB by rule"),
    }
    context = EasyToolContext(model=_LOCAL, try_examples="never")
    folder, parts, at_once = chosen.folder, set(chosen.parts), chosen.at_once
    some = sampled(raws, chosen.sample, chosen.seed)
    local = written(some, movies, folder, context, at_once) if "local" in parts else {}
    searched = easytool_search.over_all(folder / "search.jsonl", chosen.limit) if "search" in parts else []
    answered, paths = [], []
    if "quality" in parts:
        with sample_written(some, folder, context, at_once) as catalog:
            searched += easytool_search.over_some(catalog)
            which = easytool_quality.Chosen(chosen.seed, chosen.limit, chosen.sizes, at_once)
            answered = easytool_quality.measure(catalog, load_model(_LOCAL), folder / "quality.jsonl", which)
    if "paths" in parts:
        folder.mkdir(parents=True, exist_ok=True)
        questions = easytool_paths.Chosen(chosen.seed, chosen.limit, chosen.sets, chosen.systems, chosen.kinds, at_once)
        paths = list(easytool_paths.measure(load_model(_LOCAL), context, folder, questions))
    text = page(ruled_ones, local | shipped(), searched=searched, answered=answered, paths=paths)
    print(text)
    if chosen.report:
        write_page(chosen.report, with_earlier(text, chosen.report, KEYS))


if __name__ == "__main__":
    main()
