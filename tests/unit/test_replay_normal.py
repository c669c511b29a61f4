"""The normal form of arguments: what is the same call, and what is not."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.calling import normalised
from toolquiver.catalog import API

PROPERTIES = {
    "city": {"type": "string"},
    "days": {"type": "integer", "default": 3},
    "limit": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
    "metric": {"type": "boolean", "default": True},
    "one_or_true": {"default": 1},
    "either": {"type": ["number", "string"]},
    "several": {"anyOf": [{"type": "number"}, {"type": "string"}]},
    "ids": {"type": "array", "items": {"type": "number"}},
    "place": {"type": "object", "properties": {"lat": {"type": "number"}, "zone": {"type": "string", "default": "a"}}},
    "anything": {},
    "yes": True,
}
ONE = API(id="a/b/c", name="c", tool="b", category="a", parameters={"type": "object", "properties": PROPERTIES})

TEXTS = st.text(max_size=8) | st.sampled_from([" 1 ", "1.0", "-2e3", "true", "9" * 400, "1e999", "\ud800"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(st.sampled_from(sorted(PROPERTIES)) | TEXTS, VALUES, max_size=6)


def normal(**arguments):
    return json.loads(normalised(ONE, arguments))


@given(ARGUMENTS)
def test_a_normal_form_stays_as_it_is(arguments):
    once = normalised(ONE, arguments)
    assert normalised(ONE, json.loads(once)) == once


@given(ARGUMENTS, st.randoms())
def test_the_order_of_names_does_not_count(arguments, random):
    names = list(arguments)
    random.shuffle(names)
    assert normalised(ONE, {name: arguments[name] for name in names}) == normalised(ONE, arguments)


@given(ARGUMENTS, st.sampled_from([*PROPERTIES, "unknown"]))
def test_what_is_none_says_nothing(arguments, name):
    arguments.pop(name, None)
    assert normalised(ONE, arguments | {name: None}) == normalised(ONE, arguments)


@given(ARGUMENTS, st.sampled_from(["days", "metric", "one_or_true"]))
def test_a_default_says_nothing(arguments, name):
    arguments.pop(name, None)
    assert normalised(ONE, arguments | {name: PROPERTIES[name]["default"]}) == normalised(ONE, arguments)


@given(st.integers(-(2**53), 2**53), st.sampled_from(["anything", "days", "either", "unknown"]))
def test_a_whole_number_is_the_same_with_and_without_a_point(number, name):
    assert normal(**{name: float(number)}) == normal(**{name: number})


@given(st.text(), st.text(" \t\n"), st.text(" \t\n"))
def test_blanks_around_a_text_do_not_count(text, before, after):
    for name in ("city", "anything"):
        assert normal(**{name: f"{before}{text}{after}"}) == normal(**{name: text})


@given(st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False))
def test_a_numeric_text_is_a_number_where_the_schema_says_number(number):
    assert normalised(ONE, {"limit": f" {number!r} "}) == normalised(ONE, {"limit": number})


@given(st.text())
def test_every_text_can_stand_where_a_number_should(text):
    assert normal(days=text, limit=text, metric=text, ids=[text]) is not None


@given(ARGUMENTS)
def test_the_normal_form_can_be_stored(arguments):
    assert normalised(ONE, arguments).isascii()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"days": "5"}, {"days": 5}),
        ({"days": "3"}, {}),
        ({"days": " 3.0 "}, {}),
        ({"limit": "1.50"}, {"limit": 1.5}),
        ({"ids": ["1", 2.0]}, {"ids": [1, 2]}),
        ({"place": {"zone": "a ", "lat": "7"}}, {"place": {"lat": 7}}),
        ({"metric": "False"}, {"metric": False}),
        ({"city": 10001}, {"city": "10001"}),
        ({"city": True}, {"city": "true"}),
        ({"unknown": (1, 2)}, {"unknown": [1, 2]}),
        ({"unknown": date(2026, 1, 2)}, {"unknown": "2026-01-02"}),
    ],
)
def test_values_are_read_as_the_schema_says(written, meant):
    assert normal(**written) == meant


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"city": "007"}, {"city": "7"}),
        ({"city": "Rome"}, {"city": "rome"}),
        ({"city": ""}, {}),
        ({"either": "5"}, {"either": 5}),
        ({"several": "5"}, {"several": 5}),
        ({"anything": "5"}, {"anything": 5}),
        ({"anything": True}, {"anything": 1}),
        ({"one_or_true": True}, {"one_or_true": 1}),
        ({"ids": [1, 2]}, {"ids": [2, 1]}),
        ({"ids": [None]}, {"ids": []}),
        ({"anything": {"a": 1}}, {"anything": {"a": 2}}),
        ({"days": "1e999"}, {"days": 1}),
        ({"days": "٣"}, {}),
    ],
)
def test_different_calls_stay_different(one, other):
    assert normalised(ONE, one) != normalised(ONE, other)
