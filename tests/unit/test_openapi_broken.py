"""Documents that are broken in places: refused with the place, or imported without what is broken."""

import re

import pytest

from toolquiver.catalog.importing import read
from toolquiver.catalog.openapi import Settings
from toolquiver.errors import CatalogError

SKIP = Settings(skip_broken=True)
NOWHERE = {"$ref": "#/components/schemas/Nowhere"}


def sending(schema):
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


def answering(schema):
    return {"responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}}


PATHS = {
    "/sound": {"get": answering({"type": "string"})},
    "/sent": {"post": sending({"$ref": "#/components/schemas/Around"})},
    "/again": {"post": sending({"$ref": "#/components/schemas/Inside"})},
    "/nothing": {"$ref": "nothing.json"},
    "/tags": {"get": {"tags": "all"}},
    "users": {"get": {}},
    "/answered": {"get": answering({"$ref": "#/components/schemas/Around"})},
}
SCHEMAS = {
    "Around": {
        "properties": {"sound": {"$ref": "#/components/schemas/Sound"}, "in": {"$ref": "#/components/schemas/Inside"}}
    },
    "Inside": {"properties": {"x": NOWHERE}},
    "Sound": {"type": "string"},
}


def test_what_is_broken_is_refused_with_its_place_and_the_way_out(document):
    broken = document({"/a": PATHS["/sound"], "/b": PATHS["/again"]}, components={"schemas": SCHEMAS})
    place = "doc.json#/components/schemas/Inside/properties/x"
    with pytest.raises(CatalogError, match=f"^{re.escape(place)}: refers to .*--skip-broken"):
        list(broken.apis("openapi:pets"))


def test_the_rest_can_be_imported(document):
    broken = document(PATHS, SKIP, components={"schemas": SCHEMAS})
    apis = {api.name: api for api in broken.apis("openapi:pets")}
    assert list(apis) == ["get /sound", "get /answered"]
    assert apis["get /answered"].output is None
    assert [line.partition(":")[0] for line in broken.skipped] == [
        "/nothing",
        "/tags",
        "users",
        "POST /sent",
        "POST /again",
        "the answer of GET /answered",
    ]
    assert all("doc.json#/" in line for line in broken.skipped)


def test_what_was_read_before_a_broken_part_can_be_read_again(document):
    paths = {
        "/bad": PATHS["/sent"],
        "/good": {"post": sending({"properties": {"s": {"$ref": "#/components/schemas/Sound"}}})},
    }
    (api,) = document(paths, SKIP, components={"schemas": SCHEMAS}).apis("openapi:pets")
    assert api.parameters["properties"] == {"s": {"type": "string"}}


def test_the_ids_of_the_others_stay_when_the_document_is_mended(document):
    one, other = {"operationId": "pets", **PATHS["/sound"]["get"]}, {"operationId": "pets", **PATHS["/again"]["post"]}
    broken = {"/a": {"get": one}, "/b": {"post": other}}
    (left,) = document(broken, SKIP).apis("openapi:pets")
    mended = document(broken, components={"schemas": {"Inside": {}}}).apis("openapi:pets")
    assert left.id == next(mended).id == "pets/pets/pets_get_a"


def test_a_server_and_a_place_of_tokens_that_are_no_addresses_are_broken_parts(document):
    no_server = {"servers": [{"url": "https://[tenant].example.com"}]}
    schemes = {
        "it": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://[tenant]/token", "scopes": {}}}}
    }
    paths = {
        "/served": {"get": PATHS["/sound"]["get"] | no_server},
        "/let in": {"get": PATHS["/sound"]["get"] | {"security": [{"it": []}]}},
        "/sound": PATHS["/sound"],
    }
    broken = document(paths, SKIP, components={"securitySchemes": schemes})
    assert [api.name for api in broken.apis("openapi:pets")] == ["get /sound"]
    assert [line.partition(":")[0] for line in broken.skipped] == ["GET /served", "GET /let in"]
    with pytest.raises(CatalogError, match=r"no operation that is not broken.*Import with `--server URL`"):
        list(document({"/sound": PATHS["/sound"]}, SKIP, **no_server).apis("openapi:pets"))


def test_a_document_without_a_sound_operation_is_an_error_all_the_same(document):
    with pytest.raises(CatalogError, match=r"no operation that is not broken.*/nothing"):
        list(document({"/nothing": PATHS["/nothing"]}, SKIP).apis("openapi:pets"))


def test_the_command_lists_what_is_left_out_and_keeps_the_setting(run, document, tmp_path):
    document(PATHS, components={"schemas": SCHEMAS})
    into = tmp_path / "apis.db"
    code, _, said = run("catalog", "import", tmp_path / "doc.json", "--into", into)
    assert (code, into.exists()) == (2, False)
    assert "--skip-broken" in said
    code, printed, said = run("catalog", "import", tmp_path / "doc.json", "--into", into, "--skip-broken")
    assert code == 0
    assert re.search(r"added +2\b", printed)
    assert "Left out as broken, 6:" in said
    assert "POST /sent: doc.json#/components/schemas/Inside/properties/x" in said
    code, printed, _ = run("catalog", "import", "pets", "--into", into)
    assert re.search(r"unchanged +2\b", printed)


def test_a_reading_tells_what_it_left_out(document, tmp_path):
    document(PATHS, components={"schemas": SCHEMAS})
    reading = read(str(tmp_path / "doc.json"), SKIP)
    assert len(list(reading.apis)) == 2
    assert len(reading.skipped) == 6
