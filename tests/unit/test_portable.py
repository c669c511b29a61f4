"""Schemas of functions as hosted providers take them."""

import json

import pytest

from toolquiver.models.portable import portable, sound


@pytest.mark.parametrize(
    ("part", "made"),
    [
        ({"type": "array"}, {"type": "array", "items": {}}),
        ({"type": ["array", "null"]}, {"type": ["array", "null"], "items": {}}),
        ({"type": "array", "items": {"type": "int"}}, {"type": "array", "items": {}}),
        (
            {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "maxItems": 2},
            {"type": "array", "items": {"type": "number"}, "maxItems": 2},
        ),
        (
            {"prefixItems": [{"type": "string"}, {"type": "array"}, True], "items": False},
            {"items": {"anyOf": [{"type": "string"}, {"type": "array", "items": {}}, {}]}},
        ),
        (
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
        ),
        ({"type": "array", "items": [{"type": "string"}]}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "object", "properties": {"type": {"type": "array"}}}, None),
        ({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["a"]}),
        ({"type": "integer", "minimum": -(2.0**63), "maximum": 2.0**63}, {"type": "integer"}),
        ({"type": "integer", "exclusiveMinimum": 1e30, "maximum": 2**53}, {"type": "integer", "maximum": 2**53}),
        ({"type": "number", "maximum": float("inf"), "minimum": 0.5}, {"type": "number", "minimum": 0.5}),
        ({"type": "string", "minLength": 3_000, "maxLength": 2_000}, {"type": "string"}),
        ({"type": "string", "format": "password", "not": {"enum": ["a"]}}, {"type": "string"}),
        (
            {"type": "string", "format": "date", "pattern": "^[a-z]{2}$"},
            {"type": "string", "format": "date", "pattern": "^[a-z]{2}$"},
        ),
        ({"type": "string", "pattern": "^(?=a)b$"}, {"type": "string"}),
        ({"type": "string", "pattern": "a+"}, {"type": "string"}),
        (
            {"type": "object", "properties": {"not": {"enum": []}, "format": {}}},
            {"type": "object", "properties": {"not": {}, "format": {}}},
        ),
        (
            {"type": "integer", "exclusiveMaximum": True, "maximum": 9},
            {"type": "integer", "exclusiveMaximum": True, "maximum": 9},
        ),
        (
            {"anyOf": [{"type": "array"}, {"type": "null"}]},
            {"anyOf": [{"type": "array", "items": {}}, {"type": "null"}]},
        ),
    ],
)
def test_each_part_says_of_what_a_list_is_and_has_a_type_that_is_one(part, made):
    expected = made or {"type": "object", "properties": {"type": {"type": "array", "items": {}}}}
    assert sound({"properties": {"one": part}}) == {"properties": {"one": expected}}


def test_at_the_root_there_are_no_alternatives():
    schema = {"oneOf": [{"required": ["a"]}], "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert portable(schema) == {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert portable({}) == {"type": "object", "properties": {}}


def test_what_parts_and_definitions_name_can_be_given():
    one, other = {"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"$ref": "#/$defs/B"}
    defs = {"B": {"type": "object", "properties": {"b": {"type": "integer"}}}}
    made = portable({"type": "object", "oneOf": [one, other], "$defs": defs})
    assert made["properties"] == {"a": {"type": "string"}, "b": {"type": "integer"}}
    assert "required" not in made
    assert portable({"allOf": [one]})["required"] == ["a"]
    assert portable({"allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": one}})["required"] == ["a"]
    assert portable({**other, "$defs": defs})["properties"] == {"b": {"type": "integer"}}


def test_the_schema_itself_stays_as_it_is():
    schema = {"type": "object", "properties": {"a": {"type": "array"}}}
    before = json.dumps(schema)
    portable(schema)
    assert json.dumps(schema) == before
