"""Arguments against a schema."""

import pytest

from toolquiver.calling import problems
from toolquiver.calling.arguments import closed
from toolquiver.catalog import API


def make_api(**schema):
    return API(id="a/b/c", name="c", tool="b", category="a", parameters={"type": "object"} | schema)


FLIGHT = make_api(
    properties={
        "seats": {"type": "integer", "minimum": 1},
        "cabin": {"enum": ["economy", "first"]},
        "stops": {"type": "array", "items": {"type": "object", "properties": {"code": {"type": "string"}}}},
    },
    required=["seats"],
)


def test_arguments_that_fit_have_no_problems():
    assert problems(FLIGHT, {"seats": 2, "cabin": "first", "stops": [{"code": "LIS"}]}) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "'seats' is a required property."),
        ({"seats": "two"}, "seats: 'two' is not of type 'integer'."),
        ({"seats": True}, "seats: True is not of type 'integer'."),
        ({"seats": 0}, "seats: 0 is less than the minimum of 1."),
        ({"seats": 1, "cabin": "second"}, "cabin: 'second' is not one of ['economy', 'first']."),
        ({"seats": 1, "stops": [{"code": "LIS"}, {"code": 7}]}, "stops.1.code: 7 is not of type 'string'."),
        ({"seats": 1, "sheep": 1}, "Additional properties are not allowed ('sheep' was unexpected)."),
    ],
)
def test_each_problem_is_a_sentence_with_its_place(arguments, said):
    assert problems(FLIGHT, arguments) == [said]


def test_all_problems_are_told():
    assert len(problems(FLIGHT, {"seats": 0, "cabin": 1, "x": 1})) == 3


def test_a_schema_may_allow_more_properties():
    assert problems(make_api(additionalProperties={"type": "string"}), {"any": "thing"}) == []
    assert problems(make_api(additionalProperties={"type": "string"}), {"any": 1}) != []


def test_an_api_without_parameters_takes_none():
    assert problems(make_api(), {}) == []
    assert problems(make_api(), {"x": 1}) != []


def test_closing_a_schema_leaves_the_api_alone():
    schema = {"type": "object"}
    assert closed(schema) == {"type": "object", "additionalProperties": False}
    assert schema == {"type": "object"}


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "text"},
        {"pattern": "["},
        {"$ref": "#/$defs/missing"},
        {"$ref": "http://192.0.2.1/schema.json"},  # the guard of the tests would show a request
    ],
)
def test_a_broken_schema_is_a_problem_and_no_crash(broken):
    (said,) = problems(make_api(properties={"x": broken}), {"x": "1"})
    assert said.startswith("The catalogue's schema for a/b/c is broken: ")


def test_references_within_a_schema_are_followed():
    api = make_api(properties={"x": {"$ref": "#/$defs/short"}}, **{"$defs": {"short": {"maxLength": 2}}})
    assert problems(api, {"x": "ab"}) == []
    assert problems(api, {"x": "abc"}) == ["x: 'abc' is too long."]
