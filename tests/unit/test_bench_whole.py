"""The sets of the table of all systems: right is the last call of a chain with its arguments, or every fact said."""

import pytest

from tests.bench import whole_sets
from toolquiver.catalog import Catalog
from toolquiver.evaluation import Called, Question, Result

PATH = ("tools/tools/place", "tools/tools/sunset")
CHAIN = Question(
    id="1", query="q", gold_apis=PATH, gold_path=PATH, labels={"arguments": {"lat": 38.7223, "day": "Monday"}}
)


def scored(*calls):
    made = tuple(Called(api=api, arguments=arguments, ok=ok) for api, arguments, ok in calls)
    return whole_sets._score(CHAIN, Result(question="1", outcome="solved", calls=made))


def test_the_last_call_of_a_chain_must_have_its_arguments():
    place, rounded = (PATH[0], {"name": "Lisbon"}, True), {"lat": 38.72, "day": "monday", "more": 1}
    assert scored(place, (PATH[1], rounded, True)) == {
        "accuracy": 1.0,
        "gold_called": 1.0,
        "tool_error": 0.0,
        "correct_path": 1.0,
        "api_f1": 1.0,
    }
    assert scored((PATH[1], rounded, True))["correct_path"] == 0.0
    for wrong in ((PATH[1], rounded | {"lat": 40.0}, True), (PATH[1], rounded, False), (PATH[0], rounded, True)):
        assert scored(place, wrong)["accuracy"] == 0.0


@pytest.mark.parametrize(("given", "right"), [("2026-10-27T00:00", 1.0), ("2026-10-27T09:00", 0.0)])
def test_a_day_is_its_beginning(given, right):
    labels = {"arguments": {"day": "2026-10-27"}}
    question = CHAIN.model_copy(update={"labels": labels})
    call = Called(api=PATH[1], arguments={"day": given}, ok=True)
    assert whole_sets._score(question, Result(question="1", outcome="solved", calls=(call,)))["accuracy"] == right


def test_searched_chains_are_the_compositions_without_candidates():
    pytest.importorskip("airportsdata", reason="the demo's packages are not installed")
    given, found = whole_sets.compositions().questions()[0], whole_sets.searched().questions()[0]
    assert given.candidates
    assert found == given.model_copy(update={"candidates": None})


def test_the_demo_s_questions_are_right_by_their_facts(monkeypatch):
    pytest.importorskip("airportsdata", reason="the demo's packages are not installed")
    monkeypatch.setattr(whole_sets, "load_catalog", lambda _: Catalog.create())
    demo = whole_sets.demo()
    questions = demo.questions()
    assert {question.group for question in questions} == {"tuned", "fresh"}
    assert len({question.id for question in questions}) == len(questions)
    wrong = Result(question="", outcome="solved", answer="I do not know.")
    assert demo.score(questions[0], wrong) == {"accuracy": 0.0}
