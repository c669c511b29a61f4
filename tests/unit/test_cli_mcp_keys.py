"""Keys of MCP servers on the command line: named by their variables, refused where they stand openly, never kept."""

import json
import shlex
import sys

import pytest

pytest.importorskip("mcp")

from tests.support.mcp_calls import PROGRAM
from tests.support.mcp_old_server import JSON, old_server, result
from toolquiver.catalog import Catalog

KEY = "tvly-4711"


@pytest.fixture
def old(monkeypatch):
    """A server that wants a key in the query, and repeats it."""
    monkeypatch.setenv("A_KEY", KEY)
    with old_server() as server:
        server.answer = lambda number: (200, JSON, result(number, server.paths[-1]))
        yield server


@pytest.fixture
def imported(run, tmp_path):
    """Import a server: the exit code, what was printed, and the errors."""
    return lambda *words: run("catalog", "import", *words, "--kind", "mcp", "--into", tmp_path / "apis.db")


def settings(path):
    assert KEY.encode() not in path.read_bytes()
    with Catalog.open(path) as catalog:
        return catalog.sources()[0].settings["calling"]


def test_a_key_in_the_query_is_named_by_its_variable(imported, run, old, tmp_path):
    path, named = tmp_path / "apis.db", ("--credential", "tavilyApiKey=A_KEY", "--credential", "X-Key=A_KEY")
    assert imported(f"{old.url}?tavilyApiKey=", *named, "--private-host", "127.0.0.1")[0] == 0
    assert set(old.paths) == {f"/mcp?tavilyApiKey={KEY}"}
    assert old.got[0][1]["x-key"] == KEY
    kept = settings(path)
    assert (kept["query"], kept["headers"]) == ({"tavilyApiKey": "A_KEY"}, {"X-Key": "A_KEY"})
    code, out, _ = run("call", "mcp/old/act", "--catalog", path)
    assert (code, out) == (0, "/mcp?tavilyApiKey=[secret]\n")


def test_what_is_not_said_again_stays(imported, old, tmp_path, monkeypatch):
    monkeypatch.setenv("B_KEY", "other-4711")
    named = ("--credential", "tavilyApiKey=A_KEY", "--credential", "X-Key=A_KEY")
    assert imported(f"{old.url}?tavilyApiKey", *named, "--private-host", "127.0.0.1")[0] == 0
    before = settings(tmp_path / "apis.db")
    assert imported("old")[0] == 0
    assert settings(tmp_path / "apis.db") == before
    assert imported("old", "--credential", "tavilyApiKey=B_KEY")[0] == 0
    assert settings(tmp_path / "apis.db") == before | {"query": {"tavilyApiKey": "B_KEY"}}


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (f"http://127.0.0.1:9/mcp?tavilyApiKey={KEY}", "`--credential tavilyApiKey=VARIABLE`"),
        ("http://127.0.0.1:9/mcp?tavilyApiKey=", "`--credential tavilyApiKey=VARIABLE`"),
        (f"no-such-server --api-key {KEY}", "value of --api-key in the command is a credential"),
        (f"no-such-server --api-key={KEY}", "`--secret VARIABLE`"),
    ],
)
def test_a_key_that_stands_openly_is_refused_and_not_repeated(imported, tmp_path, server, said):
    code, out, err = imported(server)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert KEY not in err
    assert not any(tmp_path.iterdir())


def test_a_shell_puts_a_key_among_the_arguments(imported, run, tmp_path, monkeypatch):
    monkeypatch.setenv("A_KEY", KEY)
    command = shlex.join([sys.executable, str(PROGRAM), "stdio"])
    code, _, err = imported(shlex.join(["sh", "-c", f'exec {command} --api-key "$A_KEY"']), "--secret", "A_KEY")
    assert (code, err) == (0, "")
    assert settings(tmp_path / "apis.db")["secrets"] == ["A_KEY"]
    arguments = json.dumps({"text": KEY})
    code, out, _ = run("call", "mcp/test_server/echo", "--args", arguments, "--catalog", tmp_path / "apis.db")
    assert (code, json.loads(out)) == (0, {"result": "[secret]"})


def test_an_address_with_a_placeholder_is_one_clear_error(imported, tmp_path):
    code, out, err = imported("http://[tenant].example.com/mcp")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'http://[tenant].example.com/mcp' is no address" in err
    assert not any(tmp_path.iterdir())
