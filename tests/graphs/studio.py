"""LangGraph's development server, as Studio talks to it, and a model behind it that can add."""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from langchain_core.messages import AIMessage
from langgraph_sdk import get_sync_client

from tests.graphs.script import Script

ROOT = Path(__file__).parents[2]
ADD = "mathematics/calculator_api/add"
PATIENCE = 120  # seconds until a server that does not come up, or a run that does not come, is given up


class Adding:
    """Plays every role for questions such as "What is 2 plus 3?"; says nothing of other things.

    `meet(number)` makes it wait, once, until so many questions have come.
    """

    def __init__(self):
        self.script = Script(
            Arguments=fill,
            Completion=complete,
            Digest=digest,
            FinalAnswer=digest,
            Judgement={"verdict": "solved"},
        )
        self.lock = threading.Lock()
        self.met = {}
        self.barrier = None

    def meet(self, number):
        self.barrier, self.met = threading.Barrier(number), {}

    def __call__(self, messages, schema):
        text = "\n".join(str(message.text) for message in messages)
        self._wait(numbers(text))
        if schema["title"] != "Turn":
            return self.script(messages, schema)
        functions = {function["name"]: function["parameters"] for function in schema["functions"]}
        name, args = self._turn(text, functions, answered=messages[-1].type == "tool")
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(len(messages))}])

    def _turn(self, text, functions, *, answered):
        if "give_answer" not in functions:  # an agent of the search
            return "finish_search", {}
        return ("give_answer", {"answer": f"It is {total(text)}."}) if answered else ("add", numbers(text))

    def _wait(self, asked):
        with self.lock:
            key = tuple(asked.values())
            first = self.barrier is not None and not self.met.setdefault(key, False)
            self.met[key] = True
        if first:
            self.barrier.wait(PATIENCE)


def numbers(text):
    a, b = (re.findall(r"What is (\d+) plus (\d+)", text) or [(2, 3)])[-1]
    return {"a": int(a), "b": int(b)}


def total(text):
    return sum(numbers(text).values())


def fill(question):
    return {name: value for name, value in numbers(question.text).items() if name in question.schema["properties"]}


def complete(question):
    known = fill(question)
    return {name: {"from": "the request", "value": value} for name, value in known.items()}


def digest(question):
    return {"answer": f"It is {total(question.text)}."}


@contextmanager
def serving(folder, **environment):
    """The client of a server that runs in `folder`, beside the repository, so that it leaves nothing in there.

    What it says is in the file `log`.
    """
    for name in ("langgraph.json", "graphs"):
        (folder / name).symlink_to(ROOT / name)
    port = free_port()
    program = shutil.which("langgraph", path=str(Path(sys.executable).parent))
    assert program, "langgraph-cli is not installed here"
    quiet = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false", "NO_PROXY": "127.0.0.1"}
    log = folder / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [program, "dev", "--no-browser", "--no-reload", "--port", port, "--n-jobs-per-worker", "8"],
            cwd=folder,
            env=os.environ | quiet | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_up(server, url, log)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NO_PROXY", "127.0.0.1")
            with get_sync_client(url=url) as client:
                yield client
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def wait_until_up(server, url, log):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            if httpx.get(f"{url}/ok", trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"The server did not come up. It says:\n{log.read_text()[-2000:]}")
