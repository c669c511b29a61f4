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

from tests.support import small_set
from tests.support.small_set import ADD, Sums, good, head, result
from toolquiver.calling.replay import Simulator
from toolquiver.catalog import API
from toolquiver.errors import InputError, ModelUnreachable
from toolquiver.evaluation import Result
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.lines import Line
from toolquiver.evaluation.reached import reached, simulated
from toolquiver.evaluation.report import gathered, page
from toolquiver.evaluation.runner import chosen, run, shard_of, together
from toolquiver.evaluation.systems.own import OwnSystem
from toolquiver.models import scripted
from toolquiver.prompts import load_prompt

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


def raising(error, *, apart):
    def plain(query):
        if "3" in query:
            raise error
        return f"It is {2 * int(query.split()[-1].rstrip('?'))} ."

    async def own(query):
        return plain(query)

    return OwnSystem(plain if apart else own)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("error", [asyncio.CancelledError(), SystemExit(1), StopIteration("empty"), ValueError("no")])
def test_whatever_ends_an_agent_is_its_result_and_no_question_is_lost(path, error, apart):
    lines = measured(path, raising(error, apart=apart), concurrency=2, patience=30)
    assert len(lines) == 8
    (broken,) = [line for line in lines if line.result.outcome == "error"]
    assert broken.key == "sum-3"
    assert broken.result.reason


def test_a_run_that_is_cancelled_ends(path):
    async def cancelled():
        with Journal.open(path, head(), Line) as journal:
            asked = asyncio.create_task(run(QUESTIONS, waiting, SUMS, journal, concurrency=2))
            await asyncio.sleep(0)
            await asyncio.sleep(0.05)
            asked.cancel()
            await asked

    async def waiting(question, resources):
        await asyncio.sleep(60)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    assert read_journal(path)[1] == []


def test_work_that_is_cancelled_from_within_is_not_lost_silently():
    async def cancels(item):
        raise asyncio.CancelledError

    with pytest.raises(InputError, match="Run the same again"):
        asyncio.run(together([1, 2], cancels, 1))


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


def spends(prompt):
    return {"agent": {"calls": 1, "prompt": prompt, "completion": 0, "cached": 0, "estimated": 0}}


def test_what_every_attempt_spent_counts(path):
    attempts = []

    async def flaky(question, resources):
        attempts.append(question.id)
        outcome = "error" if len(attempts) < 3 else "solved"
        return Result(question="", outcome=outcome, answer="0", usage=spends(1_000))

    for _ in range(3):
        (line,) = measured(path, flaky, questions=QUESTIONS[:1], retry=True)
    assert (line.result.usage, line.attempts, line.result.outcome) == (spends(3_000) | calls(3), 3, "solved")


def test_the_seconds_of_every_attempt_count(path):
    async def broken(question, resources):
        return Result(question="", outcome="error")

    (line,) = measured(path, broken, questions=QUESTIONS[:1])
    slow = line.model_copy(update={"result": line.result.model_copy(update={"seconds": 50.0})})
    path.write_text(path.read_text("utf-8").splitlines()[0] + "\n" + slow.model_dump_json() + "\n", "utf-8")
    (line,) = measured(path, good, questions=QUESTIONS[:1], retry=True)
    assert (line.result.outcome, line.attempts) == ("solved", 2)
    assert line.result.seconds >= 50
    assert f"{line.result.seconds:.1f} s in 2 attempts." in page(gathered([path]))


def calls(number):
    return {"agent": spends(3_000)["agent"] | {"calls": number}}


def test_an_attempt_that_does_not_tell_what_it_spent_leaves_it_unknown(path):
    async def silent(question, resources):
        raise ValueError("It broke.")

    async def telling(question, resources):
        return result(question)

    measured(path, silent, questions=QUESTIONS[:1])
    (line,) = measured(path, telling, questions=QUESTIONS[:1], retry=True)
    assert line.result.usage == result(QUESTIONS[0]).usage
    assert not line.result.tells_usage


def test_what_was_made_up_for_a_question_counts_with_it_but_not_as_the_system_s(path):
    simulator = Simulator(scripted(lambda *_: {"x": 3}), load_prompt("simulate").messages, spent=simulated)
    api = API(id=ADD, category="tools", tool="tools", name="add", source="", output={"type": "object"})

    async def calling(question, resources):
        await asyncio.gather(*(simulator.answer(api, "{}") for _ in range(2)))
        return result(question)

    lines = measured(path, calling, concurrency=3)
    assert [line.result.simulated["simulate"]["calls"] for line in lines] == [2] * 8
    assert all(line.result.usage == result(line.question).usage for line in lines)
    assert sum(line.result.simulated["simulate"]["prompt"] for line in lines) == simulator.usage["simulate"]["prompt"]


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
    command = [sys.executable, "-m", "tests.support.run_small_set", str(path), "2"]
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


def test_questions_must_be_there_and_have_ids_of_their_own():
    with pytest.raises(InputError, match="no questions"):
        chosen([])
    with pytest.raises(InputError, match="'sum-1'"):
        chosen([*QUESTIONS, QUESTIONS[1]])
    with pytest.raises(InputError, match="limit"):
        chosen(QUESTIONS, limit=0)


def test_the_small_set_knows_right_from_wrong():
    assert small_set.dataset.score(QUESTIONS[2], result(QUESTIONS[2], right=False))["accuracy"] == 0
