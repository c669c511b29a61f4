"""Requests out of records: every argument in its place, and none out of it."""

import asyncio
import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.http_requests import built, parts, refusal
from tests.support.http_server import an_api
from toolquiver.calling import CallError
from toolquiver.calling.http import HttpCaller
from toolquiver.calling.http.request import outgoing
from toolquiver.catalog.operation import Credential, HttpOperation, Placement

FORM = "application/x-www-form-urlencoded"


def pets(pet, **options):
    return built("/pets/{pet}/photos", arguments={"pet": pet}, places=[("pet", "path", {"style": "simple"} | options)])


def test_every_location_is_filled():
    places = [(name, name) for name in ("path", "query", "header", "cookie")]
    request = built("/{path}/x", "get", {name: f"{name} é" for name, _ in places}, places=places)
    assert str(request.url) == "https://a.test/v1/path%20%C3%A9/x?query=query%20%C3%A9"
    assert request.method == "GET"
    assert request.headers == (("header", "header é"),)
    assert request.cookies == ("cookie=cookie%20%C3%A9",)
    assert (request.content, request.content_type) == (b"", "")


def test_what_is_not_given_is_not_sent():
    request = built(places=[("query", "query"), ("header", "header"), ("cookie", "cookie")])
    assert (str(request.url), request.headers, request.cookies) == ("https://a.test/v1/", (), ())


def test_the_name_on_the_wire_may_be_another():
    assert str(built(arguments={"from_": 1}, places=[("from_", "query", {"name": "from"})]).url).endswith("?from=1")


@pytest.mark.parametrize(
    ("server", "path", "url"),
    [
        ("https://a.test", "/x", "https://a.test/x"),
        ("https://a.test/", "x", "https://a.test/x"),
        ("https://a.test/v1/", "/x/", "https://a.test/v1/x/"),
        ("https://a.test/v1", "/", "https://a.test/v1/"),
        ("https://a.test", "/x?action=list#part", "https://a.test/x?action=list&n=1"),
        ("https://a.test/v1?version=2#x", "/y", "https://a.test/v1/y?version=2"),
        ("https://a.test:8443", "/a b/%41/ü", "https://a.test:8443/a%20b/%41/%C3%BC"),
    ],
)
def test_server_and_path_are_joined(server, path, url):
    places, arguments = ([("n", "query")], {"n": 1}) if "?" in path else ([], {})
    assert str(built(path, server=server, places=places, arguments=arguments).url) == url


def test_an_argument_that_looks_like_a_template_is_not_filled():
    request = built("/{a}/{b}", arguments={"a": "{b}", "b": "x"}, places=[("a", "path"), ("b", "path")])
    assert str(request.url) == "https://a.test/v1/%7Bb%7D/x"


@pytest.mark.parametrize(
    "pet",
    [
        *(
            "",
            ".",
            "..",
            "a/../b",
            "a/./b",
            "a/..",
            "../admin",
            "..;/admin",
            "a/..;x=1",
            "//",
            "..\\admin",
            "/",
            "%2e%2e",
            "%2E.",
            "a%2fb",
            "a%5Cb",
            "%252e%252e%252fadmin",
            "a/%2e%2e/b",
            "a/%252e./b",
            "a\\b",
        ),
        *("a\r\nb", "a\0b", "a%0d%0ab", None, [], ["a", "b/../c"], ["..", "/x", "/.."], {"k": "v/.."}),
    ],
)
def test_a_path_argument_never_leaves_its_segment(pet):
    with pytest.raises(CallError, match=r"^pet: ") as caught:
        pets(pet)
    assert caught.value.kind == "invalid_arguments"


@pytest.mark.parametrize(
    ("pet", "text"), [("a?b#c", "a%3Fb%23c"), ("a b;c=d", "a%20b%3Bc%3Dd"), ("100%", "100%25"), ("...", "...")]
)
def test_what_means_something_in_a_url_is_encoded(pet, text):
    assert pets(pet).url.raw_path == f"/v1/pets/{text}/photos".encode()


@pytest.mark.parametrize(
    ("pet", "text"),
    [
        ("group/project", "group%2Fproject"),
        ("lib/a b.rb", "lib%2Fa%20b.rb"),
        ("/logs/2024/", "%2Flogs%2F2024%2F"),
        ("a//b", "a%2F%2Fb"),
        ("a/...", "a%2F..."),
        ("a/.git/..b", "a%2F.git%2F..b"),
        (["a/b", "c"], "a%2Fb,c"),
        ({"k/": "v"}, "k%2F=v"),
    ],
)
def test_a_slash_is_encoded_and_so_stays_in_its_segment(pet, text):
    assert pets(pet).url.raw_path == f"/v1/pets/{text}/photos".encode()


@pytest.mark.parametrize("pet", ["src%2Fa.py", "src%2fa.py", "src/lib%2Fa.py", "src%252Fa.py"])
def test_a_slash_that_is_encoded_already_is_asked_for_as_it_is(pet):
    assert refusal("/pets/{pet}", arguments={"pet": pet}, places=[("pet", "path")]) == (
        "pet: in the path write / and not %2F, for it is percent-encoded here."
    )


@pytest.mark.parametrize("style", ["label", "matrix", "simple"])
def test_dots_do_not_add_up_with_what_stands_around(style):
    assert "alone" in refusal("/x/{pet}.", arguments={"pet": "."}, places=[("pet", "path", {"style": "simple"})])
    if style == "label":
        assert "alone" in refusal("/x/{pet}", arguments={"pet": ""}, places=[("pet", "path", {"style": style})])
    two = [("a", "path"), ("b", "path")]
    assert "alone" in refusal("/x/{a}.{b}", arguments={"a": "y/", "b": "/z"}, places=two)
    assert "alone" in refusal("/x/{a}{b}", arguments={"a": [], "b": "."}, places=[("a", "path"), ("b", "path")])


def test_arguments_that_are_too_long_for_an_address_are_told():
    assert "shorter" in refusal(arguments={"q": "x" * 60_000}, places=[("q", "query")])
    assert "shorter" in refusal("/{p}", arguments={"p": "x" * 60_000}, places=[("p", "path")])


def test_a_piece_of_the_path_that_is_missing_is_named():
    assert refusal("/pets/{pet}") == "pet: it belongs in the path and is missing."


@given(st.text(max_size=12))
def test_whatever_the_argument_the_path_has_its_segments(pet):
    try:
        url = pets(pet).url
    except CallError:
        return
    start, end = b"/v1/pets/", b"/photos"
    assert url.host == "a.test"
    assert url.query == b""
    assert url.raw_path.startswith(start)
    assert url.raw_path.endswith(end)
    assert b"/" not in url.raw_path[len(start) : -len(end)]


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "a\x1bb", ["ok", "a\nb"], {"k\n": "v"}])
def test_a_header_is_one_line(value):
    assert "one line" in refusal(arguments={"X-A": value}, places=[("X-A", "header", {"style": "simple"})])


@pytest.mark.parametrize("name", ["X A", "X:A", "X\r\nA", "", "Ä"])
def test_a_header_has_a_name(name):
    assert "no name" in refusal(arguments={"a": "b"}, places=[("a", "header", {"name": name})])


HOP = ["Host", "content-length", "Transfer-Encoding", "CONNECTION", "Proxy-Authorization"]
OVERRIDE = ["X-HTTP-Method-Override", "x-http-method", "X-Method-Override"]


@pytest.mark.parametrize("name", HOP + OVERRIDE)
def test_no_argument_says_where_a_request_goes_or_ends_or_what_it_does(name):
    assert built(arguments={name: "x"}, places=[(name, "header")]).headers == ()


@given(st.text(max_size=20))
def test_whatever_the_argument_a_cookie_stays_one(value):
    (cookie,) = built(arguments={"c": value}, places=[("c", "cookie")]).cookies
    assert cookie.startswith("c=")
    assert not set(cookie) & set('\r\n;, "\\\0')


def test_a_json_body_is_put_together_of_its_members():
    places = [("id", "body"), ("class_", "body", {"name": "class"}), ("left", "body"), ("none", "body")]
    arguments = {"id": 1, "class_": "é", "none": None}
    request = built("/", "POST", arguments, places=places, body_media_type="application/json; charset=utf-8")
    assert json.loads(request.content) == {"id": 1, "class": "é", "none": None}
    assert request.content_type == "application/json; charset=utf-8"


@pytest.mark.parametrize("value", [[1, 2], "text", {"a": 1}, None])
def test_a_json_body_may_be_one_argument(value):
    place = [("body", "body", {"name": ""})]
    request = built("/", "PUT", {"body": value}, places=place, body_media_type="application/merge-patch+json")
    assert json.loads(request.content) == value
    assert request.content_type == "application/merge-patch+json"


def test_a_body_that_is_not_given_is_not_sent():
    place = [("body", "body", {"name": ""})]
    assert built("/", "POST", places=place, body_media_type="application/json").content == b""
    assert built("/", "POST", places=[("a", "body")], body_media_type="application/json").content == b"{}"
    assert built("/", "POST", places=[("a", "form")], body_media_type=FORM).content == b""


PHONE = ("phone", "body")


def further(*more, arguments, allowed=True, kind="application/json", **options):
    """The body of a request to an API whose arguments may be `allowed` besides those it names."""
    places = [
        Placement(argument=name, name=name, location=location) for name, location in [("id", "path"), PHONE, *more]
    ]
    operation = HttpOperation(
        server="https://a.test", path="/x/{id}", method="POST", placements=places, body_media_type=kind, **options
    )
    api = an_api(operation)
    api = api.model_copy(update={"parameters": api.parameters | {"additionalProperties": allowed}})
    return json.loads(outgoing(operation, api, {"id": 1} | arguments).content)


def test_an_open_body_takes_what_is_no_other_argument():
    given_ = {"phone": "1", "mail": "a@b.c", "nested": {"k": [1]}, "none": None}
    assert further(arguments=given_) == given_
    assert further(arguments={"mail": "a@b.c"}, allowed={"type": "string"}) == {"mail": "a@b.c"}


def test_a_body_takes_no_more_than_its_document_says():
    assert further(arguments={"phone": "1", "mail": "a@b.c"}, allowed=False) == {"phone": "1"}


def test_a_credential_is_no_further_member_of_a_body():
    keys = (
        Credential(key="pin", kind="api_key", name="pin", location="body"),
        Credential(key="auth.token", kind="api_key", name="token", location="body", path=("auth",)),
    )
    arguments = {"pin": "1234", "auth": {"token": "x"}, "token": "y", "mail": "a@b.c"}
    assert further(arguments=arguments, keys=keys) == {"mail": "a@b.c"}


def test_half_surrogates_do_not_stop_a_request():
    place = [("body", "body", {"name": ""})]
    assert built("/", "PUT", {"body": "\ud83d"}, places=place, body_media_type="application/json").content == b'"?"'
    assert built(arguments={"q": "\ud83d"}, places=[("q", "query")]).url.query == b"q=%3F"


def test_a_form_is_encoded_field_by_field():
    places = [("a", "form"), ("b", "form", {"explode": False}), ("c", "form", {"style": "deepObject"})]
    arguments = {"a": "x y&z=1", "b": [1, 2], "c": {"k": "v"}}
    request = built("/", "POST", arguments, places=places, body_media_type=FORM)
    assert request.content == b"a=x%20y%26z%3D1&b=1,2&c%5Bk%5D=v"
    assert request.content_type == FORM


def test_a_form_may_be_one_argument():
    place = [("form", "body", {"name": ""})]
    assert built("/", "POST", {"form": {"a": 1, "b": "x"}}, places=place, body_media_type=FORM).content == b"a=1&b=x"


def test_a_form_with_files_has_a_part_for_each():
    places = [
        ("note", "form"),
        ("tags", "form"),
        ("meta", "form"),
        ("file", "file"),
        ("raw", "file", {"media_type": "image/png"}),
    ]
    properties = {
        "raw": {"type": "string", "contentEncoding": "base64"},
        "file": {"type": "string", "format": "binary"},
    }
    png = b"\x89PNG\r\n\0"
    arguments = {
        "note": "é",
        "tags": ["a", "b"],
        "meta": {"k": 1},
        "file": "text",
        "raw": base64.b64encode(png).decode(),
    }
    request = built("/", "POST", arguments, places=places, properties=properties, body_media_type="multipart/form-data")
    assert [(name, file, data) for name, file, _, data in parts(request)] == [
        ("note", None, "é".encode()),
        ("tags", None, b"a"),
        ("tags", None, b"b"),
        ("meta", None, b'{"k":1}'),
        ("file", "file", b"text"),
        ("raw", "raw.png", png),
    ]
    assert [kind for *_, kind, _ in parts(request)][3:] == ["application/json", "application/octet-stream", "image/png"]


def test_a_file_that_should_be_base64_and_is_not_is_told():
    properties = {"raw": {"type": "string", "format": "byte"}}
    message = refusal(
        "/",
        "POST",
        {"raw": "not base64!"},
        places=[("raw", "file")],
        properties=properties,
        body_media_type="multipart/form-data",
    )
    assert "base64" in message


def test_a_form_with_files_may_be_one_argument():
    place = [("form", "body", {"name": ""})]
    properties = {"form": {"properties": {"file": {"format": "binary"}, "any": True}}}
    arguments = {"form": {"file": "x", "any": [1, None], "more": {"k": 1}}}
    kind = "multipart/form-data"
    request = built("/", "POST", arguments, places=place, properties=properties, body_media_type=kind)
    found = [(name, file, data) for name, file, _, data in parts(request)]
    assert found == [("file", "file", b"x"), ("any", None, b"1"), ("more", None, b'{"k":1}')]
    assert "object" in refusal("/", "POST", {"form": "x"}, places=place, body_media_type=kind)


def test_base64_of_a_field_stays_what_it_is():
    properties = {"icon": {"type": "string", "contentEncoding": "base64"}}
    request = built(
        "/",
        "POST",
        {"icon": "aGk="},
        places=[("icon", "form")],
        properties=properties,
        body_media_type="multipart/form-data",
    )
    assert [data for *_, data in parts(request)] == [b"aGk="]


def test_a_name_cannot_break_out_of_its_part():
    places = [("a", "form", {"name": 'a"\r\nX: y'})]
    request = built("/", "POST", {"a": "v"}, places=places, body_media_type="multipart/form-data")
    assert b"\r\nX: y" not in request.content


def test_a_text_body_is_sent_as_it_is():
    place = [("body", "body", {"name": ""})]
    request = built("/", "POST", {"body": "<a>é</a>"}, places=place, body_media_type="application/xml")
    assert (request.content, request.content_type) == ("<a>é</a>".encode(), "application/xml")


def test_an_object_of_another_type_than_json_is_tried_as_json_but_for_xml():
    place = [("body", "body", {"name": ""})]
    request = built("/", "POST", {"body": {"a": 1}}, places=place, body_media_type="message/cpim")
    assert (request.content, request.content_type) == (b'{"a":1}', "application/json")
    message = refusal(
        "/", "POST", {"body": {"a": 1}}, places=place, body_media_type="application/xml", kind="unknown_api"
    )
    assert "application/xml" in message


def test_a_body_of_an_unknown_kind_cannot_be_put_together():
    message = refusal(
        "/", "POST", {"a": 1}, places=[("a", "body")], body_media_type="application/xml", kind="unknown_api"
    )
    assert "application/xml" in message


@pytest.mark.parametrize("server", ["https://{region}.a.test", "https://a.test:port", "/v1", "", "a.test", "mailto:x"])
def test_a_server_that_is_no_address_asks_for_the_setting(server):
    assert "Set server" in refusal(server=server, kind="unknown_api")


@pytest.mark.parametrize("changed", [{"binding": {}}, {"method": "POST"}])
def test_a_record_that_does_not_fit_its_binding_asks_for_a_new_import(changed):
    operation = HttpOperation(server="https://a.test", path="/", method="GET")
    api = an_api(operation).model_copy(update=changed)
    with pytest.raises(CallError, match=r"tests/http/call.*Import it again") as caught:
        asyncio.run(HttpCaller().call(api, {}))
    assert caught.value.kind == "unknown_api"
