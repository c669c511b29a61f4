"""The measures of the Reverse Chain benchmark, and its compositions: each can be run, and has its level."""

import asyncio

import pytest

from tests.bench.compositions import compositions, executed
from tests.bench.nested import (
    Nested,
    calls_of,
    cause,
    cause_of_call,
    edges_of,
    f1,
    level_of,
    read,
    same,
    without,
    written,
)
from toolquiver.catalog.named import load_catalog

GOLD = Nested("book", {"who": Nested("find", {"name": "Jack"}), "day": "Monday"})


def test_a_plan_is_read_out_of_a_model_s_text():
    assert same(read("Thought: find it (first).\nbook(who=find(name='jack'), day='Monday')"), GOLD)
    assert same(read("The call: book(who=find(name='Jack').id, day='Monday')"), GOLD)
    assert same(read("```\nbook(day='Monday', who=find(name='Jack')['id'])\n```"), GOLD)
    assert same(read("book(find('Jack'), 'Monday')", {"book": ["who", "day"], "find": ["name"]}), GOLD)
    assert read("I cannot (sorry)") is None
    assert read("open('/etc/passwd').read()") is None
    assert same(read(written(GOLD)), GOLD)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (GOLD, ""),
        (None, "other"),
        (Nested("find", {"name": "Jack"}), "wrong final tool"),
        (Nested("book", {"who": "Jack", "day": "Monday"}), "wrong argument: API"),
        (Nested("book", {"who": Nested("find", {"name": "Jill"}), "day": "Monday"}), "wrong argument: value"),
        (Nested("book", {"who": Nested("find", {"name": "Jack"}), "day": "Friday"}), "wrong argument: value"),
    ],
)
def test_what_is_wrong_with_a_plan_has_a_name(found, expected):
    assert cause(found, GOLD) == expected


def test_edges_are_counted_once_a_call():
    place = Nested("place", {"name": "Lima"})
    plan = Nested("sunset", {"lat": place, "lon": place})
    assert edges_of(plan) == {("place", "sunset", "lat"): 1, ("place", "sunset", "lon"): 1}
    assert f1(edges_of(plan), edges_of(plan)) == 1.0
    assert f1(edges_of(plan), edges_of(GOLD)) == 0.0
    assert [call.api for call in calls_of(GOLD)] == ["find", "book"]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (("book", {"who": 17, "day": "monday"}), ""),
        (None, "other"),
        (("find", {"name": "Jack"}), "wrong final tool"),
        (("book", {"who": "Jack", "day": "Monday"}), "wrong argument: API"),
        (("book", {"who": 17, "day": "Friday"}), "wrong argument: value"),
        (("book", {"who": 17, "day": "Monday", "more": 1}), "wrong argument: value"),
    ],
)
def test_what_is_wrong_with_a_call_that_was_made_has_the_same_names(made, expected):
    assert cause_of_call(made, GOLD, {"who": 17, "day": "Monday"}) == expected


@pytest.mark.parametrize(
    ("zone", "left"),
    [
        (Nested("find", {"name": "jack"}), {"day": "Monday"}),
        (Nested("find", {"name": "Jill"}), {"day": "Monday", "zone": Nested("find", {"name": "Jill"})}),
        ("UTC", {"day": "Monday", "zone": "UTC"}),
    ],
)
def test_what_a_call_may_have_also_counts_only_where_it_is_other(zone, left):
    assert without({"day": "Monday", "zone": zone}, {"zone": Nested("find", {"name": "Jack"})}) == left


def test_a_day_is_its_beginning():
    assert same("2031-06-01T00:00", "2031-06-01")
    assert not same("2031-06-01T09:00", "2031-06-01")


def test_the_compositions_run_and_are_as_deep_as_they_say():
    pytest.importorskip("ephem", reason="the demo's packages are not installed")
    catalog, found = load_catalog("demo"), compositions()
    assert len(found) >= 100
    assert len({one.query for one in found}) == len(found)
    for one in found:
        assert level_of([one.gold]) == one.level
        arguments, text = asyncio.run(executed(one.gold, catalog))
        assert arguments
        assert text
