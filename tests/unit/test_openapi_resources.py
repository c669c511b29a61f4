"""References by a name or a URI of its own: `$anchor`, `$id`, `$self` and `$dynamicRef` of OpenAPI 3.1 and 3.2."""

import json

import pytest

from toolquiver.catalog.openapi import Document, Settings, document_uri
from toolquiver.errors import CatalogError

INTEGER = {"type": "integer"}


@pytest.fixture
def answer(api):
    """The schema of an answer, as it is imported."""

    def answer(schema, schemas, **top):
        content = {"application/json": {"schema": schema}}
        return api({"responses": {"200": {"content": content}}}, components={"schemas": schemas}, **top).output

    return answer


def ref(reference):
    return {"$ref": reference}


@pytest.mark.parametrize("named", [{"$anchor": "nice"}, {"$dynamicAnchor": "nice"}])
@pytest.mark.parametrize("reference", ["#nice", "doc.json#nice"])
def test_an_anchor_is_found_wherever_it_is(answer, named, reference):
    hidden = {"properties": {"deep": {"prefixItems": [{}, named | INTEGER]}}}
    assert answer(ref(reference), {"N": hidden}) == INTEGER


def test_a_member_s_name_or_an_example_is_no_anchor(answer):
    members = {"$anchor": {"type": "string"}, "default": {"$anchor": "nice"} | INTEGER}
    schemas = {"A": {"example": {"$anchor": "nice"}, "properties": members}}
    assert answer(ref("#nice"), schemas) == INTEGER


@pytest.mark.parametrize("id_", ["https://x.test/n", "https://x.test/n#", "n", "urn:x:n"])
def test_a_schema_of_its_own_uri_has_its_own_places_and_names(answer, id_):
    inner = {"k": INTEGER, "named": {"$anchor": "nice"} | INTEGER}
    schema = {"$id": id_, "$defs": inner, "type": "object"}
    schema["properties"] = {"a": ref("#/$defs/k"), "b": ref("#nice"), "c": ref(id_ if id_[:3] == "urn" else "n#nice")}
    found = answer(ref("#/components/schemas/N"), {"N": schema})
    assert found["properties"]["a"] == found["properties"]["b"] == INTEGER
    assert found["properties"]["c"]


def test_a_schema_is_found_by_its_own_uri(answer):
    schemas = {"N": {"$id": "https://x.test/n", "$defs": {"k": {"$id": "k"} | INTEGER}}}
    for reference in ("https://x.test/n#/$defs/k", "https://x.test/k"):
        assert answer(ref(reference), schemas) == INTEGER


def test_a_place_in_the_document_is_found_from_a_schema_of_its_own_uri(answer):
    schemas = {"User": {"$id": "User", "properties": {"pet": ref("#/components/schemas/Pet")}}, "Pet": INTEGER}
    assert answer(ref("#/components/schemas/User"), schemas)["properties"] == {"pet": INTEGER}


def test_one_anchor_in_two_schemas_is_that_of_the_own(answer):
    schemas = {
        name: {"$id": name, "properties": {"own": ref("#nice")}, "$defs": {"d": {"$anchor": "nice", "type": kind}}}
        for name, kind in (("a", "integer"), ("b", "string"))
    }
    found = answer({"properties": {name: ref(name) for name in schemas}}, schemas)["properties"]
    assert [found[name]["properties"]["own"]["type"] for name in "ab"] == ["integer", "string"]


@pytest.mark.parametrize("itself", ["https://x.test/spec/root.yaml", "root.yaml"])
def test_a_document_is_found_by_what_it_calls_itself(answer, itself):
    for reference in (f"{itself}#/components/schemas/N", "root.yaml#/components/schemas/N"):
        assert answer(ref(reference), {"N": INTEGER}, openapi="3.2.0", **{"$self": itself}) == INTEGER


def test_what_lies_beside_a_document_is_found_all_the_same(answer, tmp_path):
    (tmp_path / "pet.json").write_text(json.dumps({"$id": "https://y.test/pet", "$defs": {"k": INTEGER}, "items": {}}))
    itself = {"openapi": "3.2.0", "$self": "https://x.test/spec/root.yaml"}
    assert answer(ref("pet.json#/$defs/k"), {}, **itself) == INTEGER


@pytest.mark.parametrize(
    ("reference", "said"),
    [("#nice", "which is not there"), ("https://x.test/m", "'https://x.test/m' is another server")],
)
def test_what_is_called_so_nowhere_is_refused(answer, reference, said):
    with pytest.raises(CatalogError, match=said):
        answer(ref(reference), {"N": {"$id": "https://x.test/n", "properties": {"a": {"$anchor": "nice"}}}})


def test_a_dynamic_reference_is_a_reference_where_only_one_can_be_meant(answer):
    node = {"$dynamicAnchor": "node", "properties": {"kids": {"type": "array", "items": {"$dynamicRef": "#node"}}}}
    found = answer(ref("#/components/schemas/N"), {"N": node | {"type": "object"}})
    assert found["$defs"]["N"]["properties"] == found["properties"]
    assert found["properties"]["kids"]["items"] == ref("#/$defs/N")


def test_a_dynamic_reference_that_may_mean_several_is_refused(document):
    schemas = {name: {"$id": name, "$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}} for name in "ab"}
    content = {"application/json": {"schema": ref("#/components/schemas/a")}}
    paths = {"/a": {"get": {"responses": {"200": {"content": content}}}}}
    with pytest.raises(CatalogError, match=r"#/components/schemas/a/items: may mean any 'node'.*Write '\$ref'"):
        list(document(paths, components={"schemas": schemas}).apis("x"))


def test_odd_names_are_no_names(tmp_path):
    odd = [{"$id": 1}, {"$id": "http://["}, {"$id": "#old"}, {"$anchor": ["nice"]}, {"$dynamicRef": {}}]
    paths = {"/a": {"get": {"parameters": [{"name": "p", "in": "query", "schema": {"anyOf": [*odd, ref("#/x")]}}]}}}
    whole = {"openapi": "3.1.0", "info": {"title": "t"}, "paths": paths, "x": {"$id": "http://[", "items": ref("#/y")}}
    (tmp_path / "doc.json").write_text(json.dumps(whole | {"y": INTEGER}))
    (made,) = Document(document_uri(str(tmp_path / "doc.json")), Settings()).apis("x")
    assert made.parameters["properties"]["p"]["anyOf"][-1] == {"items": INTEGER}
