"""Token counts that are the same on every machine, a stand-in for a provider of models, OpenAPI documents to import."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module

import pytest

from tests.support.http_server import Quiet, serving
from toolquiver.catalog.openapi import Document, Settings, document_uri
from toolquiver.cli import main

KEY = "sk-not-a-real-key-1234567890"


class Provider:
    """Speaks the OpenAI protocol on a loopback port.

    It answers with `content`, or as `answer(body)` says; `bodies` are the requests it got."""

    def __init__(self, base_url):
        self.base_url = base_url
        self.bodies = []
        self.status = 200
        self.error = "it is broken"
        self.content = "{}"
        self.finish_reason = "stop"
        self.as_tool_call = False
        self.usage = {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37}
        self.answer = self._plain_answer

    def _plain_answer(self, body):
        message = {"role": "assistant", "content": self.content}
        if self.as_tool_call:
            name = body["tools"][0]["function"]["name"]
            call = {"id": "1", "type": "function", "function": {"name": name, "arguments": self.content}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "stand-in",
            "choices": [choice],
            "usage": self.usage,
        }

    def respond(self, body):
        self.bodies.append(body)
        return self.answer(body) if self.status == 200 else {"error": {"message": self.error, "type": "x"}}


@pytest.fixture(autouse=True)
def _same_token_counts_everywhere(monkeypatch):
    monkeypatch.setattr(import_module("toolquiver.models.tokens"), "load_table", lambda: None)


@pytest.fixture
def provider(monkeypatch):
    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            data = json.dumps(stand_in.respond(body)).encode()
            self.send_response(stand_in.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    stand_in = Provider(f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", stand_in.base_url)
    yield stand_in
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def server():
    with serving() as served:
        yield served


@pytest.fixture
def document(tmp_path):
    """Make an OpenAPI document of these paths and top-level members, version 3.1 unless they say another."""

    def document(paths, settings=None, name="doc.json", **top):
        version = {} if {"swagger", "openapi"} & top.keys() else {"openapi": "3.1.0"}
        whole = version | {"info": {"title": "Pets", "version": "1"}, "paths": paths} | top
        (tmp_path / name).write_text(json.dumps(whole), "utf-8")
        return Document(document_uri(str(tmp_path / name)), settings or Settings())

    return document


@pytest.fixture
def api(document):
    """The only API of a document with this operation at `GET /pets` or another place."""

    def api(operation, *, path="/pets", method="get", item=None, settings=None, **top):
        (made,) = document({path: {method: operation} | (item or {})}, settings, **top).apis("openapi:pets")
        return made

    return api


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command: its exit code, what it printed, and its errors."""

    def run(*command):
        monkeypatch.setattr(sys, "argv", ["toolquiver", *(str(part) for part in command)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run
