"""The benchmark of the papers: every set and system is asked, a second run goes on, the page has a row for each."""

import os
from pathlib import Path

import pytest

from tests.bench import bench_papers as bench
from tests.support.adding import agent
from toolquiver.cli import eval_run
from toolquiver.evaluation.journal import read_journal
from toolquiver.evaluation.opened import dataset_named
from toolquiver.evaluation.systems import settings_kind, system_names
from toolquiver.evaluation.systems.settings import context_with, settings_of
from toolquiver.models import scripted

SMALL = "tests.support.small_set:dataset"
DATA = Path(os.environ.get("TOOLQUIVER_DATA", Path(__file__).parents[3] / "shared/data"))
PAIRS = list(bench.chosen([], []))


@pytest.fixture
def measure(monkeypatch, tmp_path):
    """The page after a run over the small set, which stands for those of the papers."""
    parts = tuple(part._replace(dataset=SMALL, options=()) for part in bench.PARTS)
    monkeypatch.setattr(bench, "PARTS", parts)
    monkeypatch.setattr(eval_run, "load_model", lambda _: scripted(agent))

    def measure(*arguments):
        folder, page = tmp_path / "papers", tmp_path / "papers.md"
        bench.main(["--folder", str(folder), "--report", str(page), *arguments])
        return page.read_text("utf-8")

    return measure


def rows(page):
    """The cells of each row, without the heads of the tables."""
    lines = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| system", "| ---"))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_set_and_system_is_asked_two_questions_and_has_a_row(measure, tmp_path):
    found = rows(measure("--limit", "2"))
    assert [row[0] for row in found] == [pair.name for _, pair in PAIRS]
    assert {row[3] for row in found} == {"2"}
    assert {row[1] for row in found} == {"local"}
    for path in (tmp_path / "papers").iterdir():
        _, lines = read_journal(path)
        assert {line.result.outcome for line in lines} <= {"solved", "partial", "failed"}, (path, lines)
    assert len(list((tmp_path / "papers").iterdir())) == len(PAIRS)


def test_a_larger_limit_goes_on_and_what_was_not_asked_is_said(measure, tmp_path):
    chosen = ("--sets", "hotpotqa", "--systems", "react")
    measure("--limit", "2", *chosen)
    journal = tmp_path / "papers/hotpotqa-react.jsonl"
    before = journal.read_text("utf-8")
    page = measure("--limit", "3", *chosen)
    assert journal.read_text("utf-8").startswith(before)
    assert len(read_journal(journal)[1]) == 3
    assert [row[3] for row in rows(page) if row[2] != "not measured"] == ["3"]
    assert "| smurfs | - | not measured | - | - | - | - | 39.13 (Mistral-7B) | - |" in page


@pytest.mark.parametrize(("part", "pair"), PAIRS, ids=lambda one: one.name)
def test_every_system_takes_its_settings(part, pair):
    assert pair.system in system_names()
    context_with(
        settings_of([*bench._PLAIN.get(pair.system, ()), *pair.settings, "token_budget=9"]), settings_kind(pair.system)
    )


@pytest.mark.parametrize("part", [one for one in bench.PARTS if ":" not in one.dataset], ids=lambda one: one.name)
@pytest.mark.skipif(not DATA.exists(), reason="the data sets are not here")
def test_the_published_sets_take_their_options(part):
    assert dataset_named(part.dataset, DATA, settings_of(part.options)).questions()
