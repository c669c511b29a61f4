"""LangGraph Studio's side: the development server serves every graph, offline, and no node blocks it."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from langchain_core.messages import AIMessage

from tests.graphs.script import Script
from tests.graphs.standin import provider

pytest.importorskip("langgraph_api", reason="langgraph dev is not installed: pip install 'langgraph-cli[inmem]'")
from langgraph_sdk import get_sync_client

ROOT = Path(__file__).parents[2]
GRAPHS = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
SOLVERS = [name for name in GRAPHS if name != "judge"]  # that one is given answers
CALLERS = [name for name in SOLVERS if name != "retriever"]  # that one only looks
PATIENCE = 60  # seconds until a server that does not come up is given up
ADD = "mathematics/calculator_api/add"

pytestmark = pytest.mark.studio


@pytest.fixture(scope="module")
def sum_provider():
    sources = {name: {"from": "the request", "value": value} for name, value in (("a", 2), ("b", 3))}
    decides = Script(
        Arguments={"a": 2, "b": 3},
        Completion=sources,
        Digest={"answer": "It is 5."},
        Judgement={"verdict": "solved"},
    )

    def script(messages, schema):
        if schema["title"] != "Turn":
            return decides(messages, schema)
        last = ("give_answer", {"answer": "It is 5."})
        name, args = last if messages[-1].type == "tool" else ("add", {"a": 2, "b": 3})
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(len(messages))}])

    with provider(script) as served:
        yield served


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return tmp_path_factory.mktemp("studio") / "log"


@pytest.fixture(scope="module")
def client(log, sum_provider):
    """A client of a server that runs beside the repository, so that it leaves nothing in there."""
    for name in ("langgraph.json", "graphs"):
        (log.parent / name).symlink_to(ROOT / name)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [shutil.which("langgraph", path=str(Path(sys.executable).parent)), "dev", "--no-browser"]
    quiet = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false", "NO_PROXY": "127.0.0.1"}
    models = {"OPENAI_BASE_URL": sum_provider.url, "OPENAI_API_KEY": "sk-none"}
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, "--no-reload", "--port", port, "--n-jobs-per-worker", "8"],
            cwd=log.parent,
            env=os.environ | quiet | models,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_up(server, url, log)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NO_PROXY", "127.0.0.1")
            with get_sync_client(url=url) as found:
                yield found
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_until_up(server, url, log):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            if httpx.get(f"{url}/ok", trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"The server did not come up. It says:\n{log.read_text()[-2000:]}")


def test_every_graph_is_there_with_its_description(client):
    found = {assistant["graph_id"]: assistant for assistant in client.assistants.search()}
    assert found.keys() == GRAPHS.keys()
    assert {path.stem for path in (ROOT / "graphs").glob("[!_]*.py")} == GRAPHS.keys()
    for name, graph in GRAPHS.items():
        assert found[name]["description"] == graph["description"]


@pytest.mark.parametrize("name", GRAPHS)
def test_studio_can_draw_forms_for_the_question_and_the_settings(client, name):
    schemas = client.assistants.get_schemas(assistant_of(client, name))
    assert "query" in schemas["input_schema"]["properties"]
    given = {"answer", "status", "usage"} if name in SOLVERS else {"verdict", "verdict_reason", "usage"}
    assert given <= schemas["output_schema"]["properties"].keys()
    settings = schemas["context_schema"]["properties"]
    assert {"model", "catalog", "token_budget", "max_steps"} <= settings.keys()
    assert all(setting.get("description") for setting in settings.values())


@pytest.mark.parametrize("name", GRAPHS)
def test_studio_draws_the_decisions(client, name):
    drawn = client.assistants.get_graph(assistant_of(client, name), xray=True)
    labels = {edge.get("data") for edge in drawn["edges"] if edge.get("conditional")}
    assert labels
    assert None not in labels


@pytest.mark.parametrize("name", CALLERS)
def test_a_question_is_answered_there_and_nothing_blocks(client, name, log, sum_provider):
    thread = client.threads.create()["thread_id"]
    asked = {"query": "What is 2 plus 3?", "candidates": [ADD]}
    result = client.runs.wait(thread, name, input=asked, context={"model": "openai:stand-in"})
    assert (result["answer"], result["status"]) == ("It is 5.", "solved")
    assert [call["api"] for call in result["calls"]] == [ADD]
    assert sum_provider.bodies
    assert "Blocking" not in log.read_text()


def test_candidates_are_taken_there(client):
    thread = client.threads.create()["thread_id"]
    asked = {"query": "What is 2 plus 3?", "candidates": [ADD]}
    assert client.runs.wait(thread, "retriever", input=asked, context={"model": "openai:stand-in"})["pool"] == [ADD]


def test_an_answer_is_judged_there(client):
    thread = client.threads.create()["thread_id"]
    case = {"query": "What is 2 plus 3?", "answer": "It is 5."}
    assert client.runs.wait(thread, "judge", input=case, context={"model": "openai:stand-in"})["verdict"] == "solved"


def test_what_is_missing_is_asked_there_with_a_schema_to_draw_a_form_by(client):
    thread = client.threads.create()["thread_id"]
    asked = {"query": "What is the sum of something?", "candidates": [ADD]}
    client.runs.wait(thread, "reverse_chain", input=asked, context={"model": "openai:stand-in"})
    (waiting,) = [found for task in client.threads.get_state(thread)["tasks"] for found in task["interrupts"]]
    assert waiting["value"]["response_schema"]["properties"]["a"]["type"] == "number"
    answer = {"resume": {"a": 2, "b": 3}}
    result = client.runs.wait(thread, "reverse_chain", command=answer, context={"model": "openai:stand-in"})
    assert [call["arguments"] for call in result["calls"]] == [{"a": 2, "b": 3}]


def ended_with(client, name, query):
    thread = client.threads.create()["thread_id"]
    return client.runs.wait(thread, name, input={"query": query}, raise_error=False)["__error__"]


@pytest.mark.parametrize("name", GRAPHS)
def test_an_empty_question_is_refused_there(client, name, log):
    assert ended_with(client, name, " ")["error"] == "InputError"
    assert "The question is empty" in log.read_text()


@pytest.mark.parametrize("name", GRAPHS)
def test_an_empty_question_is_refused_there_with_a_reason(client, name):
    assert "empty" in ended_with(client, name, " ")["message"]


def assistant_of(client, name):
    (assistant,) = client.assistants.search(graph_id=name)
    return assistant["assistant_id"]
