"""LangGraph's development server, as Studio talks to it, and a model behind it that can add."""

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

from tests.support.anytool_search import agent_of, listed, turns_so_far
from tests.support.docs_pages import offline
from tests.support.programs import code, worded
from tests.support.script import FOUND, Asked, Script

ROOT = Path(__file__).parents[2]
ADD, PRIME = "mathematics/calculator_api/add", "mathematics/numbertheory/next_prime"
SUM = r"What is (\d+) plus (\d+)"
TWICE = "Check it twice."
IN_SIGHT = "Print it first."
PATIENCE = 120  # seconds until a server that does not come up, or a run that does not come, is given up


class Adding:
    """Plays every role for questions such as "What is 2 plus 3?"; says nothing of other things.

    Agents of a search look through two categories, in one of which is what adds. A question that says "Check it twice"
    is never solved; quiver's planner finds nothing for it by itself. One that says "Print it first" makes that planner
    look at the sum before it answers. `meet(number)` makes it wait, once, until so many questions have come.
    """

    def __init__(self):
        self.script = Script(
            Arguments=fill,
            Answer=digest,
            Digest=digest,
            FinalAnswer=digest,
            Filled=lambda question: {"arguments": numbers(question.text)},
            Judgement=lambda question: {
                "verdict": "unsolved" if TWICE in question.text else "solved",
                "reason": "Not yet.",
            },
            TaskPlan=lambda question: {"subtasks": [{"task": f"Add {total(question.text)}", "after": []}]},
            Text=planned,
            Wanted={"does": "add two numbers"},
            Worded=lambda question: worded(f"It is {total(question.text)}."),
        )
        self.lock = threading.Lock()
        self.met = {}
        self.barrier = None

    def meet(self, number):
        self.barrier, self.met = threading.Barrier(number), {}

    def __call__(self, messages, schema):
        text = "\n".join(str(message.text) for message in messages)
        self._wait(str(subject(text)))
        if schema["title"] in ("Outcomes", "Tasks"):
            return {"Outcomes": complete, "Tasks": select}[schema["title"]](Asked(schema["title"], text, schema))
        if schema["title"] != "Turn":
            return self.script(messages, schema)
        agent = agent_of(schema)
        calls = answering(text, messages) if agent == "solver" else searching(agent, messages)
        made = [{"name": name, "args": args, "id": f"{len(messages)}-{n}"} for n, (name, args) in enumerate(calls)]
        return AIMessage("", tool_calls=made)

    def _wait(self, key):
        with self.lock:
            first = self.barrier is not None and not self.met.setdefault(key, False)
            self.met[key] = True
        if first:
            self.barrier.wait(PATIENCE)


def answering(text, messages):
    """A solver's turn: it adds, and then answers."""
    answered = messages[-1].type == "tool"
    return [("give_answer", {"answer": f"It is {total(text)}."}) if answered else ("add", numbers(text))]


def planned(question):
    """A program of quiver's planner; what nobody has named it leaves open. Of others any text will do."""
    text = question.text
    if "short Python programs" not in text:
        return FOUND
    if TWICE in text and "Further functions were found" not in text:
        return code("give_up('Nothing adds.')")
    given = ", ".join(f"{name}={value}" for name, value in numbers(text).items())
    call = f"add({given})" if re.search(SUM, text) else "add(a=UNKNOWN, b=UNKNOWN)"
    return code(f"print({call})" if IN_SIGHT in text and "```python\nprint(" not in text else f"answer = {call}")


def searching(agent, messages):
    """An agent's turn in a search: once it gives all that adds to the pool, or work to others; then it is done."""
    if turns_so_far(messages):
        return [("finish_search", {})]
    if agent == "meta":
        others = [name for name in listed(messages) if name != "Mathematics"]
        return [("create_agent_category_level", {"category_name": name}) for name in ("Mathematics", others[0])]
    if agent == "category":
        return [("create_agent_tool_level", {"tools": [tool]}) for tool in listed(messages)[:2]]
    found = [name for name in listed(messages) if name == "add"]
    return [("add_API_into_API_pool", {"APIs": found})] if found else [("finish_search", {})]


def subject(text):
    """What tells one run's questions from another's: the sum that is asked for, or the tool that is written about."""
    tools = re.findall(r"^Tool: ([^:\n]+)|\"tool\": \"([^\"]+)\"", text, re.MULTILINE)
    return (re.findall(SUM, text) or [named or written for named, written in tools])[-1:]


def numbers(text):
    a, b = (re.findall(SUM, text) or [(2, 3)])[-1]
    return {"a": int(a), "b": int(b)}


def total(text):
    return sum(numbers(text).values())


def fill(question):
    return {name: value for name, value in numbers(question.text).items() if name in question.schema["properties"]}


def select(question):
    """The task of a reverse chain, with what adds, where it is there."""
    names = question.schema["$defs"]["Task"]["properties"]["api"]["enum"]
    return {"tasks": [{"task": "the sum", "api": "add" if "add" in names else names[0]}]}


def complete(question):
    """Where the arguments of a reverse chain come from: the question, or nobody."""
    said = fill(question) if re.search(SUM, question.text) else {}
    names = question.schema["properties"]
    return {name: {"value": said[name]} if name in said else {"nobody": True} for name in names}


def digest(question):
    return {"answer": f"It is {total(question.text)}."}


@contextmanager
def serving(folder, **environment):
    """The client of a server that runs in `folder`, beside the repository, so that it leaves nothing in there.

    It reaches this machine only. What it says is in the file `log`.
    """
    for name in ("langgraph.json", "graphs"):
        (folder / name).symlink_to(ROOT / name)
    port = free_port()
    program = shutil.which("langgraph", path=str(Path(sys.executable).parent))
    assert program, "langgraph-cli is not installed here"
    quiet = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false"}
    log = folder / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [program, "dev", "--no-browser", "--no-reload", "--port", port, "--n-jobs-per-worker", "8"],
            cwd=folder,
            env=offline() | quiet | environment,
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
