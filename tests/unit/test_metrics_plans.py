"""Nested plans: read without being run, compared by level, and told why they fail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.evaluation.metrics import (
    PlanCall,
    call_order,
    parse_plan,
    plan_edges,
    plan_level,
    render_plan,
    same_value,
    score_plan,
)

BOOK = "BookRoom(person_ID=Name2ID(person_name='Jack'), room=Free(day=Today(), size=4), hours=2)"


def test_a_nested_call_is_read():
    (call,) = parse_plan(BOOK)
    assert call.name == "BookRoom"
    assert call.arguments["person_ID"] == PlanCall("Name2ID", {"person_name": "Jack"})
    assert call.arguments["hours"] == 2
    assert call_order((call,)) == ["Name2ID", "Today", "Free", "BookRoom"]
    assert plan_edges((call,)) == [
        ("Name2ID", "BookRoom", "person_ID"),
        ("Free", "BookRoom", "room"),
        ("Today", "Free", "day"),
    ]


@pytest.mark.parametrize(("text", "depth"), [("A(x=1)", 0), ("A(x=B())", 1), (BOOK, 2), ("A(x=[B(y={'k': C()})])", 2)])
def test_levels_count_calls_inside_calls(text, depth):
    assert plan_level(parse_plan(text)) == depth


@pytest.mark.parametrize(
    ("text", "value"),
    [("-3", -3), ("[1, 'a']", [1, "a"]), ("true", True), ("null", None), ("London", "London"), ("{'a': 1}", {"a": 1})],
)
def test_values_are_read_as_models_write_them(text, value):
    assert parse_plan(f"A(x={text})")[0].arguments == {"x": value}


def test_names_may_have_dots_and_hyphens():
    assert [call.name for call in parse_plan("Hotels.Book(x=1)\nGET_movie-movie_id-credits(movie_id=2)")] == [
        "Hotels.Book",
        "GET_movie-movie_id-credits",
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("", "hello", "A(", "A(x=1 + 2)", "import os", "A(x=lambda: 1)", "A(**1)", "A(x=f'{y}')", "x = A()", "A()()"),
        *(f"A(x={'1+' * 900}1)", f"A(x={'-' * 1500}1)"),
    ],
)
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - of any text
        parse_plan(text)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
NAMES = st.from_regex(r"[A-Z][a-z]{0,5}[0-9]", fullmatch=True)


def calls_with(values):
    arguments = st.dictionaries(st.text(min_size=1).filter(lambda name: name[0] != "#"), values, max_size=3)
    return st.builds(PlanCall, NAMES, arguments)


VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3) | calls_with(inner),
    max_leaves=8,
)


@given(st.lists(calls_with(VALUES), min_size=1, max_size=3))
def test_a_plan_that_was_written_is_read_back(calls):
    assert parse_plan(render_plan(tuple(calls))) == tuple(calls)


@pytest.mark.parametrize(
    ("made", "cause"),
    [
        (BOOK, None),
        ("BookRoom(hours='2.0', room=Free(size='4', day=Today()), person_ID=Name2ID(person_name=' Jack'))", None),
        ("Name2ID(person_name='Jack')", "wrong final tool"),
        (BOOK.replace("Name2ID(person_name='Jack')", "'Jack'"), "wrong API for an argument"),
        (BOOK.replace("Name2ID", "Mail2ID"), "wrong API for an argument"),
        (BOOK.replace("Today()", "'today'"), "wrong API for an argument"),
        (BOOK.replace("person_ID=Name2ID(person_name='Jack'), ", ""), "wrong API for an argument"),
        (BOOK.replace("Jack", "Jill"), "wrong value"),
        (BOOK.replace("hours=2", "hours=3"), "wrong value"),
        (BOOK.replace(", hours=2", ""), "other"),
        (BOOK.replace("hours=2", "hours=2, beds=1"), "other"),
        (BOOK.replace("hours=2", "hours=Ask()"), "other"),
        (BOOK.replace("Jack", "Jill").replace("Today()", "1"), "wrong API for an argument"),  # the first of the order
        ("Thought: I book it", "other"),
        (None, "other"),
    ],
)
def test_a_failed_plan_has_one_cause(made, cause):
    score = score_plan(made, BOOK)
    assert (score.cause, score.exact, score.level) == (cause, cause is None, 2)


def test_several_answers_may_stand_in_any_order():
    assert score_plan("B(y=2)\nA(x=1)", "A(x=1)\nB(y=2)").exact
    assert score_plan("A(x=2)\nA(x=1)", "A(x=1)\nA(x=2)").exact
    assert score_plan("A(x=1)", "A(x=1)\nB(y=2)").cause == "wrong final tool"
    assert score_plan("A(x=1)\nA(x=3)", "A(x=1)\nA(x=2)").cause == "wrong value"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("2", 2), ("2.0", 2), ("-3.50", -3.5), ("10", "10.0"), (" Jack", "Jack"), ("True", True), (1e22, 10**22)),
        *((4532015112830366123, "4532015112830366123"), ([1, 2], ["1", "2.0"]), (None, "None")),
    ],
)
def test_plain_numbers_are_the_same_by_value(one, other):
    assert same_value(one, other)
    assert same_value(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4532015112830366123", "4532015112830366124"),
        ("02134", "2134"),
        ("02134", 2134),
        ("+49301234567", "49301234567"),
        ("12e3", "12000"),
        ("12e3", 12000),
        ("1_0", "10"),
        ("nan", "NaN"),
    ],
)
def test_what_only_looks_like_a_number_is_a_text(one, other):
    assert not same_value(one, other)
