"""What is read out of an API's JSON Schema."""

import pytest
from pydantic import ValidationError

from toolquiver.catalog import API, Catalog, Parameter
from toolquiver.catalog.records import type_text


def make_api(**parameters):
    return API(id="a/b/c", name="c", tool="b", category="a", parameters=parameters)


def test_required_parameters_come_first_and_otherwise_the_schema_decides():
    api = make_api(
        properties={
            "late": {"type": "string"},
            "first": {"type": "integer", "description": "How many."},
            "second": {"type": "number"},
        },
        required=["second", "first"],
    )
    assert [p.name for p in api.parameter_list()] == ["first", "second", "late"]
    assert api.parameter_list()[0] == Parameter(
        name="first",
        type="integer",
        required=True,
        description="How many.",
        schema_={"type": "integer", "description": "How many."},
    )


def test_a_parameter_that_may_be_anything_is_one():
    api = make_api(properties={"x": True, "y": {"description": None}})
    assert [(p.name, p.type, p.description) for p in api.parameter_list()] == [("x", "any", ""), ("y", "any", "")]
    with Catalog.create() as catalog:
        catalog.add(api)
        assert catalog.get(api.id).parameters == api.parameters


def test_apis_without_parameters_share_nothing():
    one, other = (API(id=name, name=name, tool="b", category="a") for name in "xy")
    assert one.parameters == {"type": "object", "properties": {}}
    one.parameters["properties"]["new"] = {}
    assert other.parameters["properties"] == {}


def test_an_api_has_no_other_fields():
    with pytest.raises(ValidationError, match="colour"):
        API(id="a", name="a", tool="b", category="c", colour="red")


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, "string"),
        ({"enum": ["km", 1, None]}, "km | 1 | None"),
        ({"const": "on"}, "on"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer"),
        ({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}}]}, "string or list of number"),
        ({"anyOf": [True, {"type": "null"}]}, "any"),
        ({"type": ["string", "null", "integer"]}, "string or integer"),
        ({"type": ["array", "null"], "items": {"type": "object"}}, "list of object"),
        ({"type": ["array", "string"], "items": {"type": "number"}}, "list of number or string"),
        ({"anyOf": [{"allOf": [{"type": "object"}]}, {"type": "null"}]}, "object"),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, "a | b"),
        ({"anyOf": None, "type": "string"}, "string"),
        ({"type": "null"}, "null"),
        ({"type": "array"}, "list of any"),
        ({"type": "array", "items": True}, "list of any"),
        ({}, "any"),
        (True, "any"),
    ],
)
def test_types_read_in_a_few_characters(schema, text):
    assert type_text(schema) == text


HELD = {"type": "object", "properties": {"x": {"type": "string"}, "sku": {"type": "string"}}, "required": ["sku"]}


@pytest.mark.parametrize(
    "schema",
    [
        HELD,
        {"type": "array", "items": HELD},
        {"type": ["array", "null"], "items": HELD},
        {"type": "array", "items": {"anyOf": [HELD, {"type": "null"}]}},
        {"anyOf": [{"allOf": [HELD]}, {"type": "null"}], "description": "What is bought."},
    ],
)
def test_what_a_parameter_holds_is_known_where_it_may_be_null_too(schema):
    (parameter,) = make_api(properties={"bought": schema}).parameter_list()
    assert [(one.name, one.required) for one in parameter.inner_list()] == [("sku", True), ("x", False)]
