"""A minus that is lost on the way."""

import pytest

from toolquiver.nodes.signs import without_minus


@pytest.mark.parametrize(
    ("text", "observation", "lost"),
    [
        ("It is 5 degrees Celsius.", '{"celsius": -5}', ["5"]),
        ("It made a profit of 1,200 euros.", '{"profit": -1200}', ["1200"]),
        ("It is -5 degrees Celsius.", '{"celsius": -5}', []),
        ("It is 5 degrees below zero.", '{"celsius": -5}', []),
        ("It lies at 9.14° W.", '{"longitude": -9.14}', []),
        ("It lost 1,200 euros; a loss.", '{"profit": -1200}', []),
        ("The difference is 5.", '{"result": -5}', []),
        ("It is 5 degrees.", '{"low": -5, "high": 5}', []),
        ("It was 5 days.", '{"dates": ["2024-01-5"]}', []),
        ("There are 5.", '{"range": "3-5"}', []),
        ("It is 0.", '{"x": -0}', []),
    ],
)
def test_a_number_below_zero_is_told_with_a_minus_or_in_words(text, observation, lost):
    assert without_minus(text, [observation]) == lost
