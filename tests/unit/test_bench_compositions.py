"""The compositions: each can be run and has its level; right is the last call of a chain with its arguments."""

import asyncio

import pytest

from tests.bench import composition_set
from tests.bench.compositions import compositions, executed
from tests.bench.nested import Nested, calls_of, level_of, same
from toolquiver.catalog.named import load_catalog
from toolquiver.evaluation import Called, Question, Result

GOLD = Nested("book", {"who": Nested("find", {"name": "Jack"}), "day": "Monday"})
PATH = ("tools/tools/place", "tools/tools/sunset")
CHAIN = Question(
    id="1", query="q", gold_apis=PATH, gold_path=PATH, labels={"arguments": {"lat": 38.7223, "day": "Monday"}}
)


def scored(*calls):
    made = tuple(Called(api=api, arguments=arguments, ok=ok) for api, arguments, ok in calls)
    return composition_set._score(CHAIN, Result(question="1", outcome="solved", calls=made))


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
    assert same(given, "2026-10-27") is bool(right)
    question = CHAIN.model_copy(update={"labels": {"arguments": {"day": "2026-10-27"}}})
    call = Called(api=PATH[1], arguments={"day": given}, ok=True)
    result = Result(question="1", outcome="solved", calls=(call,))
    assert composition_set._score(question, result)["accuracy"] == right


def test_a_chain_has_its_inner_calls_first():
    assert [call.api for call in calls_of(GOLD)] == ["find", "book"]


def test_the_compositions_run_and_are_as_deep_as_they_say():
    pytest.importorskip("ephem", reason="the demo's packages are not installed")
    catalog, found = load_catalog("demo"), compositions()
    assert len(found) >= 100
    assert len({one.query for one in found}) == len(found)
    for one in found:
        assert level_of(one.gold) == one.level
        arguments, text = asyncio.run(executed(one.gold, catalog))
        assert arguments
        assert text
