"""A provider of models on a loopback port that answers as a script says, in the OpenAI protocol."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from langchain_core.messages import HumanMessage, convert_to_messages

from tests.support.http_server import Quiet


class Provider:
    """Where it is, and what it was asked: the bodies of the requests and the keys that came with them."""

    def __init__(self, url, script):
        self.url = url
        self.script = script
        self.bodies = []
        self.keys = []

    def reply(self, body):
        message, reason = self.turn(body) if "tools" in body else self.decision(body)
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37},
        }

    def decision(self, body):
        """The script's answer; without a schema text is asked for."""
        asked = body.get("response_format", {}).get("json_schema", {"schema": {}, "name": "Text"})
        messages = [HumanMessage(str(message["content"])) for message in body["messages"]]
        said = self.script(messages, asked["schema"] | {"title": asked["name"]})
        return {"role": "assistant", "content": said if isinstance(said, str) else json.dumps(said)}, "stop"

    def turn(self, body):
        """The script's message, which calls functions."""
        functions = [tool["function"] for tool in body["tools"]]
        said = self.script(convert_to_messages(body["messages"]), {"title": "Turn", "functions": functions})
        calls = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
            }
            for call in said.tool_calls
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"


@contextmanager
def provider(script):
    """Such a provider, as long as the block runs."""

    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.bodies.append(body)
            served.keys.append(self.headers.get("Authorization", "").removeprefix("Bearer "))
            data = json.dumps(served.reply(body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served = Provider(f"http://127.0.0.1:{server.server_port}/v1", script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
