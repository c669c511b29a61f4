"""Real documents: each imports whole, or says where it is broken. They lie outside of the repository."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referencing.jsonschema import EMPTY_REGISTRY

from tests.support.openapi_specs import SPECS
from toolquiver.catalog.openapi import Document, Settings, document_uri
from toolquiver.catalog.operation import HttpOperation
from toolquiver.errors import CatalogError

ROOT = Path(__file__).parents[2]
MANIFEST = SPECS / "manifest.jsonl"

BROKEN = {
    "v2_petstore_separate/spec/NewPet.yaml.gz": "NewPet.yaml#: is no OpenAPI document",
    "v2_petstore_separate/spec/Pet.yaml.gz": "Pet.yaml#: is no OpenAPI document",
    "v2_petstore_separate/spec/parameters.yaml.gz": "parameters.yaml#: is no OpenAPI document",
    "v2_petstore_separate/common/Error.yaml.gz": "Error.yaml#: is no OpenAPI document",
    "v30_square_connect.json.gz": (
        "v30_square_connect.json#/components/schemas/CatalogItemModifierListInfo/properties/allow_quantities: "
        "refers to '#/components/schemas/CatalogModifierToggleOverrideType', which is not there."
    ),
    "ugly_event_backend.json.gz": (
        "ugly_event_backend.json#/paths/~1places~1{id}/put/requestBody/content/application~1json/schema: "
        "refers to '#/components/schemas/place', which is not there."
    ),
    "ugly_duplicate_parameter.yaml.gz": (
        "ugly_duplicate_parameter.yaml#/paths/~1test/get/parameters/1: is a second query parameter 'test', and differs."
    ),
    "ugly_ref_encoding2.yaml.gz": (
        "ugly_ref_encoding2.yaml#/paths/~1/get/responses/default/schema: "
        "refers to '#/components/schemas/container/properties/with%20space', which is not there."
    ),
    "ugly_external_path_item_ref.yaml.gz": (
        "ugly_external_path_item_ref.yaml#/paths/~1test: refers to '../resources/include.yaml#/paths/~1test', but"
    ),
}
"""What is broken in truth, and what is said of it."""

COUNTED = {"ugly_extensions_everywhere.yaml.gz": 6}
"""The manifest counts two paths that are extensions, and not the one that is a reference to such a one."""

pytestmark = pytest.mark.skipif(
    not MANIFEST.is_file(), reason=f"the documents are not at {SPECS}; TOOLQUIVER_DATA names the folder above them"
)


def listed():
    lines = MANIFEST.read_text("utf-8").splitlines() if MANIFEST.is_file() else []
    return [pytest.param(entry, id=entry["file"]) for entry in map(json.loads, lines)]


@pytest.mark.parametrize("entry", listed())
def test_a_real_document_imports_whole_or_says_where_it_is_broken(entry):
    name = entry["file"]
    if name in BROKEN:
        with pytest.raises(CatalogError, match="^" + re.escape(BROKEN[name])):
            apis_of(name)
        return
    apis = apis_of(name)
    assert len(apis) == COUNTED.get(name, entry["operations"])
    assert len({api.id for api in apis}) == len(apis)
    for api in apis:
        assert api.category == (entry["title"] or "API").strip()
        check(api)


@pytest.mark.parametrize("name", ["v30_square_connect.json.gz", "ugly_event_backend.json.gz"])
def test_of_a_broken_document_the_rest_imports(name):
    (entry,) = (entry for entry in map(json.loads, MANIFEST.read_text("utf-8").splitlines()) if entry["file"] == name)
    document = Document(document_uri(str(SPECS / name)), Settings(skip_broken=True))
    apis = list(document.apis("openapi:real"))
    left_out = [line for line in document.skipped if not line.startswith("the answer of ")]
    assert len(apis) + len(left_out) == entry["operations"]
    assert len(apis) > entry["operations"] * 0.9
    assert BROKEN[name] in document.skipped[0]
    for api in apis:
        check(api)


def test_trello_s_key_and_token_are_no_arguments():
    for api in apis_of("v30_trello.json.gz"):
        in_query = {place["name"] for place in api.binding["placements"] if place["location"] == "query"}
        assert in_query.isdisjoint({"key", "token"})
        assert {key["name"] for key in api.binding["keys"] if key["required"]} == {"key", "token"}


def apis_of(name):
    return list(Document(document_uri(str(SPECS / name)), Settings()).apis("openapi:real"))


def check(api):
    """The schemas are sound and stand alone, and each argument has one place that the request has too."""
    placements = HttpOperation.model_validate(api.binding).placements
    assert [placement.argument for placement in placements] == list(api.parameters["properties"])
    in_path = {placement.name for placement in placements if placement.location == "path"}
    assert all(f"{{{name}}}" in api.binding["path"] for name in in_path)
    assert api.binding["path"].count("{") >= len(in_path)
    for schema in (api.parameters, api.output or {}):
        defined = {f"#/$defs/{name}" for name in schema.get("$defs", ())}
        assert set(references(schema)) <= defined
    # Checking a schema takes long: the parameters are what calls are checked with.
    Draft202012Validator.check_schema(api.parameters)
    list(Draft202012Validator(api.parameters, registry=EMPTY_REGISTRY).iter_errors({}))


def references(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for part in schema.values():
            yield from references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from references(part)
