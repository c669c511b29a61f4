"""Schemas: those of every version as 2020 writes them, finite, and standing alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolquiver.calling import problems
from toolquiver.catalog.openapi.standalone import standalone
from toolquiver.errors import CatalogError


@pytest.fixture
def sent(api):
    """The schema of a parameter, as it is imported."""

    def sent(schema, **top):
        made = api({"parameters": [{"name": "x", "in": "query", "schema": schema}]}, **top)
        Draft202012Validator.check_schema(made.parameters)
        return made.parameters["properties"]["x"]

    return sent


@pytest.mark.parametrize(
    ("given_", "made"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"], "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "x-nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"enum": ["a"], "nullable": True}, {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
        (
            {"allOf": [{"type": "string"}], "description": "d", "nullable": True},
            {"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}], "description": "d"},
        ),
        ({"nullable": True}, {}),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 0}),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, {"type": "integer", "maximum": 9}),
        ({"exclusiveMinimum": 1, "minimum": 0}, {"exclusiveMinimum": 1, "minimum": 0}),
        ({"type": "string", "example": "a", "examples": ["a"], "x-any": 1, "xml": {}}, {"type": "string"}),
        ({"oneOf": [{"type": "string"}], "discriminator": {"propertyName": "k"}}, {"oneOf": [{"type": "string"}]}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"type": "array", "items": [{"type": "string"}]}, {"type": "array", "prefixItems": [{"type": "string"}]}),
        ({"type": "any", "minLength": "1", "pattern": r"\p{L}", "required": True}, {}),
        ({"type": "string", "pattern": "^a", "minLength": 1}, {"type": "string", "pattern": "^a", "minLength": 1}),
        ({"type": "integer", "default": 0}, {"type": "integer", "default": 0}),
        ({"enum": [], "default": None, "description": " ", "deprecated": False}, {}),
        ({"type": "object", "additionalProperties": True}, {"type": "object", "additionalProperties": True}),
        ({"allOf": {"type": "string"}}, {"allOf": [{"type": "string"}]}),
        ({"const": None}, {"const": None}),
        ({"type": "string", "enum": [0, 1.5, True, "a"]}, {"type": "string", "enum": ["0", "1.5", "true", "a"]}),
        ({"type": "integer", "enum": ["1", "2", "x"]}, {"type": "integer", "enum": [1, 2]}),
        ({"type": "boolean", "enum": ["true", "false"]}, {"type": "boolean", "enum": [True, False]}),
        ({"type": "boolean", "enum": ["yes", "no"]}, {"type": "boolean"}),
        ({"type": "number", "enum": ["NaN", "1e999", "[" * 9_999]}, {"type": "number"}),
        ({"type": "string", "enum": ["a", None]}, {"type": "string", "enum": ["a", None]}),
        ({"type": "integer", "enum": ["1"], "nullable": True}, {"type": ["integer", "null"], "enum": [1, None]}),
        (
            {"type": "array", "enum": [1, 2], "items": {"type": "string"}},
            {"type": "array", "items": {"type": "string", "enum": ["1", "2"]}},
        ),
        ({"type": "array", "enum": ["a"]}, {"type": "array", "items": {"enum": ["a"]}}),
        ({"type": "array", "enum": [["a"]]}, {"type": "array", "enum": [["a"]]}),
        ({"type": "object", "additionalProperties": "true"}, {"type": "object", "additionalProperties": True}),
        ({"type": "string", "nullable": "true"}, {"type": ["string", "null"]}),
        (True, {}),
        (False, {"not": {}}),
    ],
)
def test_every_version_s_keywords_become_those_of_2020(sent, given_, made):
    assert sent(given_) == made


def test_members_may_be_called_like_keywords(sent):
    members = {"type": {"type": "string"}, "$ref": {"type": "string"}, "x-id": {}, "required": {"type": "integer"}}
    assert sent({"type": "object", "properties": members})["properties"] == members


@pytest.mark.parametrize(("way", "left"), [("readOnly", ["both", "kept"]), ("writeOnly", ["both", "id", "kept"])])
def test_a_request_lacks_what_is_only_read(sent, way, left):
    members = {"id": {"$ref": "#/components/schemas/Id"}, "both": {}, "kept": {"readOnly": False}}
    schema = {"type": "object", "required": ["id", "both"], "properties": members}
    made = sent(schema, components={"schemas": {"Id": {"type": "string", way: True}}})
    assert sorted(made["properties"]) == left
    assert made["required"] == [name for name in ("id", "both") if name in left]


def test_no_part_requires_what_another_part_never_sends(sent):
    pet = {"type": "object", "required": ["id", "kind"], "properties": {"id": {"readOnly": True}, "kind": {}}}
    more = {"type": "object", "required": ["id", "name"], "properties": {"name": {}}}
    cat = {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"allOf": [more]}, {"$ref": "#/components/schemas/Cat"}]}
    of_more = {"components": {"schemas": {"Pet": pet, "Cat": {"allOf": [pet, {"required": ["id"]}]}}}}
    made = sent(cat | {"required": ["id", "name"]}, **of_more)
    assert made["required"] == ["name"]
    assert made["allOf"][1] == {"allOf": [more | {"required": ["name"]}]}
    assert '"id"' not in json.dumps(made)


@pytest.mark.parametrize(("version", "kept"), [("3.0.3", False), ("3.1.0", True)])
def test_what_stands_beside_a_reference_counts_since_3_1(sent, version, kept):
    schema = {"$ref": "#/components/schemas/Name", "description": "beside", "maxLength": 3}
    made = sent(schema, openapi=version, components={"schemas": {"Name": {"type": "string", "description": "own"}}})
    assert made == {"type": "string", "description": "beside"} | ({"maxLength": 3} if kept else {})


def test_what_contradicts_a_reference_stands_beside_it(sent):
    schema = {"$ref": "#/components/schemas/Name", "maxLength": 3}
    made = sent(schema, components={"schemas": {"Name": {"type": "string", "maxLength": 9}}})
    assert made == {"allOf": [{"type": "string", "maxLength": 9}, {"maxLength": 3}]}


TREE = {
    "Tree": {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "branches": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        },
    }
}


def test_a_schema_that_holds_itself_is_finite_and_whole(api):
    operation = {"parameters": [{"name": "tree", "in": "query", "schema": {"$ref": "#/components/schemas/Tree"}}]}
    made = api(operation, components={"schemas": TREE})
    assert made.parameters["properties"]["tree"]["type"] == "object"
    assert list(made.parameters["$defs"]) == ["Tree"]
    assert problems(made, {"tree": {"name": "oak", "branches": [{"name": "twig"}]}}) == []
    assert problems(made, {"tree": {"name": "oak", "branches": [{"branches": []}]}}) != []


def test_a_response_that_holds_itself_shows_its_members(api):
    content = {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}}
    made = api({"responses": {"200": {"content": content}}}, components={"schemas": TREE})
    assert list(made.output["items"]["properties"]) == ["name", "branches"]


def test_what_is_used_once_or_small_is_written_out(sent):
    large = {"type": "object", "properties": {f"member {n}": {"type": "string"} for n in range(20)}}
    reference = {name: {"$ref": f"#/components/schemas/{name}"} for name in ("Once", "Twice", "Small")}
    schema = {"properties": {"a": reference["Once"], "b": reference["Twice"], "c": reference["Twice"],
                             "d": reference["Small"], "e": reference["Small"]}}  # fmt: skip
    made = sent(schema, components={"schemas": {"Once": large, "Twice": large, "Small": {"type": "string"}}})
    assert made["properties"]["a"] == large
    assert made["properties"]["b"] == {"$ref": "#/$defs/Twice"}
    assert made["properties"]["d"] == {"type": "string"}


def test_what_is_too_large_is_left_open_at_its_ends(api):
    def inner(number):
        halves = {"left": 2 * number, "right": 2 * number + 1}
        members = {side: {"$ref": f"#/components/schemas/S{half}"} for side, half in halves.items()}
        return {"type": "object", "description": "d" * 900, "properties": members}

    schemas = {f"S{n}": inner(n) if n < 64 else {"type": "string"} for n in range(1, 128)}
    operation = {"parameters": [{"name": "x", "in": "query", "schema": {"$ref": "#/components/schemas/S1"}}]}
    made = api(operation, components={"schemas": schemas})
    assert 10_000 < len(json.dumps(made.parameters)) < 50_000
    assert {"type": "object", "description": "d" * 900} in list(values(made.parameters))
    Draft202012Validator.check_schema(made.parameters)


def values(value):
    yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from values(part)


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        (7, ""),
        ({"items": "string"}, "/items"),
        ({"properties": []}, "/properties"),
        ({"properties": {"a": None}}, "/properties/a"),
        ({"allOf": "string"}, "/allOf"),
        ({"anyOf": [{}, "x"]}, "/anyOf/1"),
    ],
)
def test_what_is_no_schema_is_named_with_its_place(sent, schema, place):
    with pytest.raises(CatalogError, match=f"doc.json#/paths/~1pets/get/parameters/0/schema{place}: must be"):
        sent(schema)


def test_a_schema_nested_too_deeply_is_one_clear_error(sent):
    schema = {}
    for _ in range(400):
        schema = {"items": schema}
    with pytest.raises(CatalogError, match="too deeply"):
        sent(schema)


names = st.sampled_from("ABCD")
schemas = st.recursive(
    st.just({"type": "string"}) | names.map(lambda name: {"$ref": f"#/$defs/{name}"}),
    lambda inner: (
        st.dictionaries(names, inner, max_size=3).map(lambda m: {"type": "object", "properties": m})
        | inner.map(lambda item: {"type": "array", "items": item})
    ),
)


@given(schemas, st.fixed_dictionaries({name: schemas.filter(lambda s: "$ref" not in s) for name in "ABCD"}))
def test_a_schema_that_stands_alone_means_the_same(schema, definitions):
    alone = standalone(schema, definitions)
    whole = schema | {"$defs": definitions}
    for value in ("x", 1, [], ["x"], [[]], {}, {"A": "x"}, {"A": {"B": 1}}, {"A": [{"B": {"C": []}}], "D": "x"}):
        assert Draft202012Validator(alone).is_valid(value) == Draft202012Validator(whole).is_valid(value)


def fanned_out(depth, made):
    """Schemas of which each holds the next one several times, and the last of all has a member `x`."""
    chain = {f"S{n}": made({"$ref": f"#/components/schemas/S{n + 1}"}) for n in range(depth)}
    return chain | {f"S{depth}": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}


@pytest.mark.parametrize(
    "made",
    [
        lambda following: {"allOf": [following] * 3},
        lambda following: {"allOf": [following | {"description": "d"}] * 3},
        lambda following: {"allOf": [{"allOf": [following] * 2}, following]},
        lambda following: {"anyOf": [following] * 3},
        lambda following: {"properties": dict.fromkeys("abc", following)},
        lambda following: {"type": "array", "prefixItems": [following] * 3},
    ],
)
@pytest.mark.parametrize("media_type", ["application/json", "multipart/form-data"])
def test_what_is_held_many_times_is_read_once(api, made, media_type):
    content = {media_type: {"schema": {"$ref": "#/components/schemas/S0"}}}
    operation = {"requestBody": {"content": content}, "responses": {"200": {"content": content}}}
    whole = api(operation, method="post", components={"schemas": fanned_out(19, made)})
    assert len(whole.model_dump_json()) < 50_000


def test_an_object_of_parts_that_repeat_has_their_members(api):
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}
    schemas = fanned_out(19, lambda following: {"allOf": [following] * 3})
    whole = api({"requestBody": {"content": content}}, method="post", components={"schemas": schemas})
    assert whole.parameters == {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
