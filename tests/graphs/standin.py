"""A provider of models on a loopback port that answers as a script says, in the OpenAI protocol."""

import json
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from langchain_core.messages import HumanMessage


class Provider:
    """Where it is, and what it was asked: the bodies of the requests and the keys that came with them."""

    def __init__(self, url, script):
        self.url = url
        self.script = script
        self.bodies = []
        self.keys = []

    def reply(self, body):
        schema = body["response_format"]["json_schema"]
        messages = [HumanMessage(str(message["content"])) for message in body["messages"]]
        said = self.script(messages, schema["schema"] | {"title": schema["name"]})
        message = {"role": "assistant", "content": said if isinstance(said, str) else json.dumps(said)}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37},
        }


@contextmanager
def provider(script):
    """Such a provider, as long as the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def handle(self):
            with suppress(ConnectionError):  # the client has gone
                super().handle()

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
