"""A server on a loopback port that behaves, or misbehaves, as a test says; and records that lead to it."""

import asyncio
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from toolquiver.calling import Observation
from toolquiver.calling.http import HttpCaller, HttpSource
from toolquiver.catalog import API
from toolquiver.catalog.operation import HttpOperation, Placement

JSON = {"Content-Type": "application/json"}
NAME = "api.test"


class Got(NamedTuple):
    """A request that arrived."""

    method: str
    path: str
    headers: dict
    body: bytes


class Answer(NamedTuple):
    """A response: the body whole or in pieces; `length` is the one that is told, when it is not the true one."""

    status: int = 200
    headers: tuple | dict = ()
    body: bytes | list = b""
    length: int | None = None


class Server:
    """`answer(got)` gives each response; `got` are the requests, `connections` the number of connections."""

    def __init__(self, port):
        self.port = port
        self.got = []
        self.connections = 0
        self.answer = lambda got: Answer(body=b"fine")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def answers(self, *responses):
        """Give these one after the other, the last one again and again."""
        self.answer = lambda got: responses[min(len(self.got), len(responses)) - 1]

    def settings(self, **more):
        return HttpSource(**({"private_hosts": (f"127.0.0.1:{self.port}", NAME), "requests_per_second": 1000} | more))

    def call(self, api, arguments=None, *, resolve=None, **settings):
        """What a caller with these settings returns, and nothing of it left open."""
        caller = HttpCaller(self.settings(**settings), **({"resolve": resolve} if resolve else {}))
        return asyncio.run(caller.call(api, arguments or {}))

    def api(self, path="/", method="GET", *, placements=(), properties=None, server=None, **more):
        """A record that leads here; each placement is an argument's name, location and what else it says."""
        places = [
            place if isinstance(place, Placement) else Placement(argument=place[0], name=place[0], location=place[1])
            for place in placements
        ]
        operation = HttpOperation(server=server or self.url, path=path, method=method, placements=places, **more)
        return an_api(operation, properties)


def an_api(operation, properties=None):
    return API(
        id="tests/http/call",
        name="call",
        tool="http",
        category="tests",
        method=operation.method,
        source="openapi:test",
        parameters={"type": "object", "properties": properties or {}},
        binding=operation.model_dump(mode="json"),
    )


class Quiet:
    """Before `BaseHTTPRequestHandler`: writes no log, and bears that a client goes."""

    protocol_version = "HTTP/1.1"  # keeps connections open, as real servers do

    def log_message(self, *_):
        pass

    def handle(self):
        with suppress(ConnectionError):
            super().handle()


class Handler(Quiet, BaseHTTPRequestHandler):
    """Answers as the server's `served` says."""

    def setup(self):
        self.server.served.connections += 1
        super().setup()

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        got = Got(self.command, self.path, dict(self.headers), body)
        self.server.served.got.append(got)
        answer = self.server.served.answer(got)
        pieces = answer.body if isinstance(answer.body, list) else [answer.body]
        length = sum(map(len, pieces)) if answer.length is None else answer.length
        self.send_response(answer.status)
        for name, value in dict(answer.headers).items():
            self.send_header(name, value)
        if length >= 0:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        for piece in pieces if got.method != "HEAD" else ():
            self.wfile.write(piece)
        self.close_connection = answer.length is not None


for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"):
    setattr(Handler, f"do_{method}", Handler.serve)


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 50


@contextmanager
def serving(tls=None):
    """Such a server, as long as the block runs."""
    server = Listener(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.served = Server(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def text(outcome):
    assert isinstance(outcome, Observation)
    return outcome.text
