"""The numbers that a text says with what stands beside them."""

import pytest

from toolquiver.nodes.texts.said_numbers import unsaid_numbers


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("songs of the 80s", True),
        ("the mid-80s", True),
        ("1980s films", True),
        ("back in '80s style", True),
        ("some 80s music", True),
        ("wait 80s", False),
        ("an 80s timeout", False),
        ("a man in his 80s", False),
    ],
)
def test_a_decade_says_its_years_and_a_length_or_an_age_none(source, said):
    assert unsaid_numbers("1985", [source]) == ([] if said else ["1985"])
