"""Parameters and bodies as flat arguments, each with its place in the request."""

import re

import pytest

from tests.support.openapi_parts import STRING, body, placed, query
from toolquiver.catalog.openapi.arguments import Part, arguments
from toolquiver.errors import CatalogError


def placement(made, argument):
    (found,) = [p for p in made.binding["placements"] if p["argument"] == argument]
    return found


def test_parameters_of_every_place_become_arguments(api):
    parameters = [
        query("limit"),
        {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}, "description": "Whose."},
        {"name": "X-Trace", "in": "header", "schema": STRING, "required": True},
        {"name": "session", "in": "cookie", "schema": STRING},
    ]
    made = api({"parameters": parameters}, path="/pets/{id}")
    assert placed(made) == [
        ("id", "id", "path"),
        ("limit", "limit", "query"),
        ("X-Trace", "X-Trace", "header"),
        ("session", "session", "cookie"),
    ]
    assert made.parameters["properties"]["id"] == {"type": "integer", "description": "Whose."}
    assert made.parameters["required"] == ["id", "X-Trace"]


@pytest.mark.parametrize(("said", "required"), [("false", []), ("True", ["a"]), (True, ["a"])])
def test_true_and_false_may_be_texts(api, said, required):
    assert api({"parameters": [query("a", required=said)]}).parameters.get("required", []) == required


@pytest.mark.parametrize("name", ["Accept", "content-type"])
def test_some_headers_are_no_parameters(api, name):
    assert placed(api({"parameters": [query(name, **{"in": "header"}), query(name)]})) == [(name, name, "query")]


def test_an_operation_replaces_the_parameters_of_its_path(api):
    item = {"parameters": [query("a", description="path"), query("b", description="path")]}
    made = api({"parameters": [query("b", description="own"), query("c")]}, item=item)
    assert list(made.parameters["properties"]) == ["a", "b", "c"]
    assert made.parameters["properties"]["b"]["description"] == "own"


def test_a_name_in_the_path_that_no_parameter_explains_is_text(api):
    made = api(
        {"parameters": [{"name": "gone", "in": "path", "required": True, "schema": STRING}]}, path="/a/{b}/{c}/{b}"
    )
    assert placed(made) == [("b", "b", "path"), ("c", "c", "path")]
    assert made.parameters["required"] == ["b", "c"]


def test_one_name_in_two_places_is_two_arguments(api):
    header = {"name": "id", "in": "header", "schema": STRING}
    made = api({"parameters": [header, query("id")]}, path="/pets/{id}")
    assert placed(made) == [("id", "id", "path"), ("header_id", "id", "header"), ("query_id", "id", "query")]


def test_arguments_have_names_that_every_provider_takes(api):
    made = api(
        {"parameters": [query(name) for name in ("filter[name]", "filter(name)", "$top", "日本", "a" * 99, "x.y-z")]}
    )
    assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in made.parameters["properties"])
    assert [name for name, _, _ in placed(made)] == [
        "filter_name",
        "query_filter_name",
        "top",
        "value",
        "a" * 64,
        "x.y-z",
    ]
    assert placement(made, "filter_name")["name"] == "filter[name]"


def test_many_parts_of_one_name_are_told_apart():
    parts = [Part(name="a" * 70, location="query", schema={}) for _ in range(5)]
    names = [placement.argument for placement in arguments(parts).placements]
    assert len(set(names)) == 5
    assert all(len(name) <= 64 for name in names)


@pytest.mark.parametrize(
    ("given", "style", "explode"),
    [
        ({"in": "query"}, "form", True),
        ({"in": "query", "explode": False}, "form", False),
        ({"in": "query", "style": "deepObject", "explode": True}, "deepObject", True),
        ({"in": "query", "style": "pipeDelimited"}, "pipeDelimited", False),
        ({"in": "path"}, "simple", False),
        ({"in": "path", "style": "matrix", "explode": True}, "matrix", True),
        ({"in": "header"}, "simple", False),
        ({"in": "cookie"}, "form", True),
    ],
)
def test_lists_are_written_as_openapi_3_says(api, given, style, explode):
    made = api({"parameters": [{"name": "x", "schema": {"type": "array"}} | given]}, path="/pets/{x}")
    found = next(p for p in made.binding["placements"] if p["location"] == given["in"])
    assert (found["style"], found["explode"]) == (style, explode)


@pytest.mark.parametrize(
    ("place", "collection", "style", "explode"),
    [
        ("query", None, "form", False),
        ("query", "csv", "form", False),
        ("query", "ssv", "spaceDelimited", False),
        ("query", "tsv", "tabDelimited", False),
        ("query", "pipes", "pipeDelimited", False),
        ("query", "multi", "form", True),
        ("path", "csv", "simple", False),
        ("formData", "multi", "form", True),
    ],
)
def test_lists_are_written_as_openapi_2_says(api, place, collection, style, explode):
    parameter = {"name": "x", "in": place, "type": "array", "items": STRING, "required": True, "description": "d"}
    made = api(
        {"parameters": [parameter | ({"collectionFormat": collection} if collection else {})]},
        path="/p/{x}",
        swagger="2.0",
    )
    found = made.binding["placements"][-1]
    assert (found["style"], found["explode"]) == (style, explode)
    assert made.parameters["properties"][found["argument"]] == {"type": "array", "items": STRING, "description": "d"}


def test_a_parameter_may_be_written_as_json(api):
    content = {"application/json": {"schema": {"type": "object"}}}
    made = api({"parameters": [{"name": "where", "in": "query", "content": content}]})
    assert placement(made, "where")["media_type"] == "application/json"
    assert made.parameters["properties"]["where"] == {"type": "object"}


@pytest.mark.parametrize(
    ("parameters", "place", "said"),
    [
        ([{"name": "x", "in": "nowhere"}], "0", "'nowhere'"),
        ([{"in": "query"}], "0", "without a name"),
        ([query("x"), query("x", schema={})], "1", "a second query parameter 'x'"),
        ([query("x", style="wavy")], "0/style", "no style 'wavy'"),
        ([query("x", explode="yes")], "0/explode", "must be true or false, but is text"),
        (["x"], "0", "must be an object, but is text"),
        ({"x": {}}, "", "must be a list, but is an object"),
    ],
)
def test_what_is_no_parameter_is_named_with_its_place(api, parameters, place, said):
    where = f"doc.json#/paths/~1pets/get/parameters{'/' * bool(place)}{place}: "
    with pytest.raises(CatalogError) as caught:
        api({"parameters": parameters})
    assert str(caught.value).startswith(where)
    assert said in str(caught.value)


def test_what_is_there_twice_or_has_an_empty_name_does_no_harm(api):
    assert placed(api({"parameters": [query("x"), query("x"), query("")]})) == [("x", "x", "query")]


def test_the_members_of_a_json_body_become_arguments(api):
    schema = {"type": "object", "required": ["name"], "properties": {"name": STRING, "age": {"type": "integer"}}}
    made = api(body(schema), method="post")
    assert placed(made) == [("name", "name", "body"), ("age", "age", "body")]
    assert made.binding["body_media_type"] == "application/json"
    assert made.parameters == schema | {"required": ["name"]}


def test_the_members_of_all_parts_of_a_body_become_arguments(api):
    schemas = {"Pet": {"type": "object", "required": ["name"], "properties": {"name": STRING}}}
    schema = {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"required": ["age"]}], "properties": {"age": {}}}
    made = api(body(schema), components={"schemas": schemas})
    assert list(made.parameters["properties"]) == ["name", "age"]
    assert made.parameters["required"] == ["name", "age"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": STRING},
        {"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
        {"properties": {"a": {}}, "anyOf": [{"properties": {"b": {}}}]},
        {"type": "object", "additionalProperties": STRING},
        {"type": "object"},
        {"type": "object", "properties": {"limit": {}}},
        {"type": "object", "properties": {"a b": {}, "a_b": {}}},
        {},
    ],
)
def test_a_body_that_is_no_plain_object_or_whose_names_are_taken_is_one_argument(api, schema):
    operation = {"parameters": [query("limit")]} | body(schema)
    operation["requestBody"] |= {"required": True, "description": "The pet."}
    made = api(operation)
    assert placed(made) == [("limit", "limit", "query"), ("body", "", "body")]
    assert made.parameters["properties"]["body"] == schema | {"description": "The pet."}
    assert made.parameters["required"] == ["body"]


def test_alternatives_that_only_require_are_still_plain(api):
    schema = {"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert placed(api(body(schema))) == [("a", "a", "body"), ("b", "b", "body")]


@pytest.mark.parametrize("schema", [{"type": "object", "properties": {}}, {"properties": {"id": {"readOnly": True}}}])
def test_a_body_without_members_is_none(api, schema):
    made = api(body(schema))
    assert (placed(made), made.binding["body_media_type"]) == ([], "")


@pytest.mark.parametrize(
    ("types", "chosen"),
    [
        (["application/xml", "application/json"], "application/json"),
        (["multipart/form-data", "application/vnd.api+json; v=1"], "application/vnd.api+json; v=1"),
        (["application/x-www-form-urlencoded", "multipart/form-data"], "multipart/form-data"),
        (["image/png", "text/plain"], "text/plain"),
        (["*/*"], "application/json"),
    ],
)
def test_json_is_preferred_then_forms_then_text(api, types, chosen):
    content = {kind: {"schema": {"type": "object", "properties": {"a": STRING}}} for kind in types}
    assert api({"requestBody": {"content": content}}).binding["body_media_type"] == chosen


def test_another_body_is_one_argument(api):
    made = api({"requestBody": {"content": {"text/csv": {}}}})
    assert (placed(made), made.binding["body_media_type"]) == ([("body", "", "body")], "text/csv")
    assert made.parameters["properties"]["body"] == STRING


def test_the_fields_of_a_form_become_arguments(api):
    schema = {"properties": {"tags": {"type": "array", "items": STRING}, "where": {"type": "object"}, "n": {}}}
    encoding = {"tags": {"style": "pipeDelimited", "explode": False}}
    made = api(body(schema, "application/x-www-form-urlencoded", encoding=encoding))
    assert placed(made) == [("tags", "tags", "form"), ("where", "where", "form"), ("n", "n", "form")]
    assert placement(made, "tags")["style"] == "pipeDelimited"
    assert [placement(made, name)["media_type"] for name in ("tags", "where", "n")] == ["", "application/json", ""]


def test_the_files_of_a_form_are_files(api):
    binary = {"type": "string", "format": "binary"}
    schema = {
        "properties": {
            "photo": binary,
            "photos": {"type": "array", "items": {"$ref": "#/components/schemas/Binary"}},
            "icon": {"contentMediaType": "image/png"},
            "inline": {"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"},
            "owner": {"type": "object", "properties": {"name": STRING}},
        }
    }
    made = api(
        body(schema, "multipart/form-data", encoding={"photo": {"contentType": "image/png, image/jpeg"}}),
        components={"schemas": {"Binary": binary}},
    )
    assert [place for _, _, place in placed(made)] == ["file", "file", "file", "form", "form"]
    assert placement(made, "photo")["media_type"] == "image/png"
    shown = made.parameters["properties"].items()
    assert [name for name, one in shown if "data:" in one.get("description", "")] == ["photo", "photos", "icon"]
    assert placement(made, "owner")["media_type"] == "application/json"


def test_a_form_that_is_one_file_is_a_file(api):
    made = api(body({"type": "string", "format": "binary"}, "multipart/form-data"))
    assert placed(made) == [("file", "file", "file")]


def test_forms_and_bodies_of_openapi_2(api):
    form = [{"name": "n", "in": "formData", "type": "integer"}, {"name": "f", "in": "formData", "type": "file"}]
    made = api({"parameters": form}, swagger="2.0", consumes=["application/x-www-form-urlencoded"])
    assert placed(made) == [("n", "n", "form"), ("f", "f", "file")]
    assert made.binding["body_media_type"] == "multipart/form-data"
    several = {"name": "f", "in": "formData", "type": "array", "items": {"type": "file"}}
    assert placed(api({"parameters": [several]}, swagger="2.0")) == [("f", "f", "file")]
    made = api({"parameters": form[:1]}, swagger="2.0")
    assert made.binding["body_media_type"] == "application/x-www-form-urlencoded"
    made = api({"parameters": form[:1], "consumes": ["multipart/form-data"]}, swagger="2.0")
    assert made.binding["body_media_type"] == "multipart/form-data"
    schema = {"type": "object", "required": ["a"], "properties": {"a": STRING}}
    made = api({"parameters": [{"name": "pet", "in": "body", "schema": schema}]}, swagger="2.0")
    assert (placed(made), made.binding["body_media_type"]) == ([("a", "a", "body")], "application/json")
    made = api(
        {"parameters": [{"name": "pet", "in": "body", "schema": STRING}]}, swagger="2.0", consumes=["text/plain"]
    )
    assert (placed(made), made.binding["body_media_type"]) == ([("body", "", "body")], "text/plain")


def test_a_whole_query_of_openapi_3_2(api):
    form = {"application/x-www-form-urlencoded": {"schema": {"properties": {"a": STRING}, "required": ["a"]}}}
    made = api({"parameters": [{"name": "q", "in": "querystring", "content": form}]}, openapi="3.2.0")
    assert (placed(made), made.parameters["required"]) == ([("a", "a", "query")], ["a"])
    json_ = {"application/json": {"schema": {"type": "object"}}}
    made = api({"parameters": [{"name": "q", "in": "querystring", "content": json_}]}, openapi="3.2.0")
    assert placed(made) == [("q", "", "query")]
    assert placement(made, "q")["media_type"] == "application/json"


def test_a_cookie_of_openapi_3_2_is_not_escaped(api):
    found = api({"parameters": [query("c", **{"in": "cookie", "style": "cookie"})]}, openapi="3.2.0").binding[
        "placements"
    ][0]
    assert (found["style"], found["explode"], found["allow_reserved"]) == ("form", True, True)
