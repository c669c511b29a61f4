"""A minus that is lost on the way."""

import pytest

from toolquiver.nodes.texts.signs import without_minus


@pytest.mark.parametrize(
    ("text", "observation", "lost"),
    [
        ("It is 5 degrees Celsius.", '{"celsius": -5}', ["5"]),
        ("It is 5 degrees, last updated at noon.", '{"celsius": -5}', ["5"]),
        ("It is 12.5 degrees Celsius. Yesterday it was lower.", '{"now": -12.5}', ["12.5"]),
        ("It is -5 degrees Celsius.", '{"celsius": -5}', []),
        ("It is \N{MINUS SIGN}5 °C.", '{"celsius": -5}', []),
        ("It is 5 °C.", '{"date": "2026-11-05", "celsius": -5}', ["5"]),
        ("It is 5 °C.", '{"at": "17:10:05", "on": "05/11/2026", "celsius": -5}', ["5"]),
        ("It is 5 °C.", '{"high":5,"low":-5}', []),
        ("It is 5 degrees below zero.", '{"celsius": -5}', []),
        ("It fell by 5 degrees.", '{"change": -5}', []),
        ("It lies at 9.14 degrees west.", '{"longitude": -9.14}', []),
        ("Sydney lies at S 33.87°.", '{"lat": -33.87}', []),
        ("It is 5 degrees.", '{"low": -5, "high": 5}', []),
        ("Over the next 3 days it is 7 degrees.", '{"min": -3, "max": 7}', []),
        ("On the 5th degree.", '{"x": -5}', []),
        ("New York is at UTC-5.", '{"utc_offset": -5}', []),
        ("The share price declined by 12.5%.", '{"change": -12.5}', []),
        ("The trench is 10994 m deep.", '{"elevation": -10994}', []),
        ("It is 0 degrees.", '{"x": -0}', []),
    ],
)
def test_a_temperature_below_zero_is_told_with_a_minus_or_in_words(text, observation, lost):
    assert without_minus(text, ["What of the 3 days?"], [observation]) == lost


def test_a_number_that_was_given_without_a_minus_is_known():
    assert without_minus("It is 5 degrees.", ["Is it 5 degrees?"], ['{"celsius": -5}']) == []
