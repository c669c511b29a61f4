"""Requests of the HTTP caller, judged by Prism against the documents that they were made of."""

import gzip
import json

import pytest

from tests.support.openapi_specs import SPECS
from tests.support.prism import VARIABLE, Judged, judged, mocking
from toolquiver.catalog.openapi import Document, Settings, document_uri

MANY = 60  # operations of one real document
REAL = (
    "v2_uber.yaml.gz",
    "v30_uspto.yaml.gz",
    "v31_museum.yaml.gz",
    "v30_trello.json.gz",
    "v30_notion.json.gz",
    "v30_nasa_apod.json.gz",
    "v30_swagger2openapi.json.gz",
    "v31_codat_accounting.json.gz",
)


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv(VARIABLE, "a:not-a-real-key")


COLOUR = {"type": "string", "enum": ["pale blue", "red,green", "a&b=c"]}
POINT = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
    "required": ["x", "y"],
    "additionalProperties": False,
}
NUMBERS = {"type": "array", "items": {"type": "integer"}}
SCHEMAS = {"text": {"type": "string"}, "number": {"type": "number"}, "numbers": NUMBERS, "point": POINT}


ALL = tuple(SCHEMAS)
# Without what Prism 5 gets wrong: it breaks down at a comma in a path, splits an exploded label at commas, and
# separates a decoded query at "%20".
STYLES = {
    ("path", "simple"): ("text", "number"),
    ("path", "label"): ("text", "number", "numbers"),
    ("path", "matrix"): ALL,
    ("query", "form"): ALL,
    ("query", "pipeDelimited"): ("numbers",),
    ("query", "deepObject"): ("point",),
    ("header", "simple"): ALL,
    ("cookie", "form"): ALL,
}


def parameters():
    """Every place and style with each kind of value that Prism can judge there."""
    for (place, style), kinds in STYLES.items():
        for explode in (False, True):
            for kind in kinds:
                if place == "path" and kind in {"numbers", "point"} and not explode:
                    continue
                how = {"in": place, "style": style, "explode": explode}
                yield how | {"name": "v", "required": True, "schema": SCHEMAS[kind], "description": kind}


def operation(**more):
    return {"responses": {"200": {"description": "Done."}}, **more}


def paths():
    for number, parameter in enumerate(parameters()):
        yield f"/p{number}" + "/{v}" * (parameter["in"] == "path"), {"get": operation(parameters=[parameter])}
    form = {"properties": {"colour": COLOUR, "count": {"type": "integer"}}, "required": ["colour", "count"]}
    parts = {"properties": form["properties"] | {"f": {"type": "string", "format": "binary"}}, "required": ["f"]}
    for number, (kind, schema) in enumerate(
        {
            "application/json": form | {"additionalProperties": False},
            "application/x-www-form-urlencoded": form,
            "multipart/form-data": parts,
            "application/vnd.pets+json": {"type": "array", "items": POINT},
            "text/plain": {"type": "string"},
        }.items()
    ):
        body = {"required": True, "content": {kind: {"schema": {"type": "object"} | schema}}}
        yield f"/b{number}", {"post": operation(requestBody=body)}
    # Without the style, which is the default, Prism keeps the last of the colours only.
    many = {"type": "object", "properties": {"colours": {"type": "array", "items": COLOUR}}, "required": ["colours"]}
    media = {"schema": many, "encoding": {"colours": {"style": "form", "explode": True}}}
    body = {"required": True, "content": {"application/x-www-form-urlencoded": media}}
    yield "/colours", {"post": operation(requestBody=body)}
    yield "/colour", {"get": operation(parameters=[{"name": "a b[]", "in": "query", "schema": COLOUR}])}


def the_document():
    return {
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1"},
        "paths": dict(paths()),
        "security": [{"Query": [], "Header": []}, {"Basic": []}],
        "components": {
            "securitySchemes": {
                "Query": {"type": "apiKey", "in": "query", "name": "api_key"},
                "Header": {"type": "apiKey", "in": "header", "name": "X-Key"},
                "Basic": {"type": "http", "scheme": "basic"},
            }
        },
    }


def imported(path):
    return list(Document(document_uri(str(path)), Settings()).apis("openapi:pets"))


def test_prism_accepts_every_place_style_and_body(tmp_path):
    path = tmp_path / "doc.json"
    path.write_text(json.dumps(the_document()), "utf-8")
    apis = imported(path)
    with mocking(path, tmp_path) as url:
        assert judged(url, apis) == Judged(2 * len(apis), [])


def test_prism_refuses_a_request_that_does_not_fit(tmp_path):
    path = tmp_path / "doc.json"
    path.write_text(json.dumps(the_document()), "utf-8")
    place = {"argument": "v", "name": "wrong", "location": "query"}
    in_query = [api for api in imported(path) if "'query'" in str(api.binding["placements"])][:2]
    apis = [api.model_copy(update={"binding": api.binding | {"placements": [place]}}) for api in in_query]
    with mocking(path, tmp_path) as url:
        assert len(judged(url, apis).refused) == 4


@pytest.mark.parametrize("name", REAL)
def test_prism_accepts_requests_to_real_operations(name, tmp_path):
    if not (SPECS / name).is_file():
        pytest.skip(f"the documents are not at {SPECS}; TOOLQUIVER_DATA names the folder above them")
    apis = imported(SPECS / name)
    with mocking(unpacked(SPECS / name, tmp_path), tmp_path) as url:
        count, refused = judged(url, apis[:: max(1, len(apis) // MANY)])
    assert count > 0
    assert refused == []


def unpacked(path, folder):
    there = folder / path.name.removesuffix(".gz")
    there.write_bytes(gzip.decompress(path.read_bytes()))
    return there
