"""`toolquiver call`: one API by hand, also of a document that was imported, over HTTP."""

import json

import pytest

from tests.support.http_server import JSON, Answer
from toolquiver.calling import callers_of
from toolquiver.catalog import Catalog
from toolquiver.errors import CatalogError

KEY = "key-of-the-loopback-server-9876"


@pytest.fixture
def imported(run, server, tmp_path, monkeypatch):
    """A catalogue of a document whose server is on loopback and wants a key."""
    monkeypatch.setenv("PETS_KEY", KEY)
    name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Pets"},
        "servers": [{"url": server.url}],
        "paths": {"/pets/{name}": {"get": {"operationId": "find", "parameters": [name], "security": [{"key": []}]}}},
        "components": {"securitySchemes": {"key": {"type": "apiKey", "name": "X-Key", "in": "header"}}},
    }
    (tmp_path / "pets.json").write_text(json.dumps(document))
    path = tmp_path / "apis.db"
    private = ("--private-host", f"127.0.0.1:{server.port}")
    options = ("--into", path, "--credential", "key=PETS_KEY", *private)
    assert run("catalog", "import", tmp_path / "pets.json", *options)[0] == 0
    return path


def test_an_imported_api_is_called_with_its_key(run, server, imported):
    server.answers(Answer(headers=JSON, body=b'{"name": "Rex"}'))
    code, out, err = run("call", "pets/pets/find", "--args", '{"name": "a b"}', "--catalog", imported)
    assert (code, json.loads(out), err) == (0, {"name": "Rex"}, "")
    (got,) = server.got
    assert (got.path, got.headers["x-key"]) == ("/pets/a%20b", KEY)
    assert KEY.encode() not in imported.read_bytes()


def test_a_call_that_fails_says_why(run, server, imported):
    server.answers(Answer(status=404, body=f"no pet for {KEY}".encode()))
    code, out, err = run("call", "pets/pets/find", "--args", '{"name": "x"}', "--catalog", imported)
    assert (code, out) == (1, "")
    assert err.startswith("not_found: ")
    assert KEY not in err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("[1", 2, "--args is no JSON"),
        ("[1]", 2, "--args must be a JSON object"),
        ('{"a": ' + "[" * 20_000, 2, "--args is nested too deeply"),
        ("{}", 1, "invalid_arguments: 'name' is a required property."),
    ],
)
def test_arguments_that_do_not_fit_call_nothing(run, server, imported, *, arguments, code, said):
    ended, out, err = run("call", "pets/pets/find", "--args", arguments, "--catalog", imported)
    assert (ended, out) == (code, "")
    assert said in err
    assert server.got == []


def test_an_unknown_api_is_bad_input(run, imported):
    assert run("call", "pets/pets/no", "--catalog", imported)[0] == 2
    code, _, err = run("call", "pets\udcff/pets/find", "--catalog", imported)  # bytes of the shell that are no text
    assert (code, "pets\ufffd/pets/find" in err) == (2, True)


def test_the_callers_are_kept_until_a_source_changes(imported):
    with Catalog.open(imported) as catalog:
        before = callers_of(catalog)["openapi:pets"]
        assert callers_of(catalog)["openapi:pets"] is before
        (source,) = catalog.sources()
        catalog.sync(source.model_copy(update={"settings": {"calling": {"max_bytes": 5}}}), catalog.apis())
        assert callers_of(catalog)["openapi:pets"] is not before
        catalog.sync(source.model_copy(update={"settings": {"calling": {"max_bytes": "a lot"}}}), catalog.apis())
        with pytest.raises(CatalogError, match=r"openapi:pets.*max_bytes"):
            callers_of(catalog)
