"""An MCP server is imported and called from the command line, with a real server."""

import json
import shlex
import sys

import pytest

from toolquiver.catalog import Catalog

pytest.importorskip("mcp_server_time", reason="the server mcp-server-time is not installed")


def test_a_server_is_imported_called_and_imported_again_by_its_name(run, tmp_path):
    path = tmp_path / "apis.db"
    server = shlex.join([sys.executable, "-m", "mcp_server_time"])
    code, out, _ = run("catalog", "import", server, "--kind", "mcp", "--name", "clock", "--into", path)
    assert (code, out.split()[:2]) == (0, ["added", "2"])
    given = {"source_timezone": "Europe/Rome", "time": "12:30", "target_timezone": "Asia/Tokyo"}
    code, out, _ = run("call", "mcp/clock/convert_time", "--args", json.dumps(given), "--catalog", path)
    assert code == 0
    assert json.loads(out)["target"]["timezone"] == "Asia/Tokyo"
    code, _, err = run("call", "mcp/clock/get_current_time", "--args", '{"timezone": "Mars/Base"}', "--catalog", path)
    assert (code, err.startswith("tool_error: ")) == (1, True)
    code, out, _ = run("catalog", "import", "clock", "--kind", "mcp", "--into", path)
    assert (code, out.split()[-2:]) == (0, ["unchanged", "2"])
    with Catalog.open(path) as catalog:
        assert [source.key for source in catalog.sources()] == ["mcp:clock"]


def test_a_server_with_a_relative_path_is_called_from_any_folder(run, tmp_path, monkeypatch):
    home, other, path = tmp_path / "home", tmp_path / "other", tmp_path / "apis.db"
    for folder in (home, other):
        folder.mkdir()
    (home / "serve.py").write_text("from mcp_server_time import main\n\nmain()\n")
    monkeypatch.chdir(home)
    server = shlex.join([sys.executable, "serve.py"])
    assert run("catalog", "import", server, "--kind", "mcp", "--name", "clock", "--into", path)[0] == 0
    monkeypatch.chdir(other)
    now = ("call", "mcp/clock/get_current_time", "--args", '{"timezone": "UTC"}', "--catalog", path)
    assert run(*now)[0] == 0
    home.rename(tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run(*now)[0] == 0


BROKEN_TOO = """
import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import ListToolsResult, Tool

async def tools(*_):
    broken = {"type": "object", "properties": {"x": {"$ref": "#/$defs/No"}}}
    schemas = {"fine": {"type": "object"}, "b": broken}
    return ListToolsResult(tools=[Tool(name=name, input_schema=schema) for name, schema in schemas.items()])

async def main():
    server = Server("s", on_list_tools=tools)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

asyncio.run(main())
"""


def test_a_broken_tool_can_be_left_out(run, tmp_path):
    path, file = tmp_path / "apis.db", tmp_path / "serve.py"
    file.write_text(BROKEN_TOO)
    command = ("catalog", "import", shlex.join([sys.executable, str(file)]), "--kind", "mcp", "--into", path)
    code, _, err = run(*command)
    assert (code, "'b' cannot be used" in err, "--skip-broken" in err) == (2, True, True)
    code, out, err = run(*command, "--skip-broken")
    assert (code, out.split()[:2], "Left out as broken, 1:" in err) == (0, ["added", "1"], True)
    code, out, err = run("catalog", "import", "s", "--into", path)  # with all that was said before
    assert (code, out.split()[-2:], "'b'" in err) == (0, ["unchanged", "1"], True)


def test_tool_and_category_can_be_set_and_are_kept(run, tmp_path):
    path = tmp_path / "apis.db"
    server = shlex.join([sys.executable, "-m", "mcp_server_time"])
    options = ("--category", "Time", "--tool", "Clocks")
    assert run("catalog", "import", server, "--kind", "mcp", *options, "--into", path)[0] == 0
    with Catalog.open(path) as catalog:
        (source,) = catalog.sources()
        assert {(api.category, api.tool, api.source) for api in catalog.apis()} == {("Time", "Clocks", source.key)}
    code, out, _ = run("catalog", "import", source.key, "--into", path)  # its kind is known from before
    assert (code, out.split()[-2:]) == (0, ["unchanged", "2"])


def test_a_server_is_believed_what_its_tools_do_where_that_was_said(run, tmp_path):
    path = tmp_path / "apis.db"
    server = shlex.join([sys.executable, "-m", "mcp_server_time"])

    def effects(*command):
        assert run("catalog", "import", *command, "--into", path)[0] == 0
        with Catalog.open(path) as catalog:
            return {api.effect for api in catalog.apis()}

    named = ("--kind", "mcp", "--name", "clock")
    assert effects(server, *named) == {"unknown"}
    assert effects(server, *named, "--trust-annotations") == {"read"}
    assert effects("clock") == {"read"}  # by its name with all that was said before
    assert effects(server, *named) == {"unknown"}


def test_a_command_starts_another_server_in_another_folder(run, tmp_path, monkeypatch):
    path, server = tmp_path / "apis.db", shlex.join([sys.executable, "-m", "mcp_server_time"])
    command = ("catalog", "import", server, "--kind", "mcp", "--into", path)
    assert [run(*command)[0], run(*command)[0]] == [0, 0]
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    code, _, err = run(*command)
    assert (code, "from another place" in err) == (2, True)
    assert run(*command, "--name", "other")[0] == 0


@pytest.mark.parametrize(
    ("server", "options", "said"),
    [
        ("no-such-command-here", (), "cannot be read"),
        ("'open", (), "is no command"),
        ("http://127.0.0.1:9/mcp", ("--secret", "X"), "cannot be described so"),
        ("http://127.0.0.1:9/mcp", (), "private_hosts"),
        ("http://127.0.0.1:9/mcp", ("--host", "x.test"), "--host says nothing about a source of the kind mcp"),
    ],
)
def test_a_server_that_cannot_be_read_leaves_no_file(run, tmp_path, server, options, said):
    path = tmp_path / "apis.db"
    code, out, err = run("catalog", "import", server, "--kind", "mcp", "--into", path, *options)
    assert (code, out) == (2, "")
    assert said in err
    assert not path.exists()
