"""A marker as the secret of an HTTP API: it reaches the server, and nothing else that a run leaves behind."""

import logging

import pytest
from langchain_core.tracers.base import BaseTracer
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.script import SOURCE, Stage, options
from tests.unit.http_server import JSON, Answer, serving
from toolquiver.calling.http import HttpCaller
from toolquiver.catalog.operation import Credential
from toolquiver.context import Context

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

MARKER = "sk-marker-2f9c41"
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
    """Repeat everything, the key too: one way as an error, one as an answer."""
    text = f"{got.path} {got.headers}".replace('"', "'")
    if "fail" in got.path:
        return Answer(403, JSON, f'{{"message": "not with {text}"}}'.encode())
    return Answer(headers=JSON, body=f'{{"echo": "{text}"}}'.encode())


@pytest.mark.parametrize("location", ["header", "query", "cookie"])
def test_a_secret_is_seen_by_its_server_alone(location, monkeypatch, caplog, tmp_path):
    monkeypatch.setenv("A_KEY", MARKER)
    key = Credential(key="key", kind="api_key", name="token", location=location)
    tracer = Tracer()
    path = tmp_path / "state.db"
    with serving() as server, sqlite.SqliteSaver.from_conn_string(str(path)) as saver, caplog.at_level(logging.DEBUG):
        server.answer = echo
        apis = [an_api(server, name, credentials=((key,),)) for name in ("fail", "work")]
        stage = Stage(*apis, Choice=lambda question: {"tool": options(question)[0]})
        graph = stage.build(
            checkpointer=saver, callers={SOURCE: HttpCaller(server.settings(credentials={"key": "A_KEY"}))}
        )
        streamed = list(
            graph.stream(
                {"query": "alpha", "candidates": stage.ids},
                CONFIG | {"callbacks": [tracer]},
                context=Context(call_retries=0),
                stream_mode=MODES,
            )
        )
        state = graph.get_state(CONFIG)
        sent = str(server.got)
    assert sent.count(MARKER) >= 2
    assert [call["failure"] for call in state.values["calls"]] == ["forbidden", None]
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir()).decode("latin-1")
    places = {
        "state": str(state),
        "checkpoints": written,
        "stream": str(streamed),
        "traces": "".join(tracer.seen),
        "logs": caplog.text,
        "error texts": "".join(call["message"] for call in state.values["calls"]),
        "prompts": "".join(question.text for question in stage.script.asked),
    }
    for place, text in places.items():
        assert len(text) > 100, place
        assert "2f9c41" not in text, place
    assert "[secret]" in places["state"]
    assert "[secret]" in places["prompts"]


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
