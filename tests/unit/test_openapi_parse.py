"""The text of a document as plain data, and what is refused."""

import gzip
import json

import pytest

from toolquiver.catalog.openapi import parse as module
from toolquiver.catalog.openapi.parse import parse
from toolquiver.errors import CatalogError


def read(text):
    return parse(text.encode(), "doc")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2020-01-01", "2020-01-01"),
        ("2020-01-01T10:00:00Z", "2020-01-01T10:00:00Z"),
        ("on", "on"),
        ("No", "No"),
        ("y", "y"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("010", 10),
        ("0o10", 8),
        ("0x1f", 31),
        ("-7", -7),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("1.0.0", "1.0.0"),
        (".inf", ".inf"),
        ("=", "="),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("'1'", "1"),
        ("!!str 1", "1"),
        ("! 1", "1"),
        ("!!bool true", True),
        ("|\n  1\n", "1\n"),
        ("9" * 5_000, "9" * 5_000),
        ("NaN", "NaN"),
        ("null", None),
        ("nullable", "nullable"),
    ],
)
def test_yaml_s_words_are_those_of_its_version_1_2(text, value):
    found = read(f"key: {text}")["key"]
    assert found == value
    assert type(found) is type(value)


def test_yaml_s_keys_are_text():
    assert read("200: ok\non: 1\n2020-01-01: 2\ntrue: 3\n'': 4") == {
        "200": "ok",
        "on": 1,
        "2020-01-01": 2,
        "true": 3,
        "": 4,
    }


def test_yaml_s_aliases_and_merges_are_written_out():
    assert read("a: &a {x: 1, y: [2]}\nb: *a\nc: {<<: *a, x: 3}") == {
        "a": {"x": 1, "y": [2]},
        "b": {"x": 1, "y": [2]},
        "c": {"x": 3, "y": [2]},
    }


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_json_comes_in_several_encodings_and_packed(packed, encoding):
    data = json.dumps({"città": [1, None]}, ensure_ascii=False).encode(encoding)
    assert parse(gzip.compress(data) if packed else data, "doc") == {"città": [1, None]}


def test_half_a_character_is_replaced():
    assert read(r'{"a": ["\ud83d", "\ud83d\ude00"], "\uDE00": 1}') == {"a": ["\ufffd", "😀"], "\ufffd": 1}


def test_what_is_no_number_is_text():
    assert read('{"a": NaN, "b": [Infinity]}') == {"a": "NaN", "b": ["Infinity"]}


def test_what_is_said_twice_in_the_same_way_is_said_once():
    assert read('{"a": {"b": 1}, "a": {"b": 1}}') == {"a": {"b": 1}}
    assert read('{"a": 1, "a": 2}') == {"a": 2}  # no part is lost


def test_braces_may_be_yaml():
    assert read("{openapi: 3.0.0, paths: {}}") == {"openapi": "3.0.0", "paths": {}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,\n "b": 2', r"doc: is no JSON \(.*line 2 column 8"),
        ('{"b": {"a": {"c": 1}, "a": {"c": 2}}}', r"doc: is no JSON \(the key 'a' is in one object a second time"),
        ("a: 1\nb: [", "doc: is no YAML that can be read: line 3, column 1"),
        (
            "a: 1\nb: !!python/object:os.system x",
            "line 2, column 4: the tag 'tag:yaml.org,2002:python/object:os.system'",
        ),
        ("a: !include x", "the tag '!include'"),
        ("a: !!timestamp 2020-01-01", "the tag .*timestamp"),
        ("a: !!int x", "the tag .*int"),
        ("a: &a [*a]", "line 1, column 8: nothing is called 'a' before here"),
        ("? [1]\n: 2", "a key must be text"),
        ("a: &a [1]\n*a : 2", "a key must be text"),
        ("a: 1\nb: 2\na: 3", "line 3, column 1: the key 'a' is here a second time"),
        ("a: {<<: 1}", "can only merge objects"),
        ("a: 1\n---\nb: 2", "a second document"),
        ("a: \x00", "no YAML"),
        ("[" * 100_000, "nested too deeply"),
        ("a: " + "- " * 100_000, "no YAML"),
        ("- " * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(text, said):
    with pytest.raises(CatalogError, match=said):
        read(text)


@pytest.mark.parametrize("data", [b"\xff\xfe\xff", b"\x1f\x8b broken", gzip.compress(b"{}" * 99, mtime=0)[:-9]])
def test_bytes_that_are_no_text_are_refused(data):
    with pytest.raises(CatalogError, match="cannot be read as text"):
        parse(data, "doc")


def test_aliases_cannot_blow_a_document_up():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 20)]
    with pytest.raises(CatalogError, match="aliases"):
        read("\n".join(lines))


def test_a_packed_document_cannot_be_endless(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1_000)
    with pytest.raises(CatalogError, match="larger than 1,000 bytes"):
        parse(gzip.compress(b" " * 1_001), "doc")
