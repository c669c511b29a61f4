"""Files in requests: text as it is, any bytes as a data URL, and the fields that stand beside them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.http_requests import built, parts, refusal
from toolquiver.calling.http.files import File, file_of

MULTIPART = "multipart/form-data"
BINARY = {"type": "string", "format": "binary"}
PNG = b"\x89PNG\r\n\0\xff"


def data_url(data=PNG, kind="image/png", options=""):
    return f"data:{kind}{options};base64,{base64.b64encode(data).decode()}"


def part_of(value, schema=BINARY, location="file", **more):
    """The only part of a form: file name, content type, bytes."""
    options = {"places": [("f", location, more)], "properties": {"f": schema}, "body_media_type": MULTIPART}
    ((name, *part),) = parts(built("/", "POST", {"f": value}, **options))
    assert name == "f"
    return tuple(part)


def whole(value, kind, schema=BINARY):
    options = {"places": [("body", "body", {"name": ""})], "properties": {"body": schema}, "body_media_type": kind}
    request = built("/", "PUT", {"body": value}, **options)
    return request.content_type, request.content


@pytest.mark.parametrize(
    ("text", "file"),
    [
        (data_url(), File(PNG, "image/png")),
        (data_url(options=";name=a%20b.png"), File(PNG, "image/png", "a b.png")),
        (data_url(options=';filename="c.png"'), File(PNG, "image/png", "c.png")),
        (data_url(options=";name=..%2F..%5Cetc/passwd"), File(PNG, "image/png", "passwd")),
        (data_url(b"x", "text/plain", ";charset=utf-8;name=x"), File(b"x", "text/plain;charset=utf-8", "x")),
        (data_url(kind=""), File(PNG)),
        (f"\n{data_url()}\n", File(PNG, "image/png")),
        ("DATA:Image/PNG;BASE64,aGk=", File(b"hi", "Image/PNG")),
        ("data:;base64,aG k", File(b"hi")),
        ("data:;base64,%61Gk%3D", File(b"hi")),
        ("data:;base64,", File(b"")),
    ],
)
def test_a_data_url_is_its_bytes(text, file):
    assert file_of(text, {}) == file


@pytest.mark.parametrize(
    "text",
    ["é", "", "/etc/passwd", "file:///etc/passwd", "@photo.png", "data: 1", "data:,a", "data:text/plain,a%20b", "aGk="],
)
def test_any_other_text_is_that_text(text):
    assert file_of(text, {}) == File(text.encode())


@pytest.mark.parametrize("kind", ["a\r\nX: y/z", "png", "image/png\n", "image/\u017f"])
def test_what_is_no_media_type_makes_no_data_url(kind):
    text = f"data:{kind};base64,aGk="
    assert file_of(text, {}) == File(text.encode())


def test_what_is_no_option_of_a_media_type_is_left_out():
    assert file_of("data:text/plain;a=b\r\nX: y;c=d;base64,aGk=", {}) == File(b"hi", "text/plain;c=d")


@pytest.mark.parametrize("text", ["data:image/png;base64,not base64!", "data:;base64,abcde", "data:;base64,é"])
def test_a_data_url_that_is_broken_is_told(text):
    assert "base64" in refusal(
        arguments={"f": text}, places=[("f", "file")], properties={"f": BINARY}, body_media_type=MULTIPART
    )


@given(st.binary(max_size=50))
def test_all_bytes_arrive(data):
    assert file_of(data_url(data), {}).data == data
    assert part_of(data_url(data)) == ("f.png", "image/png", data)
    assert whole(data_url(data), "application/octet-stream") == ("application/octet-stream", data)


@pytest.mark.parametrize(
    ("value", "declared", "part"),
    [
        ("é", "", ("f", "application/octet-stream", "é".encode())),
        ("a,b", "text/csv", ("f.csv", "text/csv", b"a,b")),
        (data_url(), "", ("f.png", "image/png", PNG)),
        (data_url(), "image/jpeg", ("f.png", "image/png", PNG)),
        (data_url(kind=""), "image/jpeg", ("f.jpg", "image/jpeg", PNG)),
        (data_url(kind=""), "image/*", ("f", "application/octet-stream", PNG)),
        (data_url(options=";name=me.png"), "", ("me.png", "image/png", PNG)),
        (data_url(kind="application/x-unheard-of"), "", ("f", "application/x-unheard-of", PNG)),
    ],
)
def test_a_file_part_has_a_type_and_a_name(value, declared, part):
    assert part_of(value, media_type=declared) == part


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [BINARY, {"type": "null"}]},
        {"allOf": [BINARY], "description": "A photo."},
        {"type": "string", "contentEncoding": "binary"},
        {"anyOf": [{"type": "array", "items": {"allOf": [BINARY]}}, {"type": "null"}]},
    ],
)
def test_a_file_in_a_form_is_one_however_its_schema_is_put_together(schema):
    value = [data_url()] if "items" in str(schema) else data_url()
    assert part_of(value, schema, "form") == ("f.png", "image/png", PNG)
    if not isinstance(value, list):
        assert whole(value, "text/plain", schema) == ("image/png", PNG)


def test_a_name_that_has_its_ending_gets_no_second():
    place = {"places": [("f", "file", {"name": "logo.png"})], "body_media_type": MULTIPART}
    ((_, file, *_),) = parts(built("/", "POST", {"f": data_url()}, **place))
    assert file == "logo.png"


def test_the_name_of_a_file_cannot_break_out_of_its_part():
    place = {"places": [("f", "file")], "body_media_type": MULTIPART}
    value = data_url(options=";name=a%22%0D%0AX%3A%20y")
    assert b"\r\nX: y" not in built("/", "POST", {"f": value}, **place).content


def test_several_files_are_parts_of_one_name():
    schema = {"type": "array", "items": BINARY}
    options = {"places": [("f", "file", {"explode": False})], "properties": {"f": schema}, "body_media_type": MULTIPART}
    found = parts(built("/", "POST", {"f": ["a", data_url()]}, **options))
    assert [(name, file, data) for name, file, _, data in found] == [("f", "f", b"a"), ("f", "f.png", PNG)]


@pytest.mark.parametrize(
    ("value", "declared", "sent"),
    [
        (data_url(), "application/octet-stream", ("application/octet-stream", PNG)),
        (data_url(), "image/*", ("image/png", PNG)),
        (data_url(), "image/jpeg", ("image/png", PNG)),
        (data_url(kind=""), "image/jpeg", ("image/jpeg", PNG)),
        (data_url(kind=""), "image/*", ("application/octet-stream", PNG)),
        ("é", "application/pdf", ("application/pdf", "é".encode())),
        (data_url(), "text/csv", ("image/png", PNG)),
    ],
)
def test_a_body_may_be_a_file(value, declared, sent):
    assert whole(value, declared) == sent


@pytest.mark.parametrize("kind", ["text/plain", "application/xml"])
def test_a_data_url_in_a_body_of_text_stays_text(kind):
    assert whole(data_url(), kind, {"type": "string"}) == (kind, data_url().encode())


@pytest.mark.parametrize(
    ("how", "value", "found"),
    [
        ({}, ["a", 1], [("f", b"a"), ("f", b"1")]),
        ({"explode": False}, ["a", None, 1.0, "é"], [("f", "a,1,é".encode())]),
        ({"explode": False}, "a", [("f", b"a")]),
        ({"explode": False, "style": "pipeDelimited"}, ["a", "b"], [("f", b"a|b")]),
        ({"explode": False, "style": "spaceDelimited"}, ["a", "b"], [("f", b"a b")]),
        ({"explode": False, "style": "tabDelimited"}, ["a", "b"], [("f", b"a\tb")]),
        ({"explode": False}, {"r": 1, "g": 2}, [("f", b"r,1,g,2")]),
        ({"style": "deepObject"}, {"a": {"b": [1, 2]}}, [("f[a][b][0]", b"1"), ("f[a][b][1]", b"2")]),
        ({"explode": False, "media_type": "application/json"}, {"r": 1}, [("f", b'{"r":1}')]),
    ],
)
def test_a_field_beside_files_is_written_as_its_style_says(how, value, found):
    options = {"places": [("f", "form", how)], "body_media_type": MULTIPART}
    assert [(name, data) for name, _, _, data in parts(built("/", "POST", {"f": value}, **options))] == found


@pytest.mark.parametrize("value", [None, [], [None]])
def test_a_form_with_nothing_in_it_is_no_body(value):
    options = {"places": [("f", "file")], "body_media_type": MULTIPART}
    request = built("/", "POST", {"f": value}, **options)
    assert (request.content, request.content_type) == (b"", "")
