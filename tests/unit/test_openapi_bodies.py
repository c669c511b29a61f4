"""Bodies that take more than they name, bodies of XML, and files."""

import pytest

from tests.support.http_requests import parts
from tests.support.openapi_parts import STRING, body, placed, query
from toolquiver.calling.arguments import problems
from toolquiver.calling.http.request import outgoing
from toolquiver.catalog.operation import HttpOperation

HOW = "Give text as it is, or any bytes as data:MEDIA/TYPE;name=FILE;base64,..."
OPEN = {"type": "object", "properties": {"a": STRING, "b": STRING}, "additionalProperties": True}


def is_open(made):
    return made.parameters.get("additionalProperties", False)


@pytest.mark.parametrize(
    "schema",
    [
        OPEN,
        OPEN | {"additionalProperties": {}},
        {"allOf": [OPEN, {"properties": {"c": STRING}}]},
        {"allOf": [{"properties": {"c": STRING}}], **OPEN},
    ],
)
def test_a_body_that_says_so_takes_members_of_any_name(api, schema):
    made = api(body(schema), method="post", path="/pets/{id}")
    assert {location for _, _, location in placed(made)} == {"path", "body"}
    assert is_open(made) is True
    assert problems(made, {"id": "1", "a": "x", "more": 1}) == []
    assert problems(made, {"more": 1}) != []


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        ({"properties": {"a": STRING}}, []),
        (OPEN | {"additionalProperties": False}, []),
        (OPEN | {"allOf": [OPEN], "additionalProperties": False}, []),
        (OPEN, [query("limit")]),
        (OPEN | {"properties": {"a[b]": STRING}}, []),
    ],
)
def test_other_bodies_and_those_whose_members_could_be_meant_for_something_else_do_not(api, schema, parameters):
    assert is_open(api(body(schema) | {"parameters": parameters})) is False


def test_beside_a_parameter_that_is_always_given_nothing_is_unclear(api):
    assert is_open(api(body(OPEN) | {"parameters": [query("limit", required=True)]})) is True


@pytest.mark.parametrize("more", [{"additionalProperties": STRING}, {"properties": {}}])
def test_an_open_body_without_names_or_with_a_schema_for_the_rest_is_one_argument(api, more):
    made = api(body(OPEN | more))
    assert (placed(made), is_open(made)) == ([("body", "", "body")], False)


@pytest.mark.parametrize(
    ("kinds", "sent_as"),
    [
        (["json-patch+json", "merge-patch+json", "vnd.a+json", "json"], "json"),
        (["json-patch+json", "strategic-merge-patch+json", "merge-patch+json", "apply-patch+yaml"], "merge-patch+json"),
        (["json-patch+json", "vnd.a+json"], "vnd.a+json"),
        (["xml", "json-patch+json", "x-www-form-urlencoded"], "json-patch+json"),
        (["pdf", "json-seq", "x-www-form-urlencoded"], "x-www-form-urlencoded"),
    ],
)
def test_of_several_types_the_easiest_is_sent(api, kinds, sent_as):
    content = {f"application/{kind}": {"schema": STRING | {"description": "Changes."}} for kind in kinds}
    made = api({"requestBody": {"content": content}}, method="patch")
    assert made.binding["body_media_type"] == f"application/{sent_as}"
    if sent_as.endswith("patch+json"):
        text = f"Changes.\n\nA patch of the type application/{sent_as}."
        assert made.parameters["properties"]["body"]["description"] == text


@pytest.mark.parametrize("kind", ["application/xml", "text/xml; charset=utf-8", "application/soap+xml"])
def test_a_body_of_xml_is_a_text_that_says_what_is_in_it(api, kind):
    pet = {"type": "object", "properties": {"name": STRING, "api_key": STRING}, "description": "A pet."}
    made = api(body({"$ref": "#/components/schemas/Pet"}, kind), components={"schemas": {"Pet": pet}})
    assert (placed(made), made.binding["body_media_type"]) == ([("body", "", "body")], kind)
    text = {"type": "string", "description": "A pet.\n\nXML as text: the element Pet with name."}
    assert made.parameters["properties"]["body"] == text


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "object"}, STRING | {"description": "XML as text."}),
        ({"type": "array", "xml": {"name": "pets"}}, STRING | {"description": "XML as text: the element pets."}),
        (STRING, STRING),
    ],
)
def test_what_is_not_known_of_xml_is_not_said(api, schema, text):
    assert api(body(schema, "application/xml")).parameters["properties"]["body"] == text


@pytest.mark.parametrize(
    ("kind", "schema", "sent_as"),
    [
        ("application/octet-stream", STRING | {"format": "binary"}, "application/octet-stream"),
        ("application/octet-stream", STRING, "application/octet-stream"),
        ("image/png", {}, "image/png"),
        ("application/pdf", STRING | {"format": "binary"}, "application/pdf"),
        ("*/*", STRING | {"format": "binary"}, "application/octet-stream"),
    ],
)
def test_a_body_that_is_a_file_says_how_it_is_written(api, kind, schema, sent_as):
    made = api(body(schema, kind))
    assert made.parameters["properties"]["body"] == schema | {"description": HOW}
    assert made.binding["body_media_type"] == sent_as
    made = api({"parameters": [{"name": "f", "in": "body", "schema": schema}], "consumes": [kind]}, swagger="2.0")
    assert made.parameters["properties"]["body"] == schema | {"description": HOW}


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("text/plain", STRING),
        ("application/octet-stream", {"type": "object"}),
        ("image/png", STRING | {"contentEncoding": "base64"}),
        ("application/json", STRING | {"format": "binary"}),
    ],
)
def test_another_body_does_not(api, kind, schema):
    assert api(body(schema, kind)).parameters["properties"]["body"] == schema


def test_the_description_of_a_file_stays(api):
    schema = {"properties": {"f": STRING | {"format": "binary", "description": "A photo."}}}
    made = api(body(schema, "multipart/form-data"))
    assert made.parameters["properties"]["f"]["description"] == f"A photo.\n\n{HOW}"


FILE = {"type": "string", "format": "binary"}
LIST = {"type": "array", "items": STRING}


def sent(made, arguments):
    """The names and bytes of the parts of a form."""
    request = outgoing(HttpOperation.model_validate(made.binding), made, arguments, "https://a.test")
    return [(name, data) for name, _, _, data in parts(request)]


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [FILE, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/File"}]},
        {"allOf": [{"$ref": "#/components/schemas/File"}], "description": "A photo."},
        {"type": "string", "contentEncoding": "binary"},
        {"anyOf": [{"type": "array", "items": {"allOf": [FILE]}}, {"type": "null"}]},
    ],
)
def test_a_file_is_one_however_its_schema_is_put_together(api, schema):
    form = {"properties": {"f": schema, "n": STRING}}
    made = api(body(form, "multipart/form-data"), components={"schemas": {"File": FILE}})
    assert placed(made) == [("f", "f", "file"), ("n", "n", "form")]
    assert made.parameters["properties"]["f"]["description"].endswith(HOW)
    assert sent(made, {"f": "data:;base64,aGk="}) == [("f", b"hi")]


def test_a_schema_that_is_made_of_itself_is_no_file(api):
    loop = {"Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}, {"description": "A loop."}]}}
    form = body({"properties": {"f": {"$ref": "#/components/schemas/Loop"}}}, "multipart/form-data")
    assert placed(api(form, components={"schemas": loop})) == [("f", "f", "form")]


@pytest.mark.parametrize(
    ("collection", "data"), [(None, [b"a,b"]), ("csv", [b"a,b"]), ("pipes", [b"a|b"]), ("multi", [b"a", b"b"])]
)
def test_a_list_beside_a_file_is_written_as_openapi_2_says(api, collection, data):
    field = {"name": "l", "in": "formData", **LIST} | ({"collectionFormat": collection} if collection else {})
    made = api({"parameters": [{"name": "f", "in": "formData", "type": "file"}, field]}, swagger="2.0", host="a.test")
    assert sent(made, {"f": "data:;base64,aGk=", "l": ["a", "b"]}) == [("f", b"hi"), *(("l", one) for one in data)]


@pytest.mark.parametrize(
    ("encoding", "data"),
    [({}, [b"a", b"b"]), ({"explode": False}, [b"a,b"]), ({"style": "form"}, [b"a", b"b"])],
)
def test_a_list_beside_a_file_is_written_as_openapi_3_says(api, encoding, data):
    schema = {"properties": {"f": FILE, "l": LIST}}
    made = api(body(schema, "multipart/form-data", encoding={"l": encoding} if encoding else {}))
    assert sent(made, {"f": "hi", "l": ["a", "b"]}) == [("f", b"hi"), *(("l", one) for one in data)]
