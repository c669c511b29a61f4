"""Whole numbers above, below or next, of numbers and of results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.nodes.scripts.rounding import rounded, rounded_result, to_whole


@pytest.mark.parametrize(
    ("number", "up", "down", "nearest"),
    [
        (2.4, 3, 2, 2),
        (2.5, 3, 2, 3),
        (-2.5, -2, -3, -2),
        (3, 3, 3, 3),
        (3.0000000000004, 3, 3, 3),
        (10**400, 10**400, 10**400, 10**400),
    ],
)
def test_a_number_is_rounded_to_the_whole_one(number, up, down, nearest):
    assert [rounded(number, way) for way in ("up", "down", "nearest")] == [up, down, nearest]


@given(st.floats(-1e9, 1e9))
def test_no_rounding_goes_further_than_one(number):
    down, nearest, up = (rounded(number, way) for way in ("down", "nearest", "up"))
    assert down <= nearest <= up <= down + 1
    assert abs(nearest - number) <= 0.5 + 1e-6


def test_a_known_number_is_rounded_at_once_and_a_result_later():
    assert to_whole(2.5, "up") == 3
    assert to_whole({"result": 1}, "up") == {"result": 1, "rounding": "up"}


@pytest.mark.parametrize(
    ("calls", "response", "told"),
    [
        ([{"rounding": "up"}], '{"sum": 2.5}', '{"result": 3, "rounded up from": 2.5}'),
        ([{}, {"rounding": "nearest"}], "2.4", '{"result": 2, "rounded nearest from": 2.4}'),
        ([{"rounding": "up"}, {}], '{"sum": 2.5}', '{"sum": 2.5}'),
        ([{"rounding": "up"}], "none", "none"),
        ([], '{"sum": 2.5}', '{"sum": 2.5}'),
        ([{"rounding": "up"}], '{"sum": NaN}', '{"sum": NaN}'),
        ([{"rounding": "up"}], '{"sum": Infinity}', '{"sum": Infinity}'),
    ],
)
def test_the_last_call_of_a_formula_is_rounded_where_it_says_so(calls, response, told):
    assert rounded_result(calls, response) == told
