"""`toolquiver catalog import` says how fast, how long and how much a source is asked, and whom to trust."""

import json
import shlex
import shutil
import sys

import certifi
import pytest

from tests.support.mcp_old_server import old_server
from toolquiver.calling.http import HttpSource
from toolquiver.calling.mcp import McpSource
from toolquiver.calling.sources import settings
from toolquiver.catalog import Catalog

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Shop"},
    "servers": [{"url": "https://shop.test"}],
    "paths": {"/a": {"get": {}}},
    "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
}
BOUNDS = ["--requests-per-second", 2.5, "--max-bytes", 1000, "--connect-timeout", 3, "--read-timeout", 90]
SAID = {"requests_per_second": 2.5, "max_bytes": 1000, "connect_timeout": 3.0, "read_timeout": 90.0}


@pytest.fixture
def imported(run, tmp_path, monkeypatch):
    """Import a source with options: the exit code and the errors."""
    (tmp_path / "shop.json").write_text(json.dumps(DOCUMENT))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def imported(source, *options):
        code, _, err = run("catalog", "import", source, "--into", tmp_path / "apis.db", *options)
        return code, err

    return imported


def kept(tmp_path):
    with Catalog.open(tmp_path / "apis.db") as catalog:
        (source,) = catalog.sources()
    return source


def test_what_is_said_is_how_the_apis_are_called(imported, tmp_path):
    shutil.copy(certifi.where(), "ca.pem")
    assert imported("shop.json", *BOUNDS, "--certificates", "ca.pem", "--credential", "key=KEY") == (0, "")
    said = SAID | {"certificates": tmp_path / "ca.pem", "credentials": {"key": "KEY"}}
    assert settings(kept(tmp_path), HttpSource) == HttpSource(**said)


def test_what_is_not_said_again_stays_when_an_import_is_repeated_by_its_name(imported, tmp_path):
    imported("shop.json", *BOUNDS, "--credential", "key=KEY")
    assert imported("shop", "--read-timeout", 30)[0] == 0
    said = SAID | {"credentials": {"key": "KEY"}, "read_timeout": 30.0}
    assert settings(kept(tmp_path), HttpSource) == HttpSource(**said)
    assert imported("shop.json")[0] == 0
    assert settings(kept(tmp_path), HttpSource) == HttpSource()


def test_mcp_servers_have_them_too(imported, tmp_path):
    pytest.importorskip("mcp")
    with old_server() as server:
        code, err = imported(server.url, "--kind", "mcp", *BOUNDS, "--private-host", "127.0.0.1")
    assert (code, err) == (0, "")
    said = SAID | {"url": server.url, "private_hosts": ("127.0.0.1",)}
    assert settings(kept(tmp_path), McpSource) == McpSource(**said)


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        ("shop.json", ["--certificates", "none.pem"], "'none.pem' cannot be used (No such file or directory)"),
        ("shop.json", ["--certificates", "shop.json"], "'shop.json' cannot be used"),
        ("shop.json", ["--read-timeout", "0"], "Invalid value for '--read-timeout'"),
        ("shop.json", ["--read-timeout", "nan"], "Invalid value for '--read-timeout'"),
        ("shop.json", ["--max-bytes", "many"], "Invalid value for '--max-bytes'"),
        ("shop.json", ["--credential", "key=no name"], "KEY=VARIABLE"),
        ("shop.json", ["--kind", "toolbench", "--max-bytes", "9"], "--max-bytes says nothing about"),
        ("http://127.0.0.1:9/mcp", ["--kind", "mcp", "--credential", "X-Key=no name"], "headers: X-Key: "),
        (shlex.join([sys.executable, "-V"]), ["--kind", "mcp", "--requests-per-second", "5"], "is for a url"),
    ],
)
def test_what_cannot_be_is_refused(imported, tmp_path, source, options, said):
    code, err = imported(source, *options)
    assert code == 2
    assert said in err
    assert not (tmp_path / "apis.db").exists()
