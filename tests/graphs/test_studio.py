"""LangGraph Studio's side: the development server serves every graph of langgraph.json, offline, and nothing blocks it.

A graph that is new in that file is tested by being there. `EDITS` says what is edited of its state midway; one that
calls nothing is named in `CALLS_NOTHING`.
"""

import json
import runpy
import time

import pytest
from httpx import HTTPStatusError
from pydantic import TypeAdapter

from tests.support.standin import provider

pytest.importorskip("langgraph_api", reason="langgraph dev is not installed: pip install 'langgraph-cli[inmem]'")
from tests.support.docs_pages import files
from tests.support.studio import ADD, IN_SIGHT, PATIENCE, PRIME, ROOT, TWICE, Adding, serving
from toolquiver.graphs import graph_module, graph_names

GRAPHS = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
WRITER = "easytool"  # is given a tool, not a question
SEARCHERS = ["quiver", "anytool", "retriever"]  # where no candidates are given, agents search
ASKED = [name for name in GRAPHS if name != WRITER]
CALLS_NOTHING = {"judge": "judge", "retriever": "tool_agent"}  # and a node before which it can be stopped
CALLERS = [name for name in GRAPHS if name not in CALLS_NOTHING]
TALKERS = [name for name in GRAPHS if {"messages", "requests"} <= graph_module(name).graph.channels.keys()]
SPEAKERS = (["act"], ["explore"], ["plan"])  # what is next where a talker is asked
SUM = 5  # of what is asked for where nothing else is said
STAND_IN = {"model": "openai:stand-in"}
LARGEST_STATE, OF_AN_AGENT = 20_000, 4_000  # characters of state as JSON for a question so small; for each agent, more
LONGEST_TEXT = 2_000  # in a state

pytestmark = pytest.mark.studio


@pytest.fixture(scope="module")
def model():
    return Adding()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("studio")


@pytest.fixture(scope="module")
def client(folder, model):
    with (
        provider(model) as served,
        serving(folder, OPENAI_BASE_URL=served.url, OPENAI_API_KEY="sk-none") as found,
    ):
        yield found


@pytest.fixture(autouse=True)
def _nothing_blocks(client, folder):
    yield
    assert "Blocking" not in (folder / "log").read_text()


def given(name, a=2, b=3):
    """What a graph is asked: for a sum, or for the instruction of what adds; where another sum is meant, of another."""
    if name == WRITER:
        tool, api = ("Calculator API", ADD) if a + b == SUM else ("NumberTheory", PRIME)
        return {"category": "Mathematics", "tool": tool, "apis": [api]}
    query = f"What is {a} plus {b}?"
    return {"query": query, "answer": f"It is {a + b}."} if name == "judge" else {"query": query, "candidates": [ADD]}


def to_be_asked(name, a, b):
    """The same in such a way that every graph asks the model: a search that is given candidates asks nobody."""
    asked = given(name, a, b)
    return {"query": asked["query"]} if name == "retriever" else asked


def assistant_of(client, name):
    (assistant,) = client.assistants.search(graph_id=name)
    return assistant["assistant_id"]


def new_thread(client):
    return client.threads.create()["thread_id"]


def run(client, thread, name, asked=None, context=STAND_IN, **more):
    return client.runs.wait(thread, name, input=asked, context=context, **more)


def waiting_in(client, thread):
    """The questions that the thread waits with."""
    return [found for task in client.threads.get_state(thread)["tasks"] for found in task["interrupts"]]


def right(result, total=SUM):
    """Whether this is what a graph gives that answers, that only searches, that judges, or that writes."""
    if "functions" in result:
        return [function["api"] for function in result["functions"]] == [ADD if total == SUM else PRIME]
    if "answer" in result:
        return result["answer"] in {f"It is {total}.", "1 APIs: add."}
    return result["verdict"] == "solved"


def test_the_server_reaches_this_machine_only(client, folder):
    with pytest.raises(HTTPStatusError):
        client.runs.create(new_thread(client), "judge", input=given("judge"), webhook="https://192.0.2.1/told")
    end = time.monotonic() + PATIENCE
    while "wanted to reach '192.0.2.1'; it may not leave this machine" not in (folder / "log").read_text():
        assert time.monotonic() < end
        time.sleep(0.05)


def called_with(result):
    """The arguments of the calls that a graph has made, or of the examples that it has written."""
    if "functions" in result:
        return [function["draft"]["arguments"] for function in result["functions"]]
    return [call["arguments"] for call in result["calls"]]


def filled(_):
    return {"arguments": SWAPPED}


def requested(state):
    return {"requests": [state["requests"][0] | {"arguments": SWAPPED}]}


SWAPPED = {"a": 3, "b": 2}
EDITS = {  # the node before which a graph's state is edited, and how: where it calls, by other arguments
    "quiver": ("call", requested),
    "smurfs": ("call", filled),
    "react": ("call", requested),
    "dfsdt": ("call", requested),
    "retriever": ("settle", lambda _: {"pool": [PRIME, ADD]}),
    "anytool": ("hand_over", lambda _: {"query": "What is 3 plus 2?", "found": [PRIME, ADD]}),
    "judge": ("judge", lambda _: {"answer": TWICE}),
    "easytool_pipeline": ("execute", filled),
    WRITER: ("check_guideline", lambda state: {"draft": state["draft"] | {"arguments": SWAPPED}}),
    "reverse_chain": ("call", lambda state: {"frames": [state["frames"][0] | {"arguments": SWAPPED}]}),
}


def test_every_graph_is_there_with_its_description(client):
    found = {assistant["graph_id"]: assistant for assistant in client.assistants.search()}
    assert found.keys() == GRAPHS.keys() == set(graph_names())
    for name, graph in GRAPHS.items():
        assert found[name]["description"] == graph["description"]


@pytest.mark.parametrize("name", GRAPHS)
def test_studio_can_draw_forms_for_the_question_and_the_settings(client, name):
    schemas = client.assistants.get_schemas(assistant_of(client, name))
    assert ("tool" if name == WRITER else "query") in schemas["input_schema"]["properties"]
    told = {"judge": {"verdict", "verdict_reason"}, WRITER: {"instruction"}}.get(name, {"answer", "status"})
    assert told | {"usage"} <= schemas["output_schema"]["properties"].keys()
    settings = TypeAdapter(graph_module(name).graph.context_schema).json_schema()["properties"]
    assert schemas["context_schema"]["properties"] == settings
    assert {"model", "catalog", "token_budget"} <= settings.keys()


@pytest.mark.parametrize("name", GRAPHS)
def test_studio_draws_the_graph_and_its_decisions(client, name):
    drawn = client.assistants.get_graph(assistant_of(client, name), xray=True)
    ours = graph_module(name).graph.get_graph(xray=True)
    assert {node["id"] for node in drawn["nodes"]} == set(ours.nodes)
    labels = {edge.get("data") for edge in drawn["edges"] if edge.get("conditional")}
    assert labels
    assert None not in labels


@pytest.mark.parametrize("name", GRAPHS)
def test_a_run_is_watched_node_by_node_and_its_history_is_read(client, name):
    thread = new_thread(client)
    modes = {"stream_mode": ["updates", "values"], "stream_subgraphs": True}
    events = list(client.runs.stream(thread, name, input=given(name), context=STAND_IN, **modes))
    assert right([event.data for event in events if event.event == "values"][-1])
    seen = {node for event in events if event.event == "updates" for node in event.data}
    history = client.threads.get_history(thread, limit=100)
    assert (history[0]["next"], history[-1]["next"]) == ([], ["__start__"])
    assert {node for state in history[:-1] for node in state["next"]} <= seen
    every_state_can_be_read(history)


@pytest.mark.parametrize("name", SEARCHERS)
def test_agents_search_there_side_by_side_and_are_woken_by_a_reflection(client, name):
    thread = new_thread(client)
    settings = STAND_IN | {"max_reflections": 1}
    settings |= {"top_k": 3} if name == "quiver" else {"agent_turns": 1, "tools_per_agent": 1}
    asked = {"query": f"What is 2 plus 3? {TWICE}"}
    modes = {"stream_mode": "updates", "stream_subgraphs": True}
    events = list(client.runs.stream(thread, name, input=asked, context=settings, **modes))
    seen = [node for event in events if event.event.startswith("updates") for node in event.data]
    several = ["tool_agent"] if name == "quiver" else ["category_agent", "tool_agent"]
    assert min(seen.count(node) for node in several) >= 2
    history = client.threads.get_history(thread, limit=100)
    if name == "retriever":
        assert history[0]["values"]["pool"] == [ADD]
    else:
        woken = {"wake_meta_agent", "reflect"}
        woken |= {"plan", "hand_over"} if name == "quiver" else {"judge", "wake_tool_agents", "wake_category_agents"}
        assert woken <= set(seen)
        assert [call["api"] for call in history[0]["values"]["calls"]][:1] == [ADD]
    every_state_can_be_read(history)


def every_state_can_be_read(history):
    """A run's states are small, and hold nothing of the provider's record."""
    for state in history:
        text = json.dumps(state["values"])
        assert len(text) < LARGEST_STATE + OF_AN_AGENT * len(state["values"].get("agents") or ())
        assert not long_texts(state["values"])
        assert "token_usage" not in text


def long_texts(value):
    """The texts in a state that are longer than anybody reads."""
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return [found for part in parts for found in long_texts(part)]
    return [value] if isinstance(value, str) and len(value) > LONGEST_TEXT else []


@pytest.mark.parametrize("name", GRAPHS)
def test_an_earlier_state_is_edited_and_gone_on_from(client, name):
    thread = new_thread(client)
    run(client, thread, name, given(name))
    before = client.threads.get_history(thread, limit=100)
    start = client.threads.update_state(
        thread, given(name, 4, 5), checkpoint=before[-1]["checkpoint"], as_node="__start__"
    )
    assert right(run(client, thread, name, checkpoint=start["checkpoint"]), 9)
    after = client.threads.get_history(thread, limit=100)
    edited = given(name, 4, 5)
    assert {key: after[0]["values"][key] for key in edited.keys() & after[0]["values"].keys()}.items() <= edited.items()
    assert {state["checkpoint_id"] for state in before} < {state["checkpoint_id"] for state in after}
    if name in CALLERS and name != WRITER:
        assert called_with(after[0]["values"]) == [{"a": 4, "b": 5}]


@pytest.mark.parametrize("name", GRAPHS)
def test_what_a_node_works_on_is_edited_before_it(client, name):
    thread, (node, edit) = new_thread(client), EDITS[name]
    run(client, thread, name, given(name))
    history = client.threads.get_history(thread, limit=100)
    (before,) = (state for state in history if state["next"] == [node])
    edited = edit(before["values"])
    fork = client.threads.update_state(thread, edited, checkpoint=before["checkpoint"])
    result = run(client, thread, name, checkpoint=fork["checkpoint"])
    if name in CALLERS:
        assert called_with(result) == [SWAPPED]
    if pool := edited.get("found", edited.get("pool")):
        assert result["pool"] == pool
    assert name != "judge" or result["verdict"] == "unsolved"


def test_a_program_is_edited_before_it_runs_and_none_of_the_old_one_is_called(client):
    thread = new_thread(client)
    run(client, thread, "quiver", given("quiver"), interrupt_before=["run"])
    state = client.threads.get_state(thread)
    assert (state["next"], state["values"]["programs"]) == (["run"], ["answer = add(a=2, b=3)"])
    client.threads.update_state(thread, {"programs": ["answer = add(a=3, b=2)"]})
    result = run(client, thread, "quiver")
    assert called_with(result) == [SWAPPED]
    assert result["programs"] == ["answer = add(a=3, b=2)"]
    assert right(result)


def test_a_call_of_a_graph_inside_is_edited_while_it_waits(client):
    thread, asking = new_thread(client), STAND_IN | {"approval": "always"}
    run(client, thread, "anytool", given("anytool"), asking)
    (task,) = client.threads.get_state(thread, subgraphs=True)["tasks"]
    inside = task["state"]
    client.threads.update_state(thread, requested(inside["values"]), checkpoint=inside["checkpoint"])
    run(client, thread, "anytool", context=asking)
    (waiting,) = waiting_in(client, thread)
    assert waiting["value"]["arguments"] == SWAPPED
    result = run(client, thread, "anytool", context=asking, command={"resume": "approve"})
    assert called_with(result) == [SWAPPED]
    assert right(result)


@pytest.mark.parametrize("name", TALKERS)
def test_a_conversation_is_edited_as_json(client, name):
    thread = new_thread(client)
    asked = given(name)
    run(client, thread, name, asked | {"query": f"{asked['query']} {IN_SIGHT}"})
    history = client.threads.get_history(thread, limit=100)
    (state,) = (state for state in history if state["next"] in SPEAKERS and state["values"]["messages"])
    told = {"messages": [{"type": "human", "content": "Say it in a sentence."}]}
    edited = client.threads.update_state(thread, told, checkpoint=state["checkpoint"])
    result = run(client, thread, name, checkpoint=edited["checkpoint"])
    assert right(result)
    kept = client.threads.get_state(thread)["values"]["messages"]
    assert "Say it in a sentence." in [message["content"] for message in kept]


def test_a_conversation_is_handed_over_as_json(client):
    earlier = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Ask me for a sum."}]
    result = run(client, new_thread(client), "react", given("react") | {"earlier": earlier})
    assert [message["type"] for message in result["messages"][:2]] == ["human", "ai"]
    assert right(result)


@pytest.mark.parametrize("name", GRAPHS)
def test_two_runs_go_at_once(client, name, model):
    model.meet(2)
    sums = [(2, 3), (40, 50)]
    threads = [new_thread(client) for _ in sums]
    runs = [
        client.runs.create(thread, name, input=to_be_asked(name, *pair), context=STAND_IN)["run_id"]
        for thread, pair in zip(threads, sums, strict=True)
    ]
    for thread, started, pair in zip(threads, runs, sums, strict=True):
        assert right(client.runs.join(thread, started), sum(pair))
    assert not model.barrier.broken
    model.barrier = None


@pytest.mark.parametrize("name", CALLERS)
@pytest.mark.parametrize(("answer", "made"), [("approve", True), ("refuse", False)])
def test_a_call_waits_for_its_approval_with_a_schema_to_draw_a_form_by(client, name, answer, made):
    thread = new_thread(client)
    asking = STAND_IN | {"approval": "always", "max_reflections": 0, "try_examples": "all"}
    run(client, thread, name, given(name), asking)
    (waiting,) = waiting_in(client, thread)
    assert waiting["value"]["response_schema"]["enum"] == ["approve", "refuse"]
    assert waiting["value"]["arguments"] == ({"a": 1, "b": 1} if name == WRITER else {"a": 2, "b": 3})
    result = run(client, thread, name, context=asking, command={"resume": answer})
    while "__interrupt__" in result:  # a graph that was refused may ask for another call
        result = run(client, thread, name, context=asking, command={"resume": answer})
    proven = [function["proof"] == "called" for function in result.get("functions", ())]
    assert (proven or [call["ok"] for call in result["calls"]])[0] == made


@pytest.mark.parametrize(("name", "node"), CALLS_NOTHING.items())
def test_a_graph_that_calls_nothing_is_stopped_before_a_node_and_goes_on(client, name, node):
    thread = new_thread(client)
    run(client, thread, name, to_be_asked(name, 2, 3), interrupt_before=[node])
    state = client.threads.get_state(thread)
    assert node in state["next"]
    assert not state["values"].get("usage", {}).get(node)
    result = run(client, thread, name)
    assert right(result)
    assert result["usage"][node]["calls"] >= 1


@pytest.mark.parametrize("name", ["quiver", "reverse_chain"])
def test_what_is_missing_is_asked_there_with_a_schema_to_draw_a_form_by(client, name):
    thread, asked = new_thread(client), {"query": "What is the sum of something?", "candidates": [ADD]}
    run(client, thread, name, asked)
    (waiting,) = waiting_in(client, thread)
    schema = waiting["value"]["response_schema"]
    form = schema["anyOf"][0]  # one value alone and a refusal are replies, too
    assert form["properties"]["a"]["type"] == "number"
    result = run(client, thread, name, command={"resume": {"a": 2, "b": 3}})
    assert [call["arguments"] for call in result["calls"]] == [{"a": 2, "b": 3}]


def test_the_program_in_the_documentation_runs(client, folder, monkeypatch, capsys):
    page = (ROOT / "docs/studio.md").read_text("utf-8")
    url = str(client.http.client.base_url).rstrip("/")
    (folder / "watch.py").write_text(files(page)["watch.py"].replace("http://127.0.0.1:2024", url))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    with runpy.run_path(str(folder / "watch.py"))["client"]:  # which the program leaves open
        pass
    printed = capsys.readouterr().out.splitlines()
    assert {"updates plan", "updates fill", "updates __interrupt__"} <= set(printed)
    assert printed[-3:] == ["{'a': 2, 'b': 3} ['approve', 'refuse']", "It is 5.", "{'a': 20, 'b': 30}"]


@pytest.mark.parametrize("name", ASKED)
def test_an_empty_question_is_refused_there_with_a_reason(client, name):
    ended = client.runs.wait(new_thread(client), name, input={"query": " "}, raise_error=False)["__error__"]
    assert ended["error"] == "InputError"
    assert "The question is empty" in ended["message"]


def test_a_document_of_no_tool_is_refused_there_with_a_reason(client):
    ended = client.runs.wait(new_thread(client), WRITER, input={"tool": ""}, raise_error=False)["__error__"]
    assert ended["error"] == "InputError"
    assert "No tool is named" in ended["message"]
