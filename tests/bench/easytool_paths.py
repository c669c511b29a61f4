"""FuncQA and RestBench TMDB in the evaluation's harness, with and without instructions (easytool.txt, 5.2 and 5.3).

A journal for each data set, system and kind of documentation; a run that was stopped goes on in them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from pydantic import JsonValue

from tests.bench.easytool_writing import catalogue, write_missing
from tests.bench.search_queries import DATA
from toolquiver.catalog import Catalog
from toolquiver.cli.counting import Count
from toolquiver.contexts import EasyToolContext
from toolquiver.evaluation.datasets.registry import load_dataset
from toolquiver.evaluation.heads import Head, head_of
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.lines import Line
from toolquiver.evaluation.records import DataSet, Resources, System
from toolquiver.evaluation.runner import chosen as some_of
from toolquiver.evaluation.runner import left_of, run
from toolquiver.evaluation.systems import system_named

SETS = ("funcqa-one", "funcqa-multi", "restbench-tmdb")
SYSTEMS = ("react", "easytool_pipeline")
KINDS = ("raw", "condensed", "instructions", "descriptions")
_WRITTEN = {"instructions", "descriptions"}
_FILES = {"funcqa-one": "funcqa", "funcqa-multi": "funcqa"}  # of the same functions
_PATIENCE = 900.0  # seconds a question


@dataclass(frozen=True)
class Instructed:
    """A data set whose catalogue has the instructions that were written about it."""

    dataset: DataSet
    written: Path

    @property
    def name(self) -> str:
        return self.dataset.name

    def questions(self) -> Any:
        return self.dataset.questions()

    def score(self, question: Any, result: Any) -> Any:
        return self.dataset.score(question, result)

    def resources(self) -> Resources:
        found = self.dataset.resources()
        with Catalog.open(self.written) as catalog:
            found.catalog.instructions.put(catalog.instructions.versions())
        return found


class Chosen(NamedTuple):
    """Which part is measured: so many questions of each set in an order by chance, and these sets, systems, kinds."""

    seed: int
    limit: int | None
    sets: Sequence[str] = SETS
    systems: Sequence[str] = SYSTEMS
    kinds: Sequence[str] = KINDS
    at_once: int = 1


def instructed(name: str, folder: Path, context: EasyToolContext, at_once: int) -> Instructed:
    """The data set, its instructions written where they are missing; examples are run, nothing of it acts."""
    dataset = load_dataset(name, DATA)
    resources = dataset.resources()
    with catalogue(folder, _FILES.get(name, name), resources.catalog.apis()) as catalog:
        write_missing(catalog, replace(context, try_examples="all"), at_once, callers=resources.callers)
    return Instructed(dataset, folder / f"{_FILES.get(name, name)}.db")


def measure(model: BaseChatModel, context: EasyToolContext, folder: Path, chosen: Chosen) -> Iterator[tuple[str, ...]]:
    """Ask the questions of each set in each way; the table's rows: set, system, kind, n, means of scores."""
    for name in chosen.sets:
        plain = load_dataset(name, DATA)
        written = instructed(name, folder, context, chosen.at_once) if set(chosen.kinds) & _WRITTEN else None
        for system in chosen.systems:
            for kind in chosen.kinds:
                # Search finds by instructions too, so the other kinds have a catalogue without.
                dataset = written if written and kind in _WRITTEN else plain
                settings: dict[str, JsonValue] = {"documentation": kind}
                head = head_of(
                    name,
                    dataset.questions(),
                    system=system,
                    settings=settings,
                    model=context.model,
                    seed=chosen.seed,
                    shard="1/1",
                    timeout=_PATIENCE,
                    concurrency=chosen.at_once,
                )
                path = folder / f"{name}-{system}-{kind}-{chosen.seed}.jsonl"
                made = system_named(system, model=model, settings=settings)
                _run(dataset, made, head, path, chosen)
                yield name, system, kind, *_means(path)


def _run(dataset: DataSet, made: System, head: Head, path: Path, chosen: Chosen) -> None:
    questions = some_of(dataset.questions(), seed=head.seed, limit=chosen.limit)
    with (
        Journal.open(path, head, Line) as journal,
        Count(len(questions), len(questions) - len(left_of(questions, journal))) as count,
    ):
        told = partial(_told, count)
        asyncio.run(
            run(questions, made, dataset, journal, concurrency=chosen.at_once, patience=_PATIENCE, progress=told)
        )


def _told(count: Count, line: Line) -> None:
    count.add(line.result.outcome, line.key, line.result.seconds)


def _means(path: Path) -> tuple[str, str]:
    _, lines = read_journal(path)
    names = dict.fromkeys(name for line in lines for name in line.scores)
    means = []
    for name in names:
        values = [value for line in lines if (value := line.scores.get(name)) is not None]
        if values:
            means.append(f"{name} {sum(values) / len(values):.2f}")
    return str(len(lines)), ", ".join(means)
