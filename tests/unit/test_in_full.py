"""What was copied short is taken as a tool gave it; what somebody said so stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.nodes.in_full import arguments_in_full, text_in_full

SAID = "What is the area of a circle of 7.45 cm? (pi is 3.14)"
GAVE = '{"result": 6.88476579, "others": [0.174412, -0.139315]}'


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (6.885, 6.88476579),  # rounded
        (6.884, 6.88476579),  # cut off
        (-0.14, -0.139315),
        ([3.14, 0.17], [3.14, 0.174412]),
        (7.45, 7.45),  # as it was said
        (6.88476579, 6.88476579),
        (6.9, 6.88476579),
        (6.89, 6.88476579),  # less than a last digit off
        (6.91, 6.91),
        (7, 7),
        (7.0, 7.0),
        ("6.885", "6.885"),
        (True, True),
        (float("inf"), float("inf")),
    ],
)
def test_a_short_number_is_the_one_it_is_short_for(value, whole):
    assert arguments_in_full({"a": value}, SAID, [GAVE]) == {"a": whole}


def test_what_is_short_for_two_stays_and_so_does_all_without_a_response():
    assert arguments_in_full({"a": 6.88}, "", ["6.8812 or 6.8847"]) == {"a": 6.88}
    assert arguments_in_full({"a": 6.88}, "", []) == {"a": 6.88}


@given(st.floats(0.01, 1_000_000), st.integers(1, 6))
def test_a_rounded_number_comes_back(number, places):
    short = round(number, places)
    expected = short if short == int(short) else number
    assert arguments_in_full({"a": short}, "", [str(number)]) == {"a": expected}


@pytest.mark.parametrize(
    ("text", "asked", "whole"),
    [
        ("It is 0.17.", "How likely is it?", "It is 0.174412."),
        ("It is 6.885 cm.", "How wide is it?", "It is 6.885 cm."),  # that loses next to nothing
        ("It is 0.17.", "How likely is it, to 2 decimals?", "It is 0.17."),
        ("It is 0.17.", "Is it 0.17?", "It is 0.17."),
        ("It is 7.", "How wide is it?", "It is 7."),
        ("From 0.17 to -0.14.", "", "From 0.174412 to -0.139315."),
        ("On 2031-04-17 at 0:17 in v0.17.2", "", "On 2031-04-17 at 0:17 in v0.17.2"),
    ],
)
def test_a_number_in_an_answer_is_not_so_short_that_it_is_another(text, asked, whole):
    assert text_in_full(text, asked, [GAVE]) == whole
