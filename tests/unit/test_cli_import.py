"""`toolquiver catalog import`: what it prints, what it keeps, and what it refuses."""

import json
import sys

import pytest

from tests.support.counts import counts
from tests.support.http_server import Answer
from toolquiver.catalog import Catalog
from toolquiver.catalog.importing import _kept, added, read
from toolquiver.catalog.openapi import Settings
from toolquiver.cli import main
from toolquiver.errors import CatalogError


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the import into `apis.db`: its exit code, what it printed, and its errors."""

    def run(source, *options):
        command = ["toolquiver", "catalog", "import", str(source), "--into", str(tmp_path / "apis.db"), *options]
        monkeypatch.setattr(sys, "argv", [str(word) for word in command])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run


@pytest.fixture
def pets(tmp_path):
    """Write a document with these operations; its path."""

    def pets(*names, file="pets.json", **more):
        paths = {f"/{name}": {"get": {"operationId": name} | more} for name in names}
        servers = [{"url": "https://{region}.test", "variables": {"region": {"default": "eu"}}}]
        whole = {"openapi": "3.1.0", "info": {"title": "Pets"}, "servers": servers, "paths": paths}
        (tmp_path / file).write_text(json.dumps(whole))
        return tmp_path / file

    return pets


def stored(tmp_path):
    with Catalog.open(tmp_path / "apis.db") as catalog:
        return catalog.apis(), catalog.sources()


def test_an_import_makes_the_file_and_again_is_a_sync(run, pets, tmp_path):
    code, out, err = run(pets("a", "b"))
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines()] == [
        ["added", "2"],
        ["changed", "0"],
        ["removed", "0"],
        ["unchanged", "0"],
    ]
    assert counts(run(pets("a", "b"))[1]) == [0, 0, 0, 2]
    assert counts(run(pets("b", "c", summary="New."))[1]) == [1, 1, 1, 0]
    apis, (source,) = stored(tmp_path)
    assert [api.name for api in apis] == ["b", "c"]
    assert (source.key, source.kind, source.location) == ("openapi:pets", "openapi", str(tmp_path / "pets.json"))


def test_a_dry_run_shows_the_difference_and_makes_no_file(run, pets, tmp_path):
    code, out, _ = run(pets("a", "b"), "--dry-run")
    assert (code, out.splitlines()[:2], counts(out)) == (0, ["+ pets/pets/a", "+ pets/pets/b"], [2, 0, 0, 0])
    assert not (tmp_path / "apis.db").exists()
    run(pets("a", "b"))
    before = (tmp_path / "apis.db").read_bytes()
    out = run(pets("b", "c", summary="New."), "--dry-run")[1]
    assert out.splitlines()[:3] == ["+ pets/pets/c", "~ pets/pets/b", "- pets/pets/a"]
    assert (tmp_path / "apis.db").read_bytes() == before


def test_what_is_said_is_kept_and_an_import_is_repeated_by_its_name(run, pets, tmp_path):
    options = ["--name", "zoo", "--category", "Zoo", "--tool", "Animals", "--variable", "region=us"]
    assert counts(run(pets("a"), *options)[1]) == [1, 0, 0, 0]
    pets("a", "b")
    assert counts(run("zoo")[1]) == [1, 0, 0, 1]
    apis, (source,) = stored(tmp_path)
    assert {(api.category, api.tool, api.source, api.binding["server"]) for api in apis} == {
        ("Zoo", "Animals", "openapi:zoo", "https://us.test")
    }
    assert source.settings == {"category": "Zoo", "tool": "Animals", "variables": {"region": "us"}}
    assert counts(run("openapi:zoo", "--server", "https://mine.test")[1]) == [0, 2, 0, 0]
    assert stored(tmp_path)[1][0].settings == source.settings | {"server": "https://mine.test"}


def test_a_credential_that_is_named_later_is_one_more():
    kept = {"calling": {"credentials": {"one": "A"}, "private_hosts": ["x.test"]}, "tool": "T"}
    said = {"calling": {"credentials": {"two": "B"}, "private_hosts": ["y.test"]}}
    assert added(kept, said) == {
        "calling": {"credentials": {"one": "A", "two": "B"}, "private_hosts": ["y.test"]},
        "tool": "T",
    }


def test_toolbench_is_known_by_its_file(run, tmp_path):
    endpoint = {"name": "e", "required_parameters": [], "optional_parameters": []}
    (tmp_path / "Some Tools.jsonl").write_text(json.dumps({"category": "c", "tool_name": "t", "apis": [endpoint]}))
    assert counts(run(tmp_path / "Some Tools.jsonl")[1]) == [1, 0, 0, 0]
    apis, (source,) = stored(tmp_path)
    assert (apis[0].id, source.key) == ("c/t/e", "toolbench:some_tools")
    assert counts(run("some_tools")[1]) == [0, 0, 0, 1]


def test_a_folder_is_toolbench_s(run, tmp_path, monkeypatch):
    endpoint = {"name": "e", "required_parameters": [], "optional_parameters": []}
    (tmp_path / "All/c").mkdir(parents=True)
    (tmp_path / "All/c/t.json").write_text(json.dumps({"tool_name": "t", "api_list": [endpoint]}))
    assert counts(run(tmp_path / "All")[1]) == [1, 0, 0, 0]
    apis, (source,) = stored(tmp_path)
    assert (apis[0].id, source.key, source.location) == ("c/t/e", "toolbench:all", str(tmp_path / "All"))
    monkeypatch.chdir(tmp_path / "All")
    assert counts(run(".")[1]) == [0, 0, 0, 1]
    assert len(stored(tmp_path)[1]) == 1
    (tmp_path / "All/c/u.json").write_text("{")
    code, out, err = run("all")
    assert (code, out) == (2, "")
    assert "All/c/u.json': is no tool of ToolBench" in err
    assert stored(tmp_path)[0] == apis


def test_what_cannot_be_called_is_said(run, pets):
    path = pets("a")
    path.write_text(path.read_text().replace("https://{region}.test", "/v1"))
    code, _, err = run(path)
    assert code == 0
    assert "where 1 of the APIs are served" in err
    assert "--server URL" in err
    assert run(path, "--base", "https://pets.test")[2] == ""


def test_a_document_without_operations_is_said_to_have_none(run, pets, tmp_path):
    path = pets("a")
    assert run(path)[2] == ""
    whole = json.loads(path.read_text())
    path.write_text(json.dumps(whole | {"paths": None}))
    code, out, err = run(path)
    assert (code, out) == (2, "")
    assert "pets.json#/paths: is empty: there are no operations." in err
    assert len(stored(tmp_path)[0]) == 1
    path.write_text(json.dumps(whole | {"paths": {}}))
    code, out, err = run(path)
    assert (code, counts(out)) == (0, [0, 0, 1, 0])
    assert err == "The source has no operations, or tools, that can be called. Check that it is the right one.\n"


def test_another_source_of_one_name_is_not_replaced_unasked(run, pets, tmp_path):
    run(pets("a"))
    code, out, err = run(pets("b", file="others.json"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--name pets" in err
    assert counts(run(pets("b", file="others.json"), "--name", "pets")[1]) == [1, 0, 1, 0]
    assert counts(run(pets("c"), "--name", "more")[1]) == [1, 0, 0, 0]
    assert len(stored(tmp_path)[1]) == 2


def broken(path):
    path.write_text(path.read_text().replace('{"openapi"', '{"security": [{"no\\u001b[31m": []}], "openapi"'))
    return [str(path)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (broken, "pets.json#/security/0/no"),
        (lambda _: ["no/such.yaml"], "There is no file"),
        (lambda _: ["nobody"], "There is no file"),
        (lambda _: [""], "The source is empty"),
        (lambda _: [" "], "The source is empty"),
        (lambda _: ["x" * 9_999], "cannot be a path"),
        (lambda path: [str(path.parent)], "holds no tools of ToolBench"),
        (
            lambda path: [str(path), "--base", "https://x.test", "--kind", "toolbench"],
            "--base says nothing about a source of the kind toolbench",
        ),
        (lambda path: [str(path), "--kind", "toolbench"], "line 1: is no tool"),
        (lambda path: [str(path), "--variable", "region"], "NAME=VALUE"),
        (lambda path: [str(path), "--server", "https://me:secret@x.test"], "password"),
        (lambda _: ["https://me:secret@127.0.0.1/doc.json"], "password"),
        (lambda path: [str(path), "--server", "https://x.test?v=1&api_key=secret"], "--credential api_key=VARIABLE"),
        (lambda path: [str(path), "--base", "https://x.test?access_token=secret"], "the credential 'access_token'"),
        (lambda _: ["http://[tenant].test/doc.json?key=secret"], "'http://[tenant].test/doc.json' is no address"),
        (lambda path: [str(path), "--server", "https://[tenant].test"], "is no address"),
        (lambda path: [str(path), "--base", "https://[tenant].test"], "is no address"),
        (
            lambda path: [str(path), "--variable", "region=[tenant]"],
            "pets.json#/servers/0/url: 'https://[tenant].test'",
        ),
        (lambda path: [str(path), "--kind", "csv"], "Invalid value"),
    ],
)
def test_bad_input_is_one_message_and_changes_nothing(run, pets, tmp_path, arguments, said):
    def refused():
        code, out, err = run(*arguments(pets("a")))
        assert (code, out) == (2, "")
        assert said in err
        assert not any(word in err for word in ("Traceback", "secret", "\x1b"))

    refused()
    assert not (tmp_path / "apis.db").exists()
    run(pets("z", file="first.json"), "--name", "first")
    before = stored(tmp_path)
    refused()
    assert stored(tmp_path) == before


def test_a_file_that_is_no_catalogue_stays(run, pets, tmp_path):
    (tmp_path / "apis.db").write_text("precious")
    assert run(pets("a"))[0] == 2
    assert (tmp_path / "apis.db").read_text() == "precious"


@pytest.mark.parametrize("length", [235, 240, 250, 255, 300])
def test_a_file_whose_name_is_too_long_is_one_clear_error(run, pets, tmp_path, length):
    code, out, err = run(pets("a"), "--into", tmp_path / ("a" * length))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--into" in err
    assert "Choose another name" in err
    assert [path.name for path in tmp_path.iterdir()] == ["pets.json"]


def test_a_file_with_a_long_name_is_made(run, pets, tmp_path):
    assert run(pets("a"), "--into", tmp_path / ("a" * 234))[0] == 0
    assert counts(run(pets("a"), "--into", tmp_path / ("a" * 234))[1]) == [0, 0, 0, 1]


def test_a_link_to_a_file_that_is_not_there_yet_stays(run, pets, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "apis.db").symlink_to(tmp_path / "elsewhere" / "real.db")
    assert counts(run(pets("a"))[1]) == [1, 0, 0, 0]
    assert (tmp_path / "apis.db").is_symlink()
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["real.db"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--category", "\udcff"),
        ("--tool", "\udcff"),
        ("--name", "\udcff"),
        ("--server", "https://x.test/\udcff"),
        ("--variable", "region=\udcff"),
        ("--host", "\udcff"),
    ],
)
def test_a_byte_that_is_no_text_is_replaced(run, pets, tmp_path, option, value):
    code, out, err = run(pets("a"), option, value)
    assert (code, counts(out), err) == (0, [1, 0, 0, 0], "")
    ((api,), (source,)) = stored(tmp_path)
    assert "\N{REPLACEMENT CHARACTER}" in api.model_dump_json() + source.model_dump_json()


def test_an_interrupted_first_import_leaves_no_file(run, pets, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Catalog, "sync", interrupted)
    assert run(pets("a"))[0] == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pets.json"]


def test_a_source_is_removed_by_its_name(run, pets, tmp_path, monkeypatch, capsys):
    run(pets("a", "b"))
    run(pets("c", file="more.json"), "--name", "more", "--category", "More")

    def removed(name):
        monkeypatch.setattr(sys, "argv", ["toolquiver", "catalog", "remove", str(tmp_path / "apis.db"), name])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out.split(), printed.err

    code, out, err = removed("shop")
    assert (code, out, "There are: openapi:more, openapi:pets." in err) == (2, [], True)
    assert removed("pets") == (0, ["removed", "2"], "")
    apis, (source,) = stored(tmp_path)
    assert ([api.name for api in apis], source.key) == (["c"], "openapi:more")


def test_of_an_address_the_query_is_kept_and_the_keys_in_it_are_not():
    assert _kept("https://x.test/doc.json?key=secret#a") == "https://x.test/doc.json"
    assert _kept("https://x.test/doc?group=a%20b&api_key=secret&v=2") == "https://x.test/doc?group=a%20b&v=2"
    assert _kept("https://x.test/doc?X-Amz-Signature=0123456789abcdef&v=2") == "https://x.test/doc?v=2"


def test_two_queries_of_one_address_are_two_sources(server):
    def document(got):
        path = {"/a": {"get": {"operationId": got.path.rpartition("=")[2]}}}
        return Answer(body=json.dumps({"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": path}).encode())

    server.answer = document
    url = f"{server.url}/openapi?group="
    games = read(url + "games", Settings())
    with pytest.raises(CatalogError, match="group=games"):
        read(url + "users", Settings(), known=[games.source])
    again = read(games.source.name, Settings(), known=[games.source])
    assert [api.name for api in again.apis] == ["games"]
