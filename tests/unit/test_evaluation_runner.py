"""Running questions: each once, several at a time, within their time; killed and started again, nothing is lost."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit import small_set
from tests.unit.small_set import Sums, good, result
from tests.unit.test_evaluation_journal import head
from toolquiver.errors import InputError, ModelUnreachable
from toolquiver.evaluation import Result
from toolquiver.evaluation.journal import Journal, Line, read_journal
from toolquiver.evaluation.reached import reached
from toolquiver.evaluation.runner import chosen, run, shard_of

ROOT = Path(__file__).parents[2]
SUMS = Sums()
QUESTIONS = SUMS.questions()


def measured(path, system=good, questions=QUESTIONS, dataset=SUMS, **options):
    with Journal.open(path, head(), Line) as journal:
        asyncio.run(run(questions, system, dataset, journal, **options))
    return read_journal(path)[1]


def told(lines):
    """What lines say besides how long it took."""
    return {
        line.key: line.model_copy(update={"result": line.result.model_copy(update={"seconds": 0})}) for line in lines
    }


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def test_every_question_is_answered_scored_and_written_down(path):
    shown = []
    lines = measured(path, progress=shown.append)
    assert [line.key for line in lines] == [question.id for question in QUESTIONS]
    assert lines == shown
    assert all(line.scores == {"accuracy": 1.0, "calls": 1.0} for line in lines)
    assert {line.result.question for line in lines} == {question.id for question in QUESTIONS}


@pytest.mark.parametrize("concurrency", [1, 3, 50])
def test_as_many_are_at_work_as_may_be(path, concurrency):
    at_work, most = set(), []

    async def busy(question, resources):
        at_work.add(question.id)
        most.append(len(at_work))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        at_work.remove(question.id)
        return result(question)

    assert len(measured(path, busy, concurrency=concurrency)) == 8
    assert max(most) == min(concurrency, 8)


def test_what_a_system_raises_is_its_result_and_the_others_go_on(path):
    async def fragile(question, resources):
        reached(lambda: result(question, right=False))
        if question.group == "odd":
            raise RuntimeError("It broke.")
        return result(question)

    lines = measured(path, fragile, concurrency=2)
    assert len(lines) == 8
    broken = [line for line in lines if line.question.group == "odd"]
    assert {(line.result.outcome, line.result.reason) for line in broken} == {("error", "RuntimeError: It broke.")}
    assert all(len(line.result.calls) == 1 and line.result.usage for line in broken)  # what was spent stays
    assert all(line.scores["accuracy"] == 0 for line in broken)


@pytest.mark.parametrize("own", [False, True])
def test_the_end_of_its_time_is_a_result_a_system_s_own_is_an_error(path, own):
    async def slow(question, resources):
        if own:
            raise TimeoutError("mine")
        reached(lambda: Result(question="", outcome="failed", usage=result(question).usage))
        await asyncio.sleep(60)

    lines = measured(path, slow, questions=QUESTIONS[:1], patience=0.01)
    expected = ("error", "TimeoutError: mine") if own else ("timeout", "No answer within 0.01 seconds.")
    assert (lines[0].result.outcome, lines[0].result.reason) == expected
    assert bool(lines[0].result.usage) is not own
    assert measured(path, good, questions=QUESTIONS[:1])[0].result.outcome == expected[0]
    assert measured(path, good, questions=QUESTIONS[:1], retry=True)[0].result.outcome == "solved"


def test_a_model_that_cannot_be_reached_ends_the_run_and_no_question_is_lost(path):
    async def half_way(question, resources):
        if question.id == "sum-3":
            raise ModelUnreachable("Nothing answers.")
        return result(question)

    with pytest.raises(ModelUnreachable):
        measured(path, half_way)
    assert len(read_journal(path)[1]) == 3
    assert told(measured(path)) == told(measured(path.with_name("other.jsonl")))


def test_a_system_may_clear_up_once_its_result_is_safe(path):
    forgotten = []

    class Tidy:
        async def __call__(self, question, resources):
            return result(question)

        async def forget(self, question):
            assert question.id in path.read_text()
            forgotten.append(question.id)

    measured(path, Tidy())
    assert forgotten == [question.id for question in QUESTIONS]


@settings(max_examples=60)
@given(stops=st.lists(st.integers(0, 7), max_size=4), concurrency=st.integers(1, 4), torn=st.integers(0, 80))
def test_interrupted_and_resumed_it_is_as_if_it_never_was(tmp_path_factory, stops, concurrency, torn):
    folder = tmp_path_factory.mktemp("runs")
    whole = measured(folder / "whole.jsonl")
    path, asked = folder / "stopped.jsonl", []
    for stop in [*stops, None]:
        begun = []

        async def stopping(question, resources, stop=stop, begun=begun):
            begun.append(question.id)
            if len(begun) - 1 == stop:
                raise ModelUnreachable("The end.")
            await asyncio.sleep(0)
            asked.append(question.id)
            return result(question)

        try:
            measured(path, stopping, concurrency=concurrency)
        except ModelUnreachable:
            lines = path.read_bytes()
            path.write_bytes(lines + lines.splitlines(keepends=True)[-1][:-1][:torn])  # as if it was killed writing
    assert told(read_journal(path)[1]) == told(whole)
    assert path.read_bytes().count(b"\n") == 9  # a head, and each question once


def test_killed_again_and_again_nothing_is_lost_or_asked_twice(path, tmp_path):
    """SIGKILL in the middle of questions: only those in progress are asked again."""
    asked = tmp_path / "asked"
    command = [sys.executable, "-m", "tests.unit.run_small_set", str(path), "2"]
    environment = os.environ | {"ASKED": str(asked), "PAUSE": "0.05", "PYTHONPATH": str(ROOT)}
    kills = 0
    for wanted in (1, 3, 5):
        process = subprocess.Popen(command, env=environment, cwd=ROOT)
        while process.poll() is None and lines_of(path) <= wanted:
            time.sleep(0.002)
        kills += process.poll() is None
        process.kill()
        process.wait()
    assert kills == 3
    subprocess.run(command, env=environment, cwd=ROOT, check=True)
    assert told(read_journal(path)[1]) == told(measured(tmp_path / "whole.jsonl"))
    questions = asked.read_text().split()
    assert set(questions) == {question.id for question in QUESTIONS}
    assert len(questions) <= len(QUESTIONS) + 2 * kills  # two at a time were in progress
    assert path.read_bytes().count(b"\n") == 9


def lines_of(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_shards_share_out_the_questions():
    for seed in (None, 7):
        shards = [chosen(QUESTIONS, seed=seed, shard=f"{number}/3", limit=7) for number in (1, 2, 3)]
        assert [len(shard) for shard in shards] == [3, 2, 2]
        together = {question.id for shard in shards for question in shard}
        assert together == {question.id for question in chosen(QUESTIONS, seed=seed, limit=7)}


def test_a_seed_shuffles_and_a_higher_limit_only_adds():
    order = [question.id for question in chosen(QUESTIONS, seed=7)]
    assert order != [question.id for question in QUESTIONS] != [question.id for question in chosen(QUESTIONS, seed=8)]
    assert sorted(order) == [question.id for question in QUESTIONS]
    assert [question.id for question in chosen(QUESTIONS, seed=7, limit=3)] == order[:3]


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "-1/2", "1/2\n"])
def test_what_is_no_shard_is_refused(shard):
    with pytest.raises(InputError, match="must be i/n"):
        shard_of(shard)


def test_questions_must_have_ids_of_their_own():
    with pytest.raises(InputError, match="'sum-1'"):
        chosen([*QUESTIONS, QUESTIONS[1]])
    with pytest.raises(InputError, match="limit"):
        chosen(QUESTIONS, limit=0)


def test_the_small_set_knows_right_from_wrong():
    assert small_set.dataset.score(QUESTIONS[2], result(QUESTIONS[2], right=False))["accuracy"] == 0
