"""What is kept between steps: enough to go on after a crash, nothing of another query, no client, no secret."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.support.script import FOUND, Stage, an_api, numbered_notes, plan_of
from tests.support.standin import provider
from toolquiver.calling import CallError
from toolquiver.context import Context
from toolquiver.errors import ModelError

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
sqlite_aio = pytest.importorskip("langgraph.checkpoint.sqlite.aio")

CONFIG = {"configurable": {"thread_id": "one"}}
QUERY = {"query": "Where are Alpha and Bravo?"}
TWO = plan_of("Where is alpha?", "Where is bravo?")
DURABILITIES = ("sync", "async", "exit")
MARKER = "sk-marker-2f9c41"

pytestmark = pytest.mark.usefixtures("strict")


class StatusError(Exception):
    status_code = 503


def a_stage(**options):
    usual = {"Plan": TWO, "Arguments": numbered_notes(), "respond": lambda *_: "fine"}
    return Stage(an_api("alpha"), an_api("bravo"), **(usual | options))


def once(error):
    """A step that fails the second time it is come to, and only then."""
    times = []

    def step():
        times.append(None)
        if len(times) == 2:
            raise error

    return step


def crashing_stage(where, error):
    step = once(error)

    def respond(api, _):
        step()
        return "fine"

    def digest(_):
        step()
        return {"answer": FOUND}

    return a_stage(respond=respond) if where == "call" else a_stage(Digest=digest)


CRASHES = [("call", KeyboardInterrupt(), KeyboardInterrupt), ("answer", StatusError("down"), ModelError)]


@pytest.mark.parametrize("durability", DURABILITIES)
@pytest.mark.parametrize(("where", "error", "raised"), CRASHES)
def test_after_a_crash_it_goes_on_without_repeating_what_was_done(where, error, raised, durability, tmp_path):
    untouched = a_stage()
    whole = untouched.build().invoke(QUERY)
    stage = crashing_stage(where, error)
    with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver, pytest.raises(raised):
        stage.build(checkpointer=saver).invoke(QUERY, CONFIG, durability=durability)
    with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
        assert stage.build(checkpointer=saver).invoke(None, CONFIG, durability=durability) == whole
    expected = untouched.script.titles()
    if where == "answer":
        expected.insert([n for n, title in enumerate(expected) if title == "Digest"][1], "Digest")
    assert stage.script.titles() == expected
    assert len(stage.caller.made) == (3 if where == "call" else 2)  # the call that crashed is made again


@pytest.mark.parametrize("durability", DURABILITIES)
def test_an_async_run_goes_on_after_a_crash_too(durability, tmp_path):
    untouched = a_stage()
    whole = untouched.build().invoke(QUERY)
    stage = crashing_stage("answer", StatusError("down"))

    async def run(query):
        async with sqlite_aio.AsyncSqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            return await stage.build(checkpointer=saver).ainvoke(query, CONFIG, durability=durability)

    with pytest.raises(ModelError):
        asyncio.run(run(QUERY))
    assert asyncio.run(run(None)) == whole
    assert len(stage.caller.made) == 2
    assert len(stage.script.asked) == len(untouched.script.asked) + 1


def test_a_failed_call_is_remembered_over_a_crash():
    step = once(KeyboardInterrupt())

    def respond(api, _):
        step()
        if api.name == "alpha":
            raise CallError("not_found", "Nothing there.")
        return "fine"

    stage = Stage(an_api("alpha"), an_api("bravo"), respond=respond)
    graph = stage.build(checkpointer=InMemorySaver())
    with pytest.raises(KeyboardInterrupt):
        graph.invoke({"query": "zulu", "candidates": stage.ids}, CONFIG)
    result = graph.invoke(None, CONFIG)
    assert [call["ok"] for call in result["calls"]] == [False, True]
    assert [name for name, _ in stage.caller.made] == ["alpha", "bravo", "bravo"]


def test_two_queries_on_one_thread_do_not_mix():
    other = {"query": "charlie"}
    fresh = a_stage(Arguments={"note": "same"}, Plan=plan_for).build().invoke(other)
    graph = a_stage(Arguments={"note": "same"}, Plan=plan_for).build(checkpointer=InMemorySaver())
    first = graph.invoke(QUERY, CONFIG)
    assert len(first["subtasks"]) == 2
    assert graph.invoke(other, CONFIG) == fresh
    assert graph.invoke(QUERY, CONFIG) == first


def plan_for(question):
    return {} if "charlie" in question.text else TWO


def test_a_query_after_one_that_stopped_at_its_budget_begins_afresh():
    graph = a_stage(Arguments={"note": "same"}).build(checkpointer=InMemorySaver())
    stopped = graph.invoke(QUERY, CONFIG, context=Context(token_budget=900))
    assert "budget" in stopped["reason"]
    assert graph.invoke(QUERY, CONFIG)["status"] == "solved"


def test_the_candidates_of_one_query_do_not_bind_the_next_on_its_thread():
    stage = Stage(an_api("alpha"), an_api("bravo"))
    graph = stage.build(checkpointer=InMemorySaver())
    graph.invoke({"query": "alpha", "candidates": [stage.ids[0]]}, CONFIG)
    graph.invoke({"query": "bravo"}, CONFIG)
    assert [name for name, _ in stage.caller.made] == ["alpha", "bravo"]


def test_checkpoints_are_small_and_hold_no_client_and_no_secret(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", MARKER)
    crowd = [an_api(f"alpha{number}", description=f"{MARKER} " * 200) for number in range(40)]
    stage = Stage(*crowd, Plan=TWO, Arguments=numbered_notes())
    path = tmp_path / "state.db"
    with provider(stage.script) as served, sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        monkeypatch.setenv("OPENAI_BASE_URL", served.url)
        graph = stage.build(model="openai:stand-in", checkpointer=saver)
        result = graph.invoke(QUERY | {"candidates": stage.ids}, CONFIG)
        assert MARKER in served.keys  # it was used
        checkpoints = list(saver.list(CONFIG))
        sizes = [len(saver.serde.dumps_typed(found.checkpoint)[1]) for found in checkpoints]
    assert result["status"] == "solved"
    assert len(checkpoints) > 10
    assert max(sizes) < 20_000
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for forbidden in (MARKER, "ChatOpenAI", "RecordingCaller", "Catalog", served.url):
        assert forbidden.encode() not in written
    assert b"Where is alpha?" in written


STRICT = """
import sys
from langgraph.checkpoint.serde import _msgpack
from langgraph.checkpoint.sqlite import SqliteSaver
from tests.graphs.test_checkpoints import CONFIG, QUERY, crashing_stage

assert _msgpack.STRICT_MSGPACK_ENABLED
stage = crashing_stage("call", KeyboardInterrupt())
results = []
for query in (QUERY, None):
    with SqliteSaver.from_conn_string(sys.argv[1]) as saver:
        try:
            results.append(stage.build(checkpointer=saver).invoke(query, CONFIG))
        except KeyboardInterrupt:
            results.append("crash")
print(results[0], results[1]["status"], len(stage.caller.made))
"""


def test_it_goes_on_after_a_crash_when_only_plain_values_may_be_read(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", STRICT, str(tmp_path / "state.db")],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"LANGGRAPH_STRICT_MSGPACK": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "crash solved 3\n", done.stderr
    assert done.stderr == ""
