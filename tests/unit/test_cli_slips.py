"""`toolquiver catalog import` refuses names that the document does not have, before it keeps anything."""

import json

import pytest

from tests.support.counts import counts
from toolquiver.catalog import Catalog

SECURED = {
    "openapi": "3.1.0",
    "info": {"title": "Shop"},
    "servers": [
        {"url": "http://{region}.test:{port}", "variables": {"port": {"enum": [80, 81]}, "region": {"default": "eu"}}},
        {"url": "http://{unused}.test"},
    ],
    "paths": {
        "/a": {
            "get": {"parameters": [{"name": "api_key", "in": "query"}, {"name": "page", "in": "query"}]},
            "post": {
                "servers": [
                    {
                        "url": "http://{zone}.test:{port}",
                        "variables": {"port": {"enum": ["82"]}, "zone": {"default": "b"}},
                    }
                ],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "properties": {
                                    "auth": {"type": "object", "properties": {"client_secret": {"type": "string"}}}
                                }
                            }
                        }
                    }
                },
            },
        }
    },
    "components": {"securitySchemes": {"main": {"type": "http", "scheme": "bearer"}}},
}


@pytest.fixture
def imported(run, tmp_path):
    """Import the document with these options: the exit code, what was printed, and the errors."""
    (tmp_path / "shop.json").write_text(json.dumps(SECURED))
    return lambda *options: run("catalog", "import", tmp_path / "shop.json", "--into", tmp_path / "apis.db", *options)


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        (["--variable", "nosuch=1"], "no server that is called has a variable 'nosuch'"),
        (["--variable", "nosuch=1"], "The variables are: region, port (80, 81, 82), zone."),
        (["--variable", "unused=1"], "no server that is called has a variable 'unused'"),
        (["--variable", "port=99"], "'port' of its servers cannot be '99'. It can be: 80, 81, 82."),
        (["--credential", "typo=VAR"], "no security scheme 'typo'"),
        (["--credential", "typo=VAR"], "There are: api_key, auth.client_secret, main."),
        (["--argument", "nosuch"], "no parameter 'nosuch'"),
        (["--argument", "nosuch"], "there are: api_key, client_secret."),
    ],
)
@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--skip-broken",)])
def test_a_name_that_the_document_does_not_have_is_refused(imported, tmp_path, slip, said, more):
    code, out, err = imported(*slip, *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert slip[0] in err
    assert [path.name for path in tmp_path.iterdir()] == ["shop.json"]


def test_a_catalogue_stays_as_it_was(imported, tmp_path):
    def stored():
        with Catalog.open(tmp_path / "apis.db") as catalog:
            return catalog.apis(), catalog.sources()

    imported("--argument", "page")
    before = stored()
    for option, value in (("--variable", "port=99"), ("--credential", "typo=VAR"), ("--argument", "nosuch")):
        assert imported(option, value)[0] == 2
        assert stored() == before


def test_what_the_document_has_no_more_is_refused_until_it_is_not_said_again(imported, tmp_path, run):
    assert imported("--argument", "client_secret")[0] == 0
    (tmp_path / "shop.json").write_text(json.dumps(SECURED).replace("client_secret", "name"))
    code, _, err = run("catalog", "import", "shop", "--into", tmp_path / "apis.db")
    assert (code, "import the document by its file or URL" in err) == (2, True)
    assert imported()[0] == 0


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--variable", ["port=81", "region=any", "zone=c"]),
        ("--credential", ["main=VAR", "api_key=VAR", "page=VAR", "auth.client_secret=VAR"]),
        ("--argument", ["api_key", "page", "client_secret"]),
    ],
)
def test_a_name_that_the_document_has_is_taken(imported, option, values):
    assert imported(*(word for value in values for word in (option, value)))[0] == 0


def test_where_a_document_has_nothing_of_the_kind_that_is_said(imported, tmp_path):
    bare = {"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": {"/a": {"get": {}}}}
    (tmp_path / "shop.json").write_text(json.dumps(bare))
    assert "there is none" in imported("--argument", "x")[2]
    assert "There is none" in imported("--credential", "x=VAR")[2]
    assert "No server has a variable" in imported("--variable", "x=1")[2]


def test_a_broken_server_is_told_or_left_out_whatever_is_said_of_variables(imported, tmp_path):
    paths = SECURED["paths"] | {"/b": {"get": {"servers": 1}}}
    (tmp_path / "shop.json").write_text(json.dumps(SECURED | {"paths": paths}))
    assert "#/paths/~1b/get/servers" in imported("--variable", "port=81")[2]
    code, out, err = imported("--variable", "port=81", "--skip-broken")
    assert (code, counts(out), "GET /b" in err) == (0, [2, 0, 0, 0], True)
