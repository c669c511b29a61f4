"""The journal: whole lines only, one head, one writer, no secret."""

import asyncio
import json
import os
import subprocess
import sys

import pytest
from langchain_core.tools import tool

from tests.support.small_set import Sums, good, head, result
from toolquiver.calling import Observation
from toolquiver.calling.replay import Recording, Recordings
from toolquiver.catalog import Catalog
from toolquiver.errors import InputError
from toolquiver.evaluation import Resources
from toolquiver.evaluation.heads import head_of
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.lines import Line, Ruled
from toolquiver.evaluation.records import Called
from toolquiver.evaluation.report import gathered, markdown
from toolquiver.evaluation.runner import run
from toolquiver.evaluation.scored import scored

SUMS = Sums()
QUESTIONS = SUMS.questions()


def line(number, **other):
    question = QUESTIONS[number]
    return Line(question=question, result=result(question).model_copy(update=other), scores={"accuracy": 1.0})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def written(path):
    with Journal.open(path, head(), Line) as journal:
        for number in range(3):
            journal.add(line(number))
    return path.read_bytes()


def test_what_is_written_is_there_again(path, written):
    with Journal.open(path, head(concurrency=9), Line) as journal:
        assert list(journal.done) == ["sum-0", "sum-1", "sum-2"]
        assert journal.done["sum-1"] == line(1)
    found, lines = read_journal(path)
    assert (found.system, found.settings, found.dataset) == ("good", {"top_k": 3}, "sums")
    assert found.versions.keys() == {"python", "toolquiver", "langchain-core", "langchain", "langgraph"}
    assert lines == [line(0), line(1), line(2)]
    assert path.read_bytes() == written


def test_wherever_the_file_was_torn_whole_lines_stay_and_the_rest_goes(path, written):
    ends = [place + 1 for place, byte in enumerate(written) if byte == ord("\n")]
    for length in {*range(0, len(written), 37), *ends, *(end - 1 for end in ends), len(written)}:
        path.write_bytes(written[:length])
        whole = sum(end <= length for end in ends[1:])
        if length >= ends[0]:
            assert len(read_journal(path)[1]) == whole
            assert path.read_bytes() == written[:length]
        with Journal.open(path, head(), Line) as journal:
            assert len(journal.done) == whole
            for number in range(whole, 3):
                journal.add(line(number))
        assert path.read_bytes().count(b"\n") == 4
        assert read_journal(path)[1] == [line(0), line(1), line(2)]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"system": "bad"}, 'system: "good" there, "bad" now'),
        ({"settings": {}}, 'settings: {"top_k": 3} there, {} now'),
        ({"model": "n"}, "model"),
        ({"seed": 7}, "seed: null there, 7 now"),
        ({"shard": "1/2"}, "shard"),
        ({"timeout": 6.0}, "timeout"),
    ],
)
def test_a_journal_of_another_run_is_refused_and_stays(path, written, other, told):
    with pytest.raises(InputError, match="is of another run") as refused:
        Journal.open(path, head(**other), Line)
    assert told in str(refused.value)
    assert path.read_bytes() == written


def test_changed_questions_and_changed_code_are_another_run(path, written, monkeypatch):
    given = {"system": "good", "settings": {}, "model": "m", "seed": None, "shard": "1/1", "timeout": 5.0}
    other = head_of(SUMS.name, QUESTIONS[1:], concurrency=1, **given)
    assert other.data != head().data
    before = head().code
    monkeypatch.setattr("toolquiver.evaluation.heads._texts", lambda _: ["another prompt"])
    assert head().code != before
    with pytest.raises(InputError, match="code"):
        Journal.open(path, head(), Line)
    with pytest.raises(InputError, match="model"):
        Journal.open(path, head(model="n"), Line, any_code=True)


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize(
    ("codes", "told"), [(["", "bbb", "bbb"], "; code aaa (1), bbb (2);"), (["bbb"] * 3, "; code bbb;")]
)
def test_other_code_goes_on_where_any_may_and_the_report_says_what_each_answered(path, monkeypatch, texts, codes, told):
    for code, size in (("aaa", codes.count("")), ("bbb", 3)):
        monkeypatch.setattr("toolquiver.evaluation.heads.code", lambda code=code: code)
        with Journal.open(path, head(texts=texts), Line, any_code=True) as journal:
            asyncio.run(run(QUESTIONS[:size], good, SUMS, journal))
    assert [one.code for one in read_journal(path)[1]] == codes
    assert told in markdown(gathered([path]))


def test_another_model_file_and_a_changed_agent_are_another_run(tmp_path, monkeypatch):
    monkeypatch.setenv("TOOLQUIVER_LOCAL_MODEL", str(tmp_path / "mine.gguf"))
    (tmp_path / "mine.gguf").write_bytes(b"12345")
    assert head(model="local").versions["model file"] == "mine.gguf (5 bytes)"
    monkeypatch.delenv("TOOLQUIVER_LOCAL_MODEL")
    assert head(model="local").versions["model file"].startswith("qwen2.5-coder-1.5b")
    assert "langchain-openai" in head(model="openai:gpt-5-mini").versions

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    found = []
    for answer in ("1", "2"):
        (tmp_path / f"agent_{answer}.py").write_text(f"def agent(query): return {answer!r}")
        found.append(head(system=f"agent_{answer}:agent").versions["agent"])
    assert found[0] != found[1]


def test_another_catalogue_other_recordings_and_a_changed_data_set_are_another_run(tmp_path, monkeypatch):
    def resources(*apis, answers=()):
        recordings = Recordings.create()
        told = [Recording(api=api, arguments="{}", outcome=Observation(text=text)) for api, text in answers]
        recordings.put(told)
        return Resources(catalog=Catalog.from_tools(apis), recorded=recordings.texts)

    @tool
    def add(a: int, b: int) -> int:
        """Add two numbers of any size."""

    found = [
        head(resources=one).versions["resources"]
        for one in (
            SUMS.resources(),
            SUMS.resources(),
            resources(add),
            resources(add, answers=[("a/b/c", "1")]),
            resources(add, answers=[("a/b/c", "2")]),
        )
    ]
    assert found[0] == found[1]
    assert len(set(found)) == 4

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for number in (1, 2):
        (tmp_path / f"data_{number}.py").write_text(f"data = {number}")
    usual = {"system": "good", "settings": {}, "model": "m", "seed": None, "shard": "1/1", "timeout": 5.0}
    heads = [head_of(f"data_{number}:data", QUESTIONS, concurrency=1, **usual) for number in (1, 2)]
    assert heads[0].versions["data set"] != heads[1].versions["data set"]


@pytest.mark.parametrize("text", ["my notes", "my notes\n", '{"a": 1}\n', "\n", '{"format": 2}\n'])
def test_a_file_of_something_else_is_refused_and_stays(path, text):
    path.write_text(text)
    with pytest.raises(InputError, match="is no journal"):
        Journal.open(path, head(), Line)
    with pytest.raises(InputError, match="is no journal"):
        read_journal(path)
    assert path.read_text() == text


def test_a_line_that_is_damaged_is_named(path, written):
    lines = written.splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1] + lines[2][:50] + b"\n" + lines[3])
    for opened in (lambda: Journal.open(path, head(), Line), lambda: read_journal(path)):
        with pytest.raises(InputError, match=r"Line 3 of the journal .* is damaged"):
            opened()


WRITES = """
import sys
from tests.support.small_set import head
from toolquiver.evaluation.journal import Journal
from toolquiver.evaluation.lines import Line
Journal.open(sys.argv[1], head(), Line)
"""


def test_only_one_process_writes(path, written):
    with Journal.open(path, head(), Line):
        tried = subprocess.run(
            [sys.executable, "-c", WRITES, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert "Another process writes the journal" in tried.stderr
    with Journal.open(path, head(), Line) as journal:
        assert len(journal.done) == 3


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(InputError, match="Cannot write the journal"):
        Journal.open(tmp_path, head(), Line)
    with pytest.raises(InputError, match="Cannot write the journal"):
        Journal.open(tmp_path / "no" / "run.jsonl", head(), Line)
    with pytest.raises(InputError, match="Cannot read the journal"):
        read_journal(tmp_path / "none.jsonl")


def test_a_full_disk_is_said_and_the_line_is_dropped_later(path, written, monkeypatch):
    journal = Journal.open(path, head(), Line)
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:20]) and full())
    with pytest.raises(InputError, match="No space left"):
        journal.add(line(4))
    journal.close()
    monkeypatch.undo()
    with Journal.open(path, head(), Line) as again:
        assert list(again.done) == ["sum-0", "sum-1", "sum-2"]
    assert path.read_bytes() == written


def full():
    raise OSError(28, "No space left on device")


def test_secrets_of_the_environment_are_not_written(path, monkeypatch):
    secret = 'sk-"marker"-\n8f2c'
    monkeypatch.setenv("SOME_API_KEY", secret)
    with Journal.open(path, head(), Line) as journal:
        journal.add(line(0, reason=f"401: the key {secret} is wrong", trace=(["say", {"text": secret}],)))
    assert "8f2c" not in path.read_text()
    assert path.read_text().count("[hidden]") == 2
    assert json.loads(path.read_text().splitlines()[1])["result"]["reason"] == "401: the key [hidden] is wrong"


WORDS = ["toolquiver", "12345678", "langchain-core", "verdicts", "solvable", "question", "data set", "openai:gpt"]


@pytest.mark.parametrize("word", WORDS)
def test_a_secret_that_is_a_word_of_ours_or_a_number_damages_nothing(path, monkeypatch, word):
    monkeypatch.setenv("SOME_PASSWORD", word)
    question = QUESTIONS[0].model_copy(update={"id": f"sum {word}", "labels": {"account": 12345678, word: 1}})
    answered = result(QUESTIONS[0]).model_copy(update={"question": question.id})
    one = Line(question=question, result=answered, scores={word: 1.0})
    given = head(model=f"{word}-4", system=f"{word}:agent", settings={"role_models": {"plan": word}, "top_k": 12345678})
    for _ in range(2):
        with Journal.open(path, given, Line) as journal:
            assert list(journal.done) in ([], [question.id])
            journal.add(one)
    assert read_journal(path) == (given.model_copy(update={"settings": HIDDEN}), [one])

    ruled = Ruled(question=question.id, asked="solvable", verdict="solvable", reason=f"It is {word}.")
    other = path.with_name("verdicts.jsonl")
    with Journal.open(other, given.model_copy(update={"kind": "verdicts"}), Ruled) as journal:
        journal.add(ruled)
    assert read_journal(other)[1] == [ruled.model_copy(update={"reason": "It is [hidden]."})]


HIDDEN = {"role_models": {"plan": "[hidden]"}, "top_k": 12345678}


@pytest.mark.parametrize(("then", "now"), [("in the data", ""), ("", "in the data"), ("the data", "home/in the")])
def test_a_run_goes_on_where_other_secrets_are_masked(path, monkeypatch, then, now):
    settings = {"catalog": "/home/in the data/apis.db", "top_k": 3}
    for secret in (then, now):
        monkeypatch.setenv("SOME_PASSWORD", secret)
        with Journal.open(path, head(settings=settings), Line) as journal:
            journal.add(line(len(journal.done)))
    assert len(read_journal(path)[1]) == 2
    for other in (settings | {"top_k": 4}, {"catalog": 'x", "y": "/apis.db', "top_k": 3}, {"catalog": 1, "top_k": 3}):
        with pytest.raises(InputError, match="another run") as refused:
            Journal.open(path, head(settings=other), Line)
        assert not now or now not in str(refused.value)


def test_any_text_comes_back_as_it_was(path):
    nasty = line(0, answer="a\u2028b\x85\x0b\x1c\r\n\N{SNOWMAN} \x00")
    with Journal.open(path, head(), Line) as journal:
        journal.add(nasty)
    assert read_journal(path)[1] == [nasty]


def test_the_last_line_about_a_question_counts(path, written):
    with Journal.open(path, head(), Line) as journal:
        journal.add(line(1, answer="Later."))
    assert [found.result.answer for found in read_journal(path)[1]] == ["It is 0 .", "Later.", "It is 4 ."]


def test_a_journal_of_verdicts_is_told_from_one_of_results(path, written):
    other = path.with_name("verdicts.jsonl")
    ruled = Ruled(question="sum-1", asked="solved", verdict="solved", votes=("solved",))
    with Journal.open(other, head().model_copy(update={"kind": "verdicts"}), Ruled) as journal:
        journal.add(ruled)
    found, lines = read_journal(other)
    assert (found.kind, lines) == ("verdicts", [ruled])
    with pytest.raises(InputError, match="kind"):
        Journal.open(path, found, Ruled)


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("value", [nested(220), nested(400), 10**5000], ids=["deep", "deeper", "long"])
def test_what_no_reader_takes_is_left_out_and_the_rest_is_kept(path, value):
    odd = Called(api="a/b/c", arguments={"x": value}, ok=True)
    with Journal.open(path, head(), Line) as journal:
        journal.add(line(0, calls=(odd,), trace=(["call", {"x": value}],), reason="It said so."))
        journal.add(line(1))
    _, lines = read_journal(path)
    assert [one.question.id for one in lines] == [QUESTIONS[0].id, QUESTIONS[1].id]
    kept = lines[0].result
    assert (kept.answer, kept.calls[0].arguments, kept.trace) == (line(0).result.answer, {}, ())
    assert kept.reason.startswith("It said so. (Its arguments and its trace cannot be kept")


def test_a_score_that_is_no_number_leaves_the_answer_unscored():
    class Odd(Sums):
        def score(self, question, result):
            return {"accuracy": float("nan")}

    found = scored(Odd(), QUESTIONS[0], result(QUESTIONS[0]))
    assert (found.scores, found.unscored) == ({}, "ValueError: the score 'accuracy' is nan")
