"""FuncQA and RestBench TMDB in the evaluation's harness, with and without instructions (easytool.txt, 5.2 and 5.3).

A journal for each data set, system and kind of documentation; a run that was stopped goes on in them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from tests.bench.easytool_writing import catalogue, write_missing
from tests.bench.search_queries import DATA
from toolquiver.catalog import Catalog
from toolquiver.cli.counting import Count
from toolquiver.evaluation.datasets.registry import load_dataset
from toolquiver.evaluation.heads import head_of
from toolquiver.evaluation.journal import Journal, Line, read_journal
from toolquiver.evaluation.records import DataSet, Resources
from toolquiver.evaluation.runner import chosen, left_of, run
from toolquiver.evaluation.systems import system_named

SETS = ("funcqa-one", "funcqa-multi", "restbench-tmdb")
SYSTEMS = ("react", "smurfs")
KINDS = ("raw", "condensed", "instructions", "examples")
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


def instructed(name: str, folder: Path, model: str) -> Instructed:
    """The data set, its instructions written where they are missing; examples are run, nothing of it acts."""
    dataset = load_dataset(name, DATA)
    resources = dataset.resources()
    with catalogue(folder, name, resources.catalog.apis()) as catalog:
        write_missing(catalog, model, "all", callers=resources.callers)
    return Instructed(dataset, folder / f"{name}.db")


def measure(model: BaseChatModel, name: str, folder: Path, limit: int | None = None) -> Iterator[tuple[str, ...]]:
    """Ask every question of each set in each way; the table's rows: set, system, kind, n, means of scores."""
    for set_name in SETS:
        dataset = instructed(set_name, folder, name)
        questions = chosen(dataset.questions(), seed=0, limit=limit)
        for system in SYSTEMS:
            for kind in KINDS:
                path = folder / f"{set_name}-{system}-{kind}.jsonl"
                settings = {"documentation": kind}
                head = head_of(
                    set_name,
                    dataset.questions(),
                    system=system,
                    settings=settings,
                    model=name,
                    seed=0,
                    shard="1/1",
                    timeout=_PATIENCE,
                    concurrency=1,
                )
                made = system_named(system, model=model, settings=settings)
                with (
                    Journal.open(path, head, Line) as journal,
                    Count(len(questions), len(questions) - len(left_of(questions, journal))) as count,
                ):
                    told = partial(_told, count)
                    asyncio.run(run(questions, made, dataset, journal, patience=_PATIENCE, progress=told))
                yield set_name, system, kind, *_means(path)


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
