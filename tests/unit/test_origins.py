"""Values that stand in a text, and values that a model has made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import Parameter
from toolquiver.nodes.origins import stands_in

TEXT = "Book a room for Jack from 9am to 10:30 am on 1 June 2031, 26 kilometres from New York, for two people."
ANY = Parameter(name="x", type="any", required=True)


@pytest.mark.parametrize(
    "value",
    [
        *(
            "Jack",
            "jack",
            "9:00",
            "10:30",
            "10:30 am",
            "2031-06-01",
            "2031-06-01T09:00:00Z",
            "2031-06-01T00:00",
            "km",
            "room",
            "New York",
        ),
        *(26, 26.0, 2, "2", True, ["Jack", 26], {"who": "Jack", "far": 26}),
    ],
)
def test_what_is_there_in_some_form_is_known(value):
    assert stands_in(value, ANY, [TEXT])


@pytest.mark.parametrize(
    "value",
    [
        "Jill",
        "PT",
        "2031-06-03",
        "miles",
        27,
        "7",
        "room 7",
        "room2",
        "alp26x",
        "",
        None,
        ["Jill"],
        {"who": "Jill"},
        "America/New_York",
        "11:30",
    ],
)
def test_what_is_not_there_is_not(value):
    assert not stands_in(value, ANY, [TEXT])


def test_what_the_schema_gives_is_nobody_s_invention():
    parameter = Parameter(name="x", type="text", required=True, schema_={"enum": ["upper"], "default": 7})
    assert stands_in("upper", parameter, [])
    assert stands_in(7, parameter, [])
    assert not stands_in("lower", parameter, [])


@given(st.text(min_size=1, max_size=30).filter(str.strip))
def test_a_text_is_known_in_itself_and_not_in_nothing(text):
    assert stands_in(text, ANY, [f"It is {text.strip()} here."])
    assert not stands_in(text, ANY, []) or not any(letter.isalnum() for letter in text)
