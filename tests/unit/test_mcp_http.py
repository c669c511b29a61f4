"""Calls of MCP servers over streamable HTTP: one made with the SDK, and an old one that misbehaves on purpose."""

import asyncio
import gzip
import json
import logging
import os
import subprocess
import sys
from contextlib import aclosing, contextmanager

import pytest

pytest.importorskip("mcp")

from tests.support.mcp_calls import PROGRAM, api, once, opened, text
from tests.support.mcp_old_server import EVENTS, JSON, old_server, result
from toolquiver.calling import CallError, Limits, callers_of, perform
from toolquiver.calling.mcp import McpCaller, McpSource, mcp_callers, read_mcp
from toolquiver.catalog import Catalog, Source
from toolquiver.errors import CatalogError


def at(url, **settings):
    patient = {"connect_timeout": 600, "read_timeout": 600}  # the machine may be busy
    return McpSource(url=url, **(patient | {"private_hosts": ("127.0.0.1",)} | settings))


@contextmanager
def served(mode="http", port=0, **environment):
    """The URL of the SDK's server, which is a process of its own."""
    command = [sys.executable, str(PROGRAM), mode, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment) as process:
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
        finally:
            process.kill()


@pytest.fixture
def old():
    with old_server() as server:
        yield server


def failed(source, tool="act", **arguments):
    with pytest.raises(CallError) as caught:
        once(source, tool, **arguments)
    return caught.value


@pytest.mark.parametrize("mode", ["http", "stateless", "json"])
def test_a_server_is_read_and_called(mode):
    async def calls(url):
        async with opened(at(url)) as caller:
            name, apis = await caller.read(category="numbers")
            met = await asyncio.gather(text(caller, "meet", first=True), text(caller, "meet", first=False))
            return name, apis[0], met, await text(caller, "add", a=2, b=2), await text(caller, "echo", text="é")

    with served(mode) as url:
        name, first, met, total, echoed = asyncio.run(calls(url))
    assert (name, first.id, first.method) == ("Test Server", "numbers/test_server/add", "CALL")
    assert (met, total, json.loads(echoed)) == (["met", "met"], '{"total": 4}', {"result": "é"})


def test_a_server_that_dies_in_mid_call_is_asked_again_once_it_is_back():
    async def calls(caller, url):
        assert await text(caller, "add", a=1) == '{"total": 2}'
        with pytest.raises(CallError) as caught:
            await text(caller, "die")
        assert caught.value.kind == "network"
        with pytest.raises(CallError) as caught:
            await text(caller, "add", a=1)
        assert caught.value.kind == "network"
        with served(port=int(url.rpartition(":")[2].partition("/")[0])):
            return await text(caller, "add", a=2)

    async def all_calls():
        with served() as url:
            async with opened(at(url)) as caller:
                return await calls(caller, url)

    assert asyncio.run(all_calls()) == '{"total": 3}'


def test_a_token_is_read_when_it_is_needed_and_hidden(monkeypatch):
    monkeypatch.setenv("TEST_TOKEN", "token-4711")
    with served(WANTED_TOKEN="token-4711") as url:
        source = at(url, bearer="TEST_TOKEN")
        assert json.loads(once(source, "echo", text="my token-4711")) == {"result": "my [secret]"}
        assert failed(source, "refuse", reason="token-4711 is bad").args == (
            "Error executing tool refuse: [secret] is bad",
        )
        monkeypatch.setenv("TEST_TOKEN", "wrong-token")
        assert failed(source, "echo", text="").kind == "unauthorized"
        assert failed(at(url, headers={"Authorization": "TEST_TOKEN"}), "echo", text="").kind == "unauthorized"
        monkeypatch.delenv("TEST_TOKEN")
        error = failed(source, "echo", text="")
        assert (error.kind, "Set TEST_TOKEN" in str(error)) == ("unauthorized", True)
        monkeypatch.setenv("TEST_TOKEN", "two\nlines")
        assert failed(source, "echo", text="").kind == "unauthorized"


def test_a_key_in_the_query_is_read_when_it_is_needed_and_hidden(old, monkeypatch, caplog):
    source = at(f"{old.url}?plan=free&tavily%20Key=&again", query={"tavily Key": "TEST_KEY", "again": "TEST_KEY"})
    for value, sent in (("tvly-47&11", "tvly-47%2611"), (" tvly-48\n", "tvly-48")):
        monkeypatch.setenv("TEST_KEY", value)
        old.answer = lambda number, value=value: (200, JSON, result(number, f"{old.paths[-1]}: {value.strip()}"))
        old.paths.clear()
        with caplog.at_level(logging.DEBUG):
            assert once(source, "act") == "/mcp?plan=free&tavily%20Key=[secret]&again=[secret]: [secret]"
        assert set(old.paths) == {f"/mcp?plan=free&tavily%20Key={sent}&again={sent}"}
        old.answer = lambda *_: (403, {}, f"Not at {old.paths[-1]}".encode())
        assert str(failed(source)).endswith("Not at /mcp?plan=free&tavily%20Key=[secret]&again=[secret]")
    assert "tvly" not in caplog.text
    old.paths.clear()
    monkeypatch.delenv("TEST_KEY")
    error = failed(source)
    assert (error.kind, "Set TEST_KEY" in str(error), old.paths) == ("unauthorized", True, [])


def test_a_server_passes_the_guard(old):
    error = failed(at(old.url, private_hosts=()))
    assert (error.kind, "private_hosts" in str(error)) == ("blocked", True)
    with pytest.raises(CatalogError, match="private_hosts"):
        asyncio.run(read_mcp(at(old.url, private_hosts=())))
    assert not old.got


def test_a_host_is_looked_up_by_the_guard(old):
    async def private(host, port):
        return ["127.0.0.1"]

    async def calls(**settings):
        source = at(old.url.replace("127.0.0.1", "mcp.test"), **settings)
        caller = McpCaller(source, resolve=private)
        try:
            return await text(caller, "act")
        finally:
            await caller.aclose()

    assert asyncio.run(calls(private_hosts=("mcp.test",))) == "done"
    with pytest.raises(CallError) as caught:
        asyncio.run(calls())
    assert caught.value.kind == "blocked"


def test_an_old_server_is_called_in_one_session_that_is_ended(old):
    async def calls():
        async with opened(at(old.url)) as caller:
            return [await text(caller, "act") for _ in range(2)]

    assert asyncio.run(calls()) == ["done", "done"]
    assert (old.opened, old.sessions) == (1, set())


def test_a_session_ends_with_its_event_loop(old):
    caller = McpCaller(at(old.url))
    assert [asyncio.run(text(caller, "act")) for _ in range(2)] == ["done", "done"]
    assert (old.opened, old.sessions) == (2, set())


def test_a_session_that_the_server_has_forgotten_is_opened_anew(old):
    async def calls():
        async with opened(at(old.url)) as caller:
            await text(caller, "act")
            old.sessions.clear()
            read = await perform(api("act"), {}, {"mcp:test": caller}, Limits(timeout=600))
            old.sessions.clear()
            write = await perform(api("act", "write"), {}, {"mcp:test": caller}, Limits(timeout=600))
            return read.text, write.text

    assert asyncio.run(calls()) == ("done", "done")
    assert old.opened == 3


@pytest.mark.parametrize("whole", [True, False])
def test_no_part_of_a_secret_stands_in_what_is_told_of_an_answer_that_is_none(old, monkeypatch, caplog, whole):
    secret = "super-secret-token-123456"
    monkeypatch.setenv("A_TOKEN", secret)
    said = {"message": f"The quota of the token {secret}"}
    wrapped = {"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "weird", "said": said["message"]}]}}
    old.answer = lambda number: (200, JSON, json.dumps(wrapped | {"id": number} if whole else said).encode())
    with caplog.at_level(logging.DEBUG):
        error = failed(at(old.url, bearer="A_TOKEN"))
    assert "token-123456" not in str(error) + caplog.text


def test_an_error_of_the_servers_own_is_none_of_the_network(old):
    own = {"code": -32000, "message": "There is no such thing."}
    old.answer = lambda number: (200, JSON, json.dumps({"jsonrpc": "2.0", "id": number, "error": own}).encode())
    assert failed(at(old.url)).kind == "tool_error"


@pytest.mark.parametrize(
    ("status", "headers", "kind"),
    [
        (401, {}, "unauthorized"),
        (403, {}, "forbidden"),
        (429, {"Retry-After": "7"}, "rate_limited"),
        (500, {}, "server_error"),
        (503, {"Retry-After": "soon"}, "server_error"),
        (504, {}, "timeout"),
    ],
)
def test_a_status_is_a_kind_of_failure(old, status, headers, kind):
    old.answer = lambda number: (status, JSON | headers, b'{"error": {"code": -32000, "message": "come back later"}}')
    error = failed(at(old.url))
    assert (error.kind, error.retry_after) == (kind, 7.0 if status == 429 else None)
    assert "come back later" in str(error)


@pytest.mark.parametrize(
    ("headers", "body", "kind"),
    [
        (JSON, b"{", "server_error"),
        (JSON, b'{"jsonrpc": "2.0", "id": 1}', "server_error"),
        ({"Content-Type": "text/html"}, b"<p>Hello", "tool_error"),
        (JSON | {"Content-Encoding": "br"}, b"{}", "network"),
        (JSON | {"Content-Encoding": "gzip"}, gzip.compress(b" " * 30_000, mtime=0), "tool_error"),
        (JSON, b"[" * 30_000, "tool_error"),
        (JSON | {"Content-Length": "1000"}, b'{"json', "network"),
        (EVENTS, b": nothing comes\n\n", "network"),
        (EVENTS, b"data: " + b"x" * 30_000 + b"\n\n", "tool_error"),
        (EVENTS | {"Content-Length": "1000"}, b": cut off\n", "network"),
    ],
)
def test_a_broken_answer_fails_one_call_only(old, headers, body, kind):
    async def calls():
        async with opened(at(old.url, max_bytes=20_000)) as caller:
            with pytest.raises(CallError) as caught:
                await text(caller, "act")
            old.answer = lambda number: (200, EVENTS, b"data: " + result(number, "whole") + b"\n\n")
            return caught.value.kind, await text(caller, "act")

    old.answer = lambda number: (200, headers, body)
    assert asyncio.run(calls()) == (kind, "whole")
    assert old.opened == 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_text_that_was_cut_in_the_middle_of_a_letter_is_an_answer(old, end):
    old.answer = lambda number: (200, JSON, result(number, "Hi \ud83d"))
    assert once(at(old.url), "act") == "Hi \ufffd"
    old.answer = lambda number: (200, EVENTS, b"data: " + result(number, "Hi \ud83d" * 20_000) + 2 * end)
    assert once(at(old.url), "act") == "Hi \ufffd" * 20_000


def test_a_server_that_is_not_there_is_a_failure_of_the_network():
    with old_server() as gone:
        pass
    assert failed(at(gone.url)).kind == "network"


@pytest.mark.parametrize(
    ("status", "kind"),
    [(200, "tool_error"), (204, "tool_error"), (302, "tool_error"), (404, "not_found"), (405, "server_error")],
)
def test_a_url_that_is_no_mcp_server_is_a_failure(old, status, kind):
    old.reply = lambda *_: (status, {"Content-Type": "text/html", "Location": "http://192.0.2.1/"}, b"")
    assert failed(at(old.url)).kind == kind


class Turns:
    """Keeps who wanted a turn, and who wants to be left alone."""

    def __init__(self):
        self.taken, self.left = [], []

    async def turn(self, host, per_second):
        self.taken.append((host, per_second))

    def leave(self, host, seconds):
        self.left.append((host, seconds))


def test_calls_go_in_turn_and_a_server_is_left_alone_when_it_wants_that(old):
    pace = Turns()
    first, second = mcp_callers({"a": at(old.url), "b": at(old.url, requests_per_second=3)}, pace=pace).values()

    async def calls():
        async with aclosing(first), aclosing(second):
            await first.read()
            await text(first, "act")
            old.answer = lambda _: (429, JSON | {"Retry-After": "7"}, b"{}")
            with pytest.raises(CallError):
                await text(second, "act")

    asyncio.run(calls())
    assert pace.taken == [("127.0.0.1", 10), ("127.0.0.1", 3)]
    assert pace.left == [("127.0.0.1", 7)]


def test_a_command_is_called_at_once():
    pace = Turns()
    with pytest.raises(CallError):
        asyncio.run(text(McpCaller(McpSource(command="no-such-command"), pace=pace), "act"))
    assert pace.taken == []


def test_all_sources_of_a_catalogue_share_one_pace():
    with Catalog.create() as catalog:
        for key, calling in (("openapi:a", {}), ("mcp:b", {"url": "http://b.test"}), ("mcp:c", {"command": "c"})):
            catalog.sync(Source(key=key, kind=key.partition(":")[0], settings={"calling": calling}), [])
        callers = callers_of(catalog)
    assert len({callers[key]._pace for key in ("openapi:a", "mcp:b", "mcp:c")}) == 1
