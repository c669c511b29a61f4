"""References: within a document, to other files and addresses, and those that lead nowhere."""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.http_server import Answer
from toolquiver.catalog.openapi import Document, Settings, document_uri
from toolquiver.errors import CatalogError


def answering(reference):
    return {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": reference}}}}}}


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("#/components/schemas/Plain", "Plain"),
        ("#/components/schemas/with%20space", "with space"),
        ("#/components/schemas/with space", "with space"),
        ("#/components/schemas/a~1b~0c", "a/b~c"),
        ("#/components/schemas/50%25", "50%"),
        ("#/components/schemas/città", "città"),
        ("#/components/schemas/citt%C3%A0", "città"),
        ("#/components/schemas/", ""),
        ("#/components/schemas/List/prefixItems/1", None),
        ("doc.json#/components/schemas/Plain", "Plain"),
        ("./doc.json#/components/schemas/Plain", "Plain"),
    ],
)
def test_a_reference_is_found_however_it_is_written(api, reference, name):
    schemas = {"List": {"prefixItems": [{}, {"type": "integer"}]}} | (
        {name: {"type": "integer"}} if name is not None else {}
    )
    assert api(answering(reference), components={"schemas": schemas}).output["type"] == "integer"


@pytest.mark.parametrize(
    "reference",
    [
        "#/components/schemas/No",
        "#/components/schemas/List/prefixItems/9",
        "#/info/title/0/x",
        "#No",
        "no.json",
        "#/openapi/x",
    ],
)
def test_a_reference_to_nothing_names_its_place(api, reference):
    with pytest.raises(CatalogError) as caught:
        api(answering(reference), components={"schemas": {"List": {"prefixItems": []}}})
    assert "doc.json#/paths/~1pets/get/responses/200/content/application~1json/schema: refers to" in str(caught.value)
    assert reference in str(caught.value)


@pytest.mark.parametrize("keyword", ["default", "const", "enum"])
def test_a_value_that_looks_like_a_reference_is_none(api, keyword):
    value = {"$ref": "#/$defs/User"}
    member = {"type": "object", keyword: [value] if keyword == "enum" else value}
    named = {"type": "object", "properties": {keyword: {"$ref": "#/components/schemas/User"}}}
    body = {"type": "object", "properties": {"schema": member, "named": named}}
    made = api(
        {"requestBody": {"content": {"application/json": {"schema": body}}}},
        method="post",
        components={"schemas": {"User": {"type": "string"}}},
    )
    assert made.parameters["properties"]["schema"] == member
    assert made.parameters["properties"]["named"]["properties"] == {keyword: {"type": "string"}}


def test_the_place_is_where_it_is_broken(api):
    with pytest.raises(CatalogError, match=r"doc\.json#/components/schemas/A/properties/b: refers to '#/no'"):
        api(answering("#/components/schemas/A"), components={"schemas": {"A": {"properties": {"b": {"$ref": "#/no"}}}}})


@pytest.mark.parametrize("schemas", [{"A": {"$ref": "#/components/schemas/A"}},
    {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}])  # fmt: skip
def test_references_in_a_circle_are_refused(api, schemas):
    with pytest.raises(CatalogError, match="in a circle"):
        api(answering("#/components/schemas/A"), components={"schemas": schemas})


def test_what_stands_beside_the_reference_of_a_path_counts(document):
    def named(name, **more):
        return {"name": name, "in": "query", "schema": {"type": "string"}} | more

    shared = {"parameters": [named("a", description="there"), named("b", description="there")], "summary": "There."}
    beside = {"parameters": [named("b", description="here"), named("c")], "servers": [{"url": "https://here.test"}]}
    paths = {"/pets": {"$ref": "#/x-items/pets", "post": {}} | beside}
    (added, read) = document(paths, **{"x-items": {"pets": shared | {"get": {}}}}).apis("openapi:pets")
    assert [api.name for api in (added, read)] == ["post /pets", "get /pets"]
    for api in (added, read):
        found = api.parameters["properties"]
        assert {name: schema.get("description") for name, schema in found.items()} == {
            "a": "there",
            "b": "here",
            "c": None,
        }
        assert (api.binding["server"], api.description) == ("https://here.test", "There.")


def test_everything_may_be_a_reference(api):
    components = {
        "parameters": {
            "Limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}},
            "L": {"$ref": "#/components/parameters/Limit"},
        },
        "requestBodies": {"Pet": {"content": {"application/json": {"schema": {"properties": {"name": {}}}}}}},
        "responses": {"Done": {"content": {"application/json": {"schema": {"type": "string"}}}}},
        "securitySchemes": {
            "Key": {"$ref": "#/components/securitySchemes/Basic"},
            "Basic": {"type": "http", "scheme": "basic"},
        },
    }
    made = api(
        {
            "parameters": [{"$ref": "#/components/parameters/L"}],
            "requestBody": {"$ref": "#/components/requestBodies/Pet"},
            "responses": {"200": {"$ref": "#/components/responses/Done"}},
            "security": [{"Key": []}],
        },
        components=components,
    )
    assert list(made.parameters["properties"]) == ["limit", "name"]
    assert made.output == {"type": "string"}
    assert made.binding["credentials"][0][0]["kind"] == "basic"


@pytest.fixture
def files(tmp_path):
    """Documents in several files, some packed."""

    def write(path, value):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        data = json.dumps(value).encode()
        (tmp_path / path).write_bytes(gzip.compress(data) if path.endswith(".gz") else data)

    operation = answering("../common/Pet.json.gz#/Pet")
    operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"] = "../common/Pet.json#/Pet"
    write("spec/main.json", {"openapi": "3.0.0", "info": {"title": "t"}, "paths": {"/pets": {"$ref": "paths.json"}}})
    write("spec/paths.json", {"get": operation})
    write(
        "common/Pet.json.gz",
        {"Pet": {"type": "object", "properties": {"kind": {"$ref": "#/Kind"}}}, "Kind": {"enum": [1]}},
    )
    return tmp_path


def test_references_lead_from_file_to_file(files):
    (made,) = Document(document_uri(str(files / "spec/main.json")), Settings()).apis("x")
    assert made.output["properties"] == {"kind": {"enum": [1]}}


@pytest.mark.parametrize("reference", ["http://127.0.0.1:9/x.json", "ftp://example.org/x", "https://example.org#/a"])
def test_a_file_leads_to_no_other_machine(api, reference):
    with pytest.raises(CatalogError, match="another server"):
        api(answering(reference))


@pytest.fixture
def served(tmp_path):
    """What stands in a folder, served over HTTP; `/moved` leads to `/doc.json`, `/away` to another machine."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            moved = {"/moved": "/doc.json", "/away": "http://localhost:1/doc.json"}.get(self.path)
            path = tmp_path / self.path.lstrip("/")
            self.send_response(302 if moved else 200 if path.is_file() else 404)
            self.send_header("Location", moved or "")
            self.end_headers()
            if path.is_file():
                self.wfile.write(path.read_bytes())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def web(tmp_path, reference, **top):
    whole = {"openapi": "3.0.0", "info": {"title": "t"}, "paths": {"/pets": {"get": answering(reference)}}} | top
    (tmp_path / "doc.json").write_text(json.dumps(whole))
    (tmp_path / "pet.json").write_text('{"type": "integer"}')


def test_a_document_comes_from_the_web_with_those_beside_it(tmp_path, served):
    web(tmp_path, "pet.json", servers=[{"url": "/v1/"}])
    for path in ("doc.json", "moved"):
        (made,) = Document(f"{served}/{path}", Settings()).apis("x")
        assert made.output == {"type": "integer"}
        assert made.binding["server"] == f"{served}/v1"


@pytest.mark.parametrize("reference", ["file:///etc/hostname", "http://localhost:1/pet.json", "/no.json"])
def test_a_document_of_the_web_leads_to_its_own_server_only(tmp_path, served, reference):
    web(tmp_path, reference)
    with pytest.raises(CatalogError, match=r"another server|answers 404"):
        list(Document(f"{served}/doc.json", Settings()).apis("x"))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("no.json", "answers 404"),
        ("away", "leads to .http://localhost:1/doc.json"),
        ("doc.json:", "404|cannot be reached"),
    ],
)
def test_an_address_that_gives_nothing_is_one_clear_error(served, path, said):
    with pytest.raises(CatalogError, match=said):
        Document(f"{served}/{path}", Settings())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(400), "answers 400 Bad Request"),
        (Answer(405), "answers 405"),
        (Answer(406), "answers 406"),
        (Answer(headers={"Content-Type": "text/event-stream; charset=utf-8"}), "sends events, and no document"),
    ],
)
def test_what_may_be_an_mcp_server_is_told_how_it_is_imported(server, answer, said):
    server.answers(answer)
    with pytest.raises(CatalogError, match=rf"{said}.* import it with `--kind mcp`\.$"):
        Document(f"{server.url}/mcp", Settings())


@pytest.mark.parametrize("location", ["no/such.yaml", ".", "http://127.0.0.1:1/doc.json"])
def test_a_place_that_has_nothing_is_one_clear_error(location):
    with pytest.raises(CatalogError, match=r"There is no file|cannot be reached"):
        Document(document_uri(location), Settings())
