"""Journals of figures alone: reported like others, without a text of the data, and gone on with as such."""

import asyncio

import pytest

from tests.support.reports import QUESTIONS, SUMS, a_run
from tests.support.small_set import good, result
from toolquiver.errors import InputError
from toolquiver.evaluation import Called
from toolquiver.evaluation.figures_only import figures_only
from toolquiver.evaluation.journal import Journal, read_journal
from toolquiver.evaluation.lines import Line
from toolquiver.evaluation.report import gathered, markdown, page
from toolquiver.evaluation.report.tables import objective_tables
from toolquiver.evaluation.runner import run


def test_figures_alone_are_reported_as_with_their_texts(tmp_path):
    async def telling(question, resources):
        trace = (["reflect", {"thought": "A secret thought."}], ["agents", {"agents": {"a secret": {}}}])
        known = {"trace": trace, "reason": "A secret reason.", "plan": "secret()", "candidates": (*"ab",)}
        return result(question).model_copy(update=known)

    whole = a_run(tmp_path, "good", telling)
    bare = a_run(tmp_path, "good", telling, texts=False)
    head, lines = read_journal(bare)
    assert not head.texts
    assert [line.scores for line in lines] == [line.scores for line in read_journal(whole)[1]]
    written = bare.read_text()
    for text in ("secret", "plus", "It is", '"a": 3', '"answer": 6'):
        assert text not in written
        assert text in whole.read_text()
    same, there = (objective_tables(gathered([path]))[1:] for path in (whole, bare))
    for one, other in zip(same, there, strict=True):
        assert [row for row in one.rows if row[0] != "seconds"] == [row for row in other.rows if row[0] != "seconds"]
    text = page(gathered([bare]))
    assert text.count("texts were not kept") == 12
    assert "no answer" not in text
    assert "figures alone" in markdown(gathered([bare]))


def test_labels_that_may_be_gold_are_no_figures():
    labels = {"level": "easy", "hops": 3, "flag": True, "reply": "goal", "right_answer": 4, "why": "It is so."}
    question = QUESTIONS[0].model_copy(update={"labels": labels})
    call = Called(api="Ask Jo about it", arguments={}, ok=False, failure="unknown_api")
    line = figures_only(Line(question=question, result=result(question).model_copy(update={"calls": (call,)})))
    assert line.question.labels == {"level": "easy", "steps": 1}
    assert line.result.calls[0].api == "unknown_api"


def test_names_that_a_system_made_up_are_no_figures():
    calls = (
        Called(api="Ask Jo", arguments={}, ok=False, failure="Jo is not in"),
        Called(api="a/b", arguments={}, ok=True),
    )
    spent = {"calls": 1, "prompt": 2, "completion": 3, "cached": 0, "estimated": 0}
    told = {"calls": calls, "usage": {"plan": spent, "What is it?": spent, "And why?": spent}}
    line = figures_only(Line(question=QUESTIONS[0], result=result(QUESTIONS[0]).model_copy(update=told)))
    assert [(call.api, call.failure) for call in line.result.calls] == [("unknown_api", "other"), ("a/b", None)]
    assert line.result.usage.keys() == {"plan", "other"}
    assert line.result.usage["other"]["prompt"] == 4


def test_figures_go_on_as_figures_and_as_nothing_else(tmp_path):
    path = a_run(tmp_path, "good", good, shard="1/3", texts=False)
    head, _ = read_journal(path)
    asyncio.run(going_on(path, head))
    assert len(read_journal(path)[1]) == 12
    with pytest.raises(InputError, match="texts: false there, true now"):
        Journal.open(path, head.model_copy(update={"texts": True}), Line)


async def going_on(path, head):
    with Journal.open(path, head, Line) as journal:
        await run(QUESTIONS, good, SUMS, journal)
