"""What a formula brings along is no invention; what it does not is one."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.test_invented import make_api
from toolquiver.nodes.scripts.constants import computes, is_constant

NUMBER, WHOLE, TEXT = {"type": "number"}, {"type": "integer"}, {"type": "string"}
MANY = {"type": "array", "items": NUMBER}


def needing(*, gives=("result",), of=NUMBER, **properties):
    api = make_api(**properties)
    output = {"type": "object", "properties": dict.fromkeys(gives, of)}
    return api.model_copy(update={"parameters": api.parameters | {"required": list(properties)}, "output": output})


@pytest.mark.parametrize(
    ("api", "does"),
    [
        (needing(base=NUMBER, exponent=NUMBER), True),
        (needing(numbers=MANY), True),
        (needing(n=WHOLE, r=WHOLE), True),
        (needing(latitude=NUMBER, longitude=NUMBER), False),
        (needing(number=NUMBER, unit=TEXT), False),
        (needing(number=TEXT), False),
        (needing(numbers={"type": "array"}), False),
        (needing(numbers=MANY, gives=["slope", "intercept"]), False),
        (needing(n=WHOLE, of=TEXT), False),
        (
            needing(
                a={"type": ["number", "null"]}, numbers=MANY | {"type": ["array", "null"]}, of={"type": ["integer"]}
            ),
            True,
        ),
        (needing(a={"type": ["number", "string"]}), False),
        (needing(a={"type": "null"}), False),
        (needing(n=WHOLE, gives=[]), False),
        (make_api(a=NUMBER), False),  # what needs nothing computes nothing
    ],
)
def test_what_needs_only_places_of_a_formula_computes(api, does):
    assert computes(api) is does


@pytest.mark.parametrize(
    ("number", "source", "constant"),
    [
        ("2", "", True),
        ("60", "", True),
        ("3.14", "", True),
        ("3.14159265", "", True),
        ("2.718", "", True),
        ("0.5", "", True),
        ("1.3333", "", True),
        ("1.02", "by 2 percent", True),
        ("0.97", "by 3% a year", True),
        ("1.02", "by 3 percent", False),
        ("0.03226", "the 31st root", True),
        ("0.03226", "the 32nd root", False),
        ("3.15", "", False),
        ("2.7", "", False),
        ("31", "4 of 32", True),
        ("27", "4 of 32", False),
        ("28", "every 4 weeks", True),
        ("31.5", "4 of 32", False),
        ("1e30", "1000000000000000000000000000002", True),
        ("17", "", False),
        ("41.5", "", False),
        ("Infinity", "", False),
        ("1e-30", "1 of 1e-20", False),
    ],
)
def test_constants_and_what_is_made_of_known_numbers(number, source, constant):
    assert is_constant(Decimal(number), [source]) is constant


@given(st.integers(1, 99))
def test_growth_by_any_percentage_is_known(percent):
    for sign in (1, -1):
        assert is_constant(1 + sign * Decimal(percent) / 100, [f"it changes by {percent}% a year"])
