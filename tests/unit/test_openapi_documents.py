"""Documents as APIs: their ids, names and places, servers, credentials and answers."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.http_server import JSON, Answer
from toolquiver.catalog.ids import Named, unique_ids
from toolquiver.catalog.importing import read
from toolquiver.catalog.openapi import Document, Settings, document_uri, is_url
from toolquiver.catalog.operation import HttpOperation
from toolquiver.errors import CatalogError

DONE = {"responses": {"204": {"description": "Done."}}}


def ids(document):
    return [api.id for api in document.apis("openapi:pets")]


def test_an_operation_becomes_an_api(api):
    made = api(
        {"operationId": "listPets", "tags": ["pets", "all"], "summary": "List pets.", "description": "All of them."},
        servers=[{"url": "https://pets.test/v1/"}],
    )
    assert (made.id, made.name, made.tool, made.category) == ("pets/pets/listpets", "listPets", "pets", "Pets")
    assert (made.description, made.method, made.source) == ("List pets.\n\nAll of them.", "GET", "openapi:pets")
    assert made.output is None
    assert HttpOperation.model_validate(made.binding) == HttpOperation(
        server="https://pets.test/v1", path="/pets", method="GET"
    )


def test_what_has_no_id_and_no_tag_goes_by_its_place_and_the_title(api):
    made = api({}, path="/pets/{id}", method="delete")
    assert (made.id, made.name, made.tool) == ("pets/pets/delete_pets_id", "delete /pets/{id}", "Pets")


@pytest.mark.parametrize(
    ("method", "effect"),
    [("get", "read"), ("head", "read"), ("options", "read"), ("trace", "read"), ("post", "write"), ("delete", "write")],
)
def test_the_method_gives_the_effect(api, method, effect):
    assert api({}, method=method).effect == effect


def test_a_tag_may_be_a_number(api):
    assert api({"tags": [2024]}).tool == "2024"


def test_tool_and_category_can_be_set(api):
    made = api({"tags": ["pets"]}, settings=Settings(tool="Animals", category="Zoo"))
    assert (made.tool, made.category, made.id) == ("Animals", "Zoo", "zoo/animals/get_pets")


@pytest.mark.parametrize(
    ("operation", "item", "text"),
    [
        ({"summary": "Get.", "description": "Get. At once."}, {}, "Get. At once."),
        ({"description": "Get."}, {"summary": "Of the path."}, "Of the path.\n\nGet."),
        ({"summary": "Get.", "deprecated": True}, {}, "Get.\n\nDeprecated: the provider advises against it."),
        ({"deprecated": True}, {}, "Deprecated: the provider advises against it."),
        ({}, {}, ""),
    ],
)
def test_the_description_is_summary_and_text(api, operation, item, text):
    assert api(operation, item=item).description == text


def test_a_method_may_be_written_in_capitals(document):
    assert [operation.method for operation in document({"/pets": {"GET": DONE, "Post": DONE}}).operations()] == [
        "get",
        "post",
    ]


def test_every_method_is_an_operation_and_nothing_else_is(document):
    methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
    item = dict.fromkeys(methods, DONE) | {
        "additionalOperations": {"COPY": DONE},
        "x-get": DONE,
        "servers": [],
        "summary": "s",
    }
    made = document(
        {"/pets": item, "x-path": {"get": DONE}, "/empty": {}, "/none": None},
        openapi="3.2.0",
        webhooks={"new": {"post": DONE}},
        components={"callbacks": {}},
    )
    assert [operation.method for operation in made.operations()] == [*methods, "COPY"]
    assert [api.method for api in made.apis("x")] == [*(method.upper() for method in methods), "COPY"]


def test_callbacks_are_no_operations(api):
    api({"callbacks": {"done": {"{$request.body#/url}": {"post": DONE}}}})


def test_operations_of_one_id_are_told_apart_whatever_their_order(document):
    paths = {
        "/a": {"get": {"operationId": "same"}},
        "/b": {"post": {"operationId": "same"}},
        "/c": {"get": {"operationId": "other"}},
    }
    made = ids(document(paths))
    assert made == ["pets/pets/same_get_a", "pets/pets/same_post_b", "pets/pets/other"]
    assert ids(document(dict(reversed(paths.items())))) == made[::-1]


def test_paths_that_differ_in_signs_only_are_told_apart(document):
    made = ids(document({"/a/b": {"get": {}}, "/a/{b}": {"get": {}}}))
    assert len(set(made)) == 2
    assert made == ids(document({"/a/b": {"get": {}}, "/a/{b}": {"get": {}}}))


texts = st.sampled_from(["a", "A", "a!", "a b", "get /a", "_"])


@given(st.lists(st.builds(Named, texts, texts, texts, st.text(max_size=3)), unique=True))
def test_ids_are_unique_and_do_not_depend_on_the_order(operations):
    made = unique_ids(operations)
    assert len(set(made)) == len(made)
    assert unique_ids(operations[::-1]) == made[::-1]


@pytest.mark.parametrize(
    ("given_", "server"),
    [
        ({"root": "https://root.test"}, "https://root.test"),
        ({"root": "https://root.test", "item": "https://item.test"}, "https://item.test"),
        ({"root": "r", "item": "https://item.test", "operation": "https://op.test/v1/"}, "https://op.test/v1"),
        ({"root": "/v1"}, "/v1"),
        ({}, ""),
    ],
)
def test_the_nearest_server_counts(api, given_, server):
    places = {place: {"servers": [{"url": url}, {"url": "https://second.test"}]} for place, url in given_.items()}
    made = api(places.get("operation", {}), item=places.get("item"), **places.get("root", {}))
    assert made.binding["server"] == server


VARIABLES = [
    {"url": "https://{region}.test:{port}/", "variables": {"region": {"default": "eu"}, "port": {"enum": [443, 80]}}}
]


@pytest.mark.parametrize(
    ("said", "server"),
    [
        (Settings(), "https://eu.test:443"),
        (Settings(variables={"region": "us", "none": "x"}), "https://us.test:443"),
        (Settings(server="https://mine.test/"), "https://mine.test"),
    ],
)
def test_servers_have_variables_and_can_be_replaced(api, said, server):
    assert api({}, settings=said, servers=VARIABLES).binding["server"] == server


def test_a_variable_may_be_nothing_by_default(api):
    servers = [{"url": "https://pets.test{base}", "variables": {"base": {"default": "", "enum": ["/v1", ""]}}}]
    assert api({}, servers=servers).binding["server"] == "https://pets.test"


def test_a_variable_without_a_value_is_named_with_its_place(api):
    with pytest.raises(CatalogError, match=r"doc\.json#/servers/0/variables/region: .*no default"):
        api({}, servers=[{"url": "https://{region}.test"}])


def test_a_relative_server_is_relative_to_what_is_given(api):
    made = api({}, settings=Settings(base="https://pets.test/docs/openapi.json"), servers=[{"url": "../v1"}])
    assert made.binding["server"] == "https://pets.test/v1"


@pytest.mark.parametrize(
    ("top", "server"),
    [
        ({"host": "pets.test", "basePath": "/v1/", "schemes": ["http", "https"]}, "https://pets.test/v1"),
        ({"host": "pets.test", "schemes": ["http"]}, "http://pets.test"),
        ({"host": "pets.test:8080"}, "https://pets.test:8080"),
        ({"basePath": "/v1"}, "/v1"),
        ({}, ""),
    ],
)
def test_servers_of_openapi_2(api, top, server):
    assert api({}, swagger="2.0", **top).binding["server"] == server


PLACEHOLDER = "https://[tenant].pets.test"


@pytest.mark.parametrize(
    ("top", "place"),
    [
        ({"servers": [{"url": PLACEHOLDER}]}, "#/servers/0/url"),
        ({"servers": [{"url": "//[tenant]/v1"}]}, "#/servers/0/url"),
        (
            {"servers": [{"url": "https://{host}", "variables": {"host": {"default": "[tenant].pets.test"}}}]},
            "#/servers/0/url",
        ),
        ({"swagger": "2.0", "host": "[tenant].pets.test"}, "#/host"),
        ({"swagger": "2.0", "basePath": "//[tenant]/v1"}, "#/basePath"),
    ],
)
@pytest.mark.parametrize("base", ["", "https://pets.test/doc.json"])
def test_a_server_that_is_no_address_is_named_with_its_place(api, top, place, base):
    with pytest.raises(CatalogError, match=rf"doc\.json{place}: .* is no address .* Import with `--server URL`"):
        api({}, settings=Settings(base=base), **top)
    assert api({}, settings=Settings(base=base, server="https://x.test"), **top).binding["server"] == "https://x.test"


@pytest.mark.parametrize("servers", [[], [{"url": "https://pets.test"}]])
def test_a_place_of_tokens_that_is_no_address_is_named_with_its_place(api, servers):
    flows = {"clientCredentials": {"tokenUrl": f"{PLACEHOLDER}/token", "scopes": {}}}
    place = r"doc\.json#/components/securitySchemes/it/flows/clientCredentials/tokenUrl"
    with pytest.raises(CatalogError, match=rf"{place}: .* is no address .* Correct it there"):
        api(
            {"security": [{"it": []}]},
            components={"securitySchemes": {"it": {"type": "oauth2", "flows": flows}}},
            servers=servers,
        )


@pytest.mark.parametrize("location", [f"{PLACEHOLDER}/doc.json", "HTTP://[x]", "https://pets.test]/"])
def test_a_location_that_is_no_address_is_one_clear_error(location):
    with pytest.raises(CatalogError, match="is no address"):
        is_url(location)


def test_an_address_that_is_none_is_shown_without_keys():
    with pytest.raises(CatalogError) as caught:
        is_url("https://me:sk-secret@[x]/doc.json?key=sk-secret")
    assert "sk-secret" not in str(caught.value)


def test_what_only_looks_like_an_address_is_a_file():
    assert not any(
        is_url(path) for path in ("//[x]/doc.json", "ftp://[x]/doc.json", "[x]", "https", "module:attribute")
    )


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        ({"servers": [{"url": ""}]}, "/v1/openapi.json"),
        ({"servers": [{"url": "api"}]}, "/v1/api"),
        ({}, ""),
        ({"swagger": "2.0"}, ""),
        ({"swagger": "2.0", "basePath": "/v2"}, "/v2"),
    ],
)
def test_the_key_that_a_document_was_fetched_with_is_kept_nowhere(server, top, expected):
    document = {"openapi": "3.0.3"} if "swagger" not in top else {}
    document |= {"info": {"title": "Pets", "version": "1"}, "paths": {"/a": {"get": DONE}}} | top
    server.answers(Answer(headers=JSON, body=json.dumps(document).encode()))
    reading = read(f"{server.url}/v1/openapi.json?apikey=sk-secret#sk-secret", Settings())
    (made,) = reading.apis
    assert server.got[0].path == "/v1/openapi.json?apikey=sk-secret"
    assert made.binding["server"] == server.url + expected
    assert "secret" not in made.model_dump_json() + reading.source.model_dump_json()


def test_a_place_in_a_document_does_not_tell_the_key_that_it_was_fetched_with(server):
    server.answers(Answer(headers=JSON, body=b"{}"))
    with pytest.raises(CatalogError, match=r"^openapi\.json#: is no OpenAPI document"):
        read(f"{server.url}/v1/openapi.json?apikey=sk-secret", Settings())


SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "basic": {"type": "http", "scheme": "Basic"},
    "x-bearer": {"type": "http", "scheme": "bearer"},
    "digest": {"type": "http", "scheme": "digest"},
    "tls": {"type": "mutualTLS"},
    "openid": {"type": "openIdConnect", "openIdConnectUrl": "https://id.test"},
    "client": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/token", "scopes": {}}}},
    "person": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://id.test", "scopes": {}}}},
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("key", {"kind": "api_key", "location": "header", "name": "X-Key"}),
        ("basic", {"kind": "basic"}),
        ("x-bearer", {"kind": "bearer", "scopes": ["read"]}),
        ("digest", {"kind": "other"}),
        ("tls", {"kind": "other"}),
        ("openid", {"kind": "bearer", "scopes": ["read"]}),
        ("client", {"kind": "oauth2", "token_url": "https://pets.test/token", "scopes": ["read"]}),
        ("person", {"kind": "bearer", "scopes": ["read"]}),
    ],
)
def test_every_kind_of_credential(api, name, expected):
    made = api(
        {"security": [{name: ["read"]}]},
        components={"securitySchemes": SCHEMES},
        servers=[{"url": "https://pets.test/v1"}],
    )
    ((found,),) = made.binding["credentials"]
    assert (
        found
        == {"key": name, "name": "", "location": "", "path": [], "token_url": "", "scopes": [], "required": True}
        | expected
    )


@pytest.mark.parametrize(
    ("scheme", "kind"),
    [
        ({"type": "basic"}, "basic"),
        ({"type": "apiKey", "in": "query", "name": "k"}, "api_key"),
        ({"type": "oauth2", "flow": "application", "tokenUrl": "https://id.test", "scopes": {}}, "oauth2"),
        ({"type": "oauth2", "flow": "accessCode", "tokenUrl": "https://id.test", "scopes": {}}, "bearer"),
    ],
)
def test_credentials_of_openapi_2(api, scheme, kind):
    made = api({}, swagger="2.0", securityDefinitions={"it": scheme}, security=[{"it": []}])
    assert made.binding["credentials"][0][0]["kind"] == kind


@pytest.mark.parametrize(
    ("own", "keys"),
    [(None, [["key"]]), ([], []), ([{}], [[]]), ([{"basic": []}, {"key": [], "tls": []}], [["basic"], ["key", "tls"]])],
)
def test_an_operation_s_own_credentials_replace_the_document_s(api, own, keys):
    operation = {} if own is None else {"security": own}
    made = api(operation, components={"securitySchemes": SCHEMES}, security=[{"key": []}])
    assert [[one["key"] for one in alternative] for alternative in made.binding["credentials"]] == keys


@pytest.mark.parametrize(
    ("schemes", "said"),
    [
        ({}, "#/security/0/key: there is no security scheme 'key'"),
        ({"key": {"type": "apiKey", "in": "body", "name": "k"}}, "#/components/securitySchemes/key: a key needs"),
    ],
)
def test_a_credential_that_is_not_defined_is_named_with_its_place(api, schemes, said):
    with pytest.raises(CatalogError, match=said):
        api({}, components={"securitySchemes": schemes}, security=[{"key": []}])


def answer(media_type="application/json", **schema):
    return {"content": {media_type: {"schema": schema}}}


@pytest.mark.parametrize(
    ("responses", "output"),
    [
        ({"404": answer(title="no"), "201": answer(title="b"), "200": answer(title="a")}, {"title": "a"}),
        ({"404": answer(title="no"), "2XX": answer(title="a"), "default": answer(title="no")}, {"title": "a"}),
        ({"default": answer(title="a")}, {"title": "a"}),
        ({"200": answer("application/hal+json", title="a")}, {"title": "a"}),
        ({"200": answer("text/html", title="a")}, None),
        ({"204": {}}, None),
        ({"400": answer(title="no")}, None),
        ({}, None),
    ],
)
def test_the_output_is_what_success_answers(api, responses, output):
    assert api({"responses": responses}).output == output


def test_an_output_of_several_parts_is_one_object(api):
    parts = [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}}]
    assert api({"responses": {"200": answer(allOf=parts)}}).output == {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "required": ["a"],
    }


def test_the_output_of_openapi_2(api):
    assert api({"responses": {"200": {"schema": {"title": "a"}}}}, swagger="2.0").output == {"title": "a"}
    assert api({"responses": {"200": {"schema": {"type": "file"}}}}, swagger="2.0").output is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", r"doc\.json#: is no OpenAPI document"),
        ("'hello'", "is no OpenAPI document"),
        ("", "is no OpenAPI document"),
        ("title: x", "neither 'openapi' nor 'swagger'"),
        ("openapi: 4.0.0", r"is OpenAPI '4\.0\.0'; 2\.0, 3\.0, 3\.1, 3\.2 can be imported"),
        ("swagger: 1.2", r"is OpenAPI '1\.2'"),
        ("openapi: [3]", "#/openapi: must be text, but is a list"),
        ("openapi: 3.0.0", "doc.json#/paths: is empty: there are no operations"),
        ("swagger: 2.0\npaths: null", "#/paths: is empty"),
        ("openapi: 3.1.0\npaths:\nwebhooks: {}", "#/paths: is empty"),
        ("openapi: 3.0.0\npaths: []", "#/paths: must be an object, but is a list"),
        ("openapi: 3.0.0\npaths: {/a: 1}", "#/paths/~1a: must be an object, but is a number"),
        ("openapi: 3.0.0\npaths: {/a: {get: []}}", "#/paths/~1a/get: must be an object, but is a list"),
        ("openapi: 3.0.0\ninfo: x", "#/info: must be an object, but is text"),
    ],
)
def test_what_is_no_document_is_one_clear_error(document, tmp_path, text, said):
    with pytest.raises(CatalogError, match=said):
        made(tmp_path, text)


def made(tmp_path, text):
    (tmp_path / "doc.json").write_text(text)
    return list(Document(document_uri(str(tmp_path / "doc.json")), Settings()).apis("x"))


@pytest.mark.parametrize(
    "text", ["openapi: 3.0.0\npaths: {}", "openapi: 3.1.0\nwebhooks: {a: {post: {}}}", "openapi: 3.2.0\ncomponents: {}"]
)
def test_a_document_may_have_no_operations(tmp_path, text):
    assert made(tmp_path, text) == []


@pytest.mark.parametrize(
    "version", ["openapi: 3.0", "openapi: '3.1'", "swagger: 2.0", "swagger: '2.0'", "openapi: 3.2.1"]
)
def test_versions_may_be_numbers(tmp_path, version):
    assert made(tmp_path, f"{version}\npaths: {{/a: {{get: {{}}}}}}")[0].category == "API"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=300)
@given(st.data())
def test_whatever_is_broken_is_a_catalogue_error(tmp_path_factory, data):
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "t"},
        "servers": [{"url": "https://{a}.test", "variables": {"a": {"default": "b", "enum": ["b"]}}}],
        "security": [{"key": []}],
        "components": {
            "securitySchemes": {"key": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "u"}}}}
        },
        "paths": {
            "/a/{b}": {
                "parameters": [{"name": "b", "in": "path", "required": True, "schema": {"type": "string"}}],
                "post": {
                    "operationId": "o",
                    "tags": ["t"],
                    "requestBody": {
                        "content": {"multipart/form-data": {"schema": {"properties": {"a": {}}}, "encoding": {"a": {}}}}
                    },
                    "responses": {"200": {"content": {"application/json": {"schema": {"allOf": [{"$ref": "#/x"}]}}}}},
                },
            }
        },
        "x": {"type": "object", "properties": {"y": {"items": {}}}, "required": ["y"]},
    }
    places = [
        (holder, key)
        for holder in holders(whole)
        for key in (holder if isinstance(holder, dict) else range(len(holder)))
    ]
    holder, key = data.draw(st.sampled_from(range(len(places))).map(places.__getitem__))
    holder[key] = data.draw(json_values)
    with suppress(CatalogError):
        made(tmp_path_factory.getbasetemp(), json.dumps(whole))


def holders(value):
    if isinstance(value, dict | list):
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from holders(part)
