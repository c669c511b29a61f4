"""A marker as the secret of an API, of every kind: it reaches the server, and nothing else that a run leaves behind."""

import base64
import json
import logging
from typing import NamedTuple

import pytest
from langchain_core.tracers.base import BaseTracer
from langgraph.checkpoint.memory import InMemorySaver

from tests.support.http_server import JSON, Answer, serving
from tests.support.mcp_calls import api as mcp_api
from tests.support.mcp_old_server import old_server
from tests.support.script import SOURCE, Stage, options
from toolquiver.calling.http import HttpCaller
from toolquiver.calling.mcp import McpCaller, McpSource
from toolquiver.catalog.operation import Credential
from toolquiver.context import Context

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

MARKER = "sk-marker-2f9c41"
TOKEN = "token-2f9c41"
CONFIG = {"configurable": {"thread_id": "one"}}
MODES = ["values", "updates", "tasks", "checkpoints", "debug", "messages", "custom"]


class Tracer(BaseTracer):
    """Keeps what every run of a part was given, gave and failed with, as tracing services get it."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def _persist_run(self, run):
        self.seen.append(run.model_dump_json(fallback=repr))


def an_api(server, name, **how):
    record = server.api(f"/{name}", placements=[("note", "query")], properties={"note": {"type": "string"}}, **how)
    return record.model_copy(update={"id": f"tests/http/{name}", "name": name, "source": SOURCE})


def echo(got):
    """Repeat everything, the key too: one way as an error, one as an answer. A token is granted."""
    text = f"{got.path} {got.headers}".replace('"', "'")
    if got.path == "/token":
        return Answer(headers=JSON, body=f'{{"access_token": "{TOKEN}", "echo": "{text}"}}'.encode())
    if "fail" in got.path:
        return Answer(403, JSON, f'{{"message": "not with {text}"}}'.encode())
    return Answer(headers=JSON, body=f'{{"echo": "{text}"}}'.encode())


class Left(NamedTuple):
    """What a run leaves behind: how its calls ended, and all texts by the place where they are found."""

    failures: list
    places: dict


@pytest.fixture
def left(caplog, tmp_path):
    """Call the APIs one after the other, and collect what the run leaves."""

    def left(apis, caller):
        tracer, stage = Tracer(), Stage(*apis, Choice=lambda question: {"tool": options(question)[0]})
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver, caplog.at_level(logging.DEBUG):
            graph = stage.build(checkpointer=saver, callers={SOURCE: caller})
            streamed = list(
                graph.stream(
                    {"query": "alpha", "candidates": stage.ids},
                    CONFIG | {"callbacks": [tracer]},
                    context=Context(call_retries=0),
                    stream_mode=MODES,
                )
            )
            state = graph.get_state(CONFIG)
        calls = state.values["calls"]
        places = {
            "state": str(state),
            "checkpoints": b"".join(file.read_bytes() for file in tmp_path.iterdir()).decode("latin-1"),
            "stream": str(streamed),
            "traces": "".join(tracer.seen),
            "logs": caplog.text,
            "error texts": "".join(call["message"] for call in calls),
            "prompts": "".join(question.text for question in stage.script.asked),
        }
        return Left([call["failure"] for call in calls], places)

    return left


def are_free_of(places, *secrets):
    """Whether no secret stands anywhere, though the server has repeated them all."""
    for place, text in places.items():
        assert len(text) > 100, place
        for secret in ("2f9c41", *secrets):
            assert secret not in text, place
    assert "[secret]" in places["state"]
    assert "[secret]" in places["prompts"]
    assert "[secret]" in places["error texts"]


def pair(name):
    """A name and the secret, as both are sent."""
    return base64.b64encode(f"{name}:{MARKER}".encode()).decode()


ONE, TWO = "A_KEY", ("A_USER", "A_KEY")


@pytest.mark.parametrize(
    ("how", "variables", "sent"),
    [
        ({"kind": "api_key", "name": "token", "location": "header"}, ONE, [MARKER] * 2),
        ({"kind": "api_key", "name": "token", "location": "query"}, ONE, [MARKER] * 2),
        ({"kind": "api_key", "name": "token", "location": "cookie"}, ONE, [MARKER] * 2),
        ({"kind": "basic"}, TWO, [pair("somebody")] * 2),
        ({"kind": "bearer"}, ONE, [MARKER] * 2),
        ({"kind": "oauth2", "token_url": "/token"}, TWO, [pair("somebody"), TOKEN, TOKEN]),
    ],
    ids=["header", "query", "cookie", "basic", "bearer", "oauth2"],
)
def test_a_secret_is_seen_by_its_server_alone(left, monkeypatch, how, variables, sent):
    monkeypatch.setenv("A_KEY", MARKER)
    monkeypatch.setenv("A_USER", "somebody")
    with serving() as server:
        server.answer = echo
        where = {"token_url": server.url + how["token_url"]} if "token_url" in how else {}
        key = Credential(key="key", **how | where)
        apis = [an_api(server, name, credentials=((key,),)) for name in ("fail", "work")]
        found = left(apis, HttpCaller(server.settings(credentials={"key": variables})))
        assert found.failures == ["forbidden", None]
        got = [f"{one.path} {one.headers}" for one in server.got]
    assert len(got) == len(sent)
    assert all(secret in text for secret, text in zip(sent, got, strict=True))
    are_free_of(found.places, *sent)


def test_a_secret_that_a_token_s_server_repeats_is_not_told(left, monkeypatch):
    monkeypatch.setenv("A_KEY", MARKER)
    monkeypatch.setenv("A_USER", "somebody")
    with serving() as server:
        server.answer = lambda got: Answer(401, JSON, f'{{"error": "{got.headers} {MARKER}"}}'.encode())
        key = Credential(key="key", kind="oauth2", token_url=f"{server.url}/token")
        api = an_api(server, "work", credentials=((key,),))
        found = left([api], HttpCaller(server.settings(credentials={"key": TWO})))
    assert found.failures == ["unauthorized"]
    assert all("2f9c41" not in text and pair("somebody") not in text for text in found.places.values())


@pytest.mark.parametrize("how", [{"headers": {"X-Key": "A_KEY"}}, {"bearer": "A_KEY"}], ids=["header", "bearer"])
def test_the_secret_of_an_mcp_server_is_seen_by_it_alone(left, monkeypatch, how):
    pytest.importorskip("mcp")
    monkeypatch.setenv("A_KEY", MARKER)

    def answer(number):
        _, headers, message = server.got[-1]
        content = [{"type": "text", "text": f"with {dict(headers)}"}]
        said = {"content": content, "isError": message["params"]["name"] == "fail"}
        return 200, JSON, json.dumps({"jsonrpc": "2.0", "id": number, "result": said}).encode()

    with old_server() as server:
        server.answer = answer
        source = McpSource(url=server.url, private_hosts=("127.0.0.1",), requests_per_second=1000, **how)
        found = left(
            [mcp_api(name).model_copy(update={"source": SOURCE}) for name in ("fail", "work")], McpCaller(source)
        )
        assert found.failures == ["tool_error", None]
        assert all(MARKER in str(dict(headers)) for _, headers, _ in server.got)
    are_free_of(found.places)


def test_a_secret_that_is_missing_is_named_and_the_run_goes_on(monkeypatch):
    monkeypatch.delenv("A_KEY", raising=False)
    key = Credential(key="key", kind="bearer")
    with serving() as server:
        stage = Stage(an_api(server, "work", credentials=((key,),)))
        callers = {SOURCE: HttpCaller(server.settings(credentials={"key": "A_KEY"}))}
        result = stage.build(checkpointer=InMemorySaver(), callers=callers).invoke(
            {"query": "alpha", "candidates": stage.ids}, CONFIG
        )
    (call,) = result["calls"]
    assert (call["failure"], call["message"]) == ("unauthorized", "Set A_KEY in the environment: the credential 'key'.")
    assert result["status"] == "failed"
