"""An MCP server of the year 2025 on a loopback port: it keeps sessions, and answers calls as a test says."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.http_server import Quiet

JSON = {"Content-Type": "application/json"}
EVENTS = {"Content-Type": "text/event-stream"}
TOOLS = [{"name": "act", "inputSchema": {"type": "object"}}]


class OldServer:
    """`sessions` are those it knows; `answer(id)` gives status, headers and body for a call; `got` are all requests.

    `paths` are the addresses that were asked for, with their queries.
    """

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/mcp"
        self.sessions = set()
        self.opened = 0
        self.got = []
        self.paths = []
        self.answer = lambda number: (200, JSON, result(number, "done"))

    def reply(self, method, headers, message):
        """Status, headers and body for a request."""
        self.got.append((method, headers, message))
        asked = message.get("method", "")
        if asked == "initialize":
            self.opened += 1
            name = f"session-{self.opened}"
            self.sessions.add(name)
            offered = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
            body = {
                "jsonrpc": "2.0",
                "id": message["id"],
                "result": offered | {"serverInfo": {"name": "old", "version": "1"}},
            }
            return 200, JSON | {"Mcp-Session-Id": name}, json.dumps(body).encode()
        if headers.get("Mcp-Session-Id") not in self.sessions:
            return (404 if "Mcp-Session-Id" in headers else 400), {}, b"no such session"
        if method == "DELETE":
            self.sessions.discard(headers["Mcp-Session-Id"])
            return 200, {}, b""
        if asked == "tools/list":
            body = {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": TOOLS}}
            return 200, JSON, json.dumps(body).encode()
        return self.answer(message["id"]) if asked == "tools/call" else (202, {}, b"")


def result(number, text):
    """The body of an answer to the call of this number."""
    content = [{"type": "text", "text": text}]
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": {"content": content}}).encode()


@contextmanager
def old_server():
    """Such a server, stopped afterwards."""

    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("Content-Length", 0))
            message = json.loads(self.rfile.read(length)) if length else {}
            served.paths.append(self.path)
            status, headers, body = served.reply(self.command, self.headers, message)
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            if headers.get("Content-Length"):  # more was promised than came
                self.close_connection = True

        def do_GET(self):
            self.do_POST()

        def do_DELETE(self):
            self.do_POST()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    served = OldServer(server.server_port)
    yield served
    server.shutdown()
    thread.join()
    server.server_close()
