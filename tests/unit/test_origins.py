"""Values that stand in a text, and values that a model has made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import Parameter
from toolquiver.nodes.origins import stands_in

TEXT = "Book a room for Jack from 9am to 10:30 am on 1 June 2031, 26 kilometres from New York, for two: 98asMe0f."
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
        "2031-05-26",
        "miles",
        27,
        "7",
        "room 7",
        "room2",
        "alp26x",
        "",
        None,
        ["Jill"],
        98,
        {"who": "Jill"},
        "America/New_York",
        "11:30",
    ],
)
def test_what_is_not_there_is_not(value):
    assert not stands_in(value, ANY, [TEXT])


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("on 17 January 2041", True),
        ("on Jan. 17, 2041", True),
        ("am 17. Januar 2041", True),
        ("el 17 de enero de 2041", True),
        ("on 17/1/2041", True),
        ("17 business days after Chinese New Year 2041", False),
        ("17 days after Easter 2041", False),
    ],
)
def test_the_month_of_a_day_must_be_there_too(text, known):
    assert stands_in("2041-01-17", ANY, [text]) is known


def test_what_the_schema_gives_is_nobody_s_invention():
    parameter = Parameter(name="x", type="text", required=True, schema_={"enum": ["upper"], "default": 7})
    assert stands_in("upper", parameter, [])
    assert stands_in(7, parameter, [])
    assert not stands_in("lower", parameter, [])


@given(st.text(min_size=1, max_size=30).filter(str.strip))
def test_a_text_is_known_in_itself_and_not_in_nothing(text):
    assert stands_in(text, ANY, [f"It is {text.strip()} here."])
    assert not stands_in(text, ANY, []) or not any(letter.isalnum() for letter in text)
