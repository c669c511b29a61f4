"""One graph, run in every way LangGraph has, with and without checkpoints."""

import asyncio
import os
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel
from typing_extensions import TypedDict

from tests.support.programs import code, worded
from tests.support.savers import async_saver, saving
from tests.support.script import FOUND, SOURCE, Stage, an_api, numbered_notes, plan_of
from tests.support.standin import provider
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.contexts import SmurfsContext
from toolquiver.errors import InputError, UnknownModel
from toolquiver.graphs import (
    anytool,
    dfsdt,
    easytool,
    easytool_pipeline,
    judge,
    quiver,
    react,
    retriever,
    reverse_chain,
    smurfs,
)
from toolquiver.models import scripted
from toolquiver.nodes.bridge import _background_loop, _made_loop, route

CONFIG = {"configurable": {"thread_id": "one"}}
BIG = 2**70
QUERY = {"query": "Where are Alpha and Bravo?"}
DURABILITIES = ("sync", "async", "exit")


class Asking(BaseModel):
    """What a graph that is a tool is given."""

    query: str


def a_stage(**answers):
    two = plan_of("Where is alpha?", "Where is bravo?")
    return Stage(an_api("alpha"), an_api("bravo"), **({"Plan": two, "Arguments": numbered_notes()} | answers))


def as_asked(stage, result):
    """Whether the result of `QUERY` is what it must be, however the graph was run."""
    assert (result["answer"], result["status"]) == (FOUND, "solved")
    assert [call["ok"] for call in result["calls"]] == [True, True]
    assert len(stage.caller.made) == 2
    assert sum(role["calls"] for role in result["usage"].values()) == len(stage.script.asked)


SETTINGS = [("none", None)] + [(kind, how) for kind in ("memory", "sqlite") for how in DURABILITIES]


def options(durability):
    return {"config": CONFIG} | ({"durability": durability} if durability else {})


@pytest.mark.parametrize(("kind", "durability"), SETTINGS)
def test_invoke_and_stream(kind, durability, tmp_path, strict):
    for way in ("invoke", "stream"):
        stage = a_stage()
        with saving(kind, tmp_path / f"{way}.db") as found:
            graph = stage.build(checkpointer=found)
            if way == "invoke":
                result = graph.invoke(QUERY, **options(durability))
            else:
                result = list(graph.stream(QUERY, stream_mode="values", **options(durability)))[-1]
        as_asked(stage, result)


@pytest.mark.parametrize(("kind", "durability"), SETTINGS)
def test_ainvoke_and_astream(kind, durability, tmp_path, strict):
    async def run(way, stage):
        async with async_saver(kind, tmp_path / f"{way}.db") as found:
            graph = stage.build(checkpointer=found)
            if way == "ainvoke":
                return await graph.ainvoke(QUERY, **options(durability))
            return [part async for part in graph.astream(QUERY, stream_mode="values", **options(durability))][-1]

    for way in ("ainvoke", "astream"):
        stage = a_stage()
        as_asked(stage, asyncio.run(run(way, stage)))


@pytest.mark.parametrize("kind", ["none", "memory", "sqlite"])
@pytest.mark.parametrize("module", [smurfs, quiver, react, dfsdt], ids=lambda module: module.__name__)
def test_an_integer_beyond_64_bits_gets_to_the_call_and_into_the_record(module, kind, tmp_path, strict):
    def reply(messages, schema):
        if module is quiver:
            return worded(FOUND) if schema else code(f"answer = alpha({BIG})")
        if schema.get("title") != "Turn":
            return stage.script(messages, schema)
        made = any(isinstance(message, AIMessage) for message in messages)
        name, given = ("give_answer", {"answer": FOUND}) if made else ("alpha", {"n": BIG})
        return AIMessage("", tool_calls=[{"name": name, "args": given, "id": str(made)}])

    stage = Stage(an_api("alpha", inputs={"n": "integer"}), Arguments={"n": BIG})
    bound = {"model": scripted(reply), "catalog": stage.catalog, "callers": {SOURCE: stage.caller}}
    with saving(kind, tmp_path / "state.db") as found:
        graph = module.build(**bound, checkpointer=found)
        result = graph.invoke({"query": f"What is alpha {BIG}?"}, CONFIG, context=Context(approval="never"))
    assert (result["status"], stage.caller.made) == ("solved", [("alpha", {"n": BIG})])
    assert [call["arguments"] for call in result["calls"]] == [{"n": str(BIG)}]


@pytest.mark.parametrize("module", [smurfs, quiver, anytool, react, reverse_chain], ids=lambda module: module.__name__)
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"query": ["alpha"]}, r"The question is \['alpha'\]. Give it as a text"),
        ({"query": HumanMessage("alpha")}, "Give it as a text"),
        ({"query": 5}, "Give it as a text"),
        ({"candidates": "tests/tests/alpha"}, "The candidates are 'tests/tests/alpha'. Give a list of ids"),
        ({"candidates": [5]}, "Give a list of ids"),
        ({"candidates": {"alpha": 1}}, "Give a list of ids"),
    ],
)
def test_what_is_no_question_and_no_list_of_ids_is_refused_before_a_model_is_asked(module, wrong, said):
    stage = a_stage()
    graph = module.build(model=scripted(stage.script), catalog=stage.catalog, checkpointer=InMemorySaver())
    with pytest.raises(InputError, match=said):
        graph.invoke(QUERY | wrong, CONFIG)
    assert stage.script.asked == []


@pytest.mark.parametrize("kind", ["none", "memory", "sqlite"])
def test_half_a_surrogate_in_the_question_ends_no_run(kind, tmp_path, strict):
    stage = a_stage(Plan={})
    with saving(kind, tmp_path / "state.db") as found:
        result = stage.build(checkpointer=found).invoke({"query": "alpha \ud83d"}, CONFIG)
    assert (result["status"], result["subtasks"]) == ("solved", ["alpha \N{REPLACEMENT CHARACTER}"])


@pytest.mark.parametrize(
    "way",
    [
        lambda graph, limit: graph.batch([QUERY], limit)[0],
        lambda graph, limit: asyncio.run(graph.abatch([QUERY], limit))[0],
        lambda graph, limit: (RunnableLambda(lambda text: {"query": text}) | graph).invoke(QUERY["query"], limit),
        lambda graph, limit: graph.with_retry().invoke(QUERY, limit),
        lambda graph, limit: graph.as_tool(args_schema=Asking, name="smurfs", description="Ask.").invoke(QUERY, limit),
        lambda graph, limit: RunnableLambda(lambda _: graph.invoke(QUERY, limit)).invoke(""),
    ],
    ids=["batch", "abatch", "chain", "with_retry", "as_tool", "within"],
)
@pytest.mark.filterwarnings("ignore:This API is in beta")
def test_with_a_limit_of_steps_it_runs_within_what_langchain_runs(way):
    stage = a_stage()
    as_asked(stage, way(stage.build(), {"recursion_limit": 1_000}))


def test_all_ways_give_the_same():
    results = [a_stage().build().invoke(QUERY), asyncio.run(a_stage().build().ainvoke(QUERY))]
    assert results[0] == results[1]
    assert set(results[0]) == {"answer", "status", "reason", "subtasks", "calls", "missing", "usage", "registered"}


def test_invoke_works_inside_a_running_event_loop():
    async def notebook(stage):
        return stage.build().invoke(QUERY)

    stage = a_stage()
    as_asked(stage, asyncio.run(notebook(stage)))


def test_one_graph_runs_in_eight_threads_at_once():
    def digest(question):
        return {"answer": next(name for name in names if name in question.text)}

    names = [letter * 6 for letter in "abcdefgh"]
    stage = Stage(an_api("lookup"), respond=lambda *_: "fine", Digest=digest)
    graph = stage.build()
    with ThreadPoolExecutor(len(names)) as pool:
        results = list(pool.map(lambda name: graph.invoke({"query": name, "candidates": stage.ids}), names))
    assert [result["answer"] for result in results] == names
    assert [len(result["calls"]) for result in results] == [1] * len(names)
    usages = [{role: spent["calls"] for role, spent in result["usage"].items()} for result in results]
    assert all(usage == usages[0] for usage in usages)


def test_one_graph_runs_in_many_tasks_at_once():
    async def run(graph):
        return await asyncio.gather(*(graph.ainvoke(QUERY) for _ in range(8)))

    results = asyncio.run(run(a_stage(Arguments={"note": "same"}).build()))
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize("given", [{"planner": False}, SmurfsContext(planner=False)])
def test_the_context_is_a_dict_or_an_object(given):
    stage = a_stage()
    stage.build().invoke(QUERY, context=given)
    assert "Plan" not in stage.script.titles()


def test_the_context_can_be_bound_and_a_run_s_own_goes_before_it():
    stage = a_stage()
    graph = stage.build(context=SmurfsContext(planner=False))
    graph.invoke(QUERY)
    assert "Plan" not in stage.script.titles()
    graph.invoke(QUERY, context=Context(top_k=3))
    assert "Plan" not in stage.script.titles(), "it says nothing of the planner"
    graph.invoke(QUERY, context=SmurfsContext(planner=True))
    assert "Plan" in stage.script.titles()


@pytest.mark.parametrize("given", ["planner=False", ["planner"], Context])
def test_what_is_no_context_is_refused(given):
    stage = a_stage()
    with pytest.raises(InputError, match="Pass a `Context`"):
        stage.build().invoke(QUERY, context=given)
    assert stage.script.asked == []


@dataclass
class Own:
    """The context of a parent graph."""

    approval: str = "always"
    user: str = "me"


@pytest.mark.parametrize(
    ("schema", "given", "made"), [(None, {"approval": "always"}, 0), (Own, Own(), 0), (None, {"user": "me"}, 2)]
)
def test_a_parent_s_own_context_may_ask_before_calls(schema, given, made):
    stage = a_stage()
    outer = StateGraph(Parent, context_schema=schema)
    outer.add_node("smurfs", stage.build())
    outer.add_edge(START, "smurfs")
    result = outer.compile(checkpointer=InMemorySaver()).invoke(QUERY, CONFIG, context=given)
    assert ("__interrupt__" in result, len(stage.caller.made)) == (not made, made)


def test_a_context_that_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="max_calls"):
        a_stage().build().invoke(QUERY, context={"max_calls": 0})


def test_a_role_can_be_bound_to_a_model_of_its_own():
    stage, other = a_stage(), a_stage()
    stage.build(models={"verify": scripted(other.script)}).invoke(QUERY)
    assert set(other.script.titles()) == {"Verdict"}
    assert "Verdict" not in stage.script.titles()
    assert "Plan" in stage.script.titles()


def test_models_come_by_name_from_the_context(monkeypatch):
    stage = a_stage()
    context = Context(model="openai:one", role_models={"verify": "openai:two"})
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    with provider(stage.script) as served:
        monkeypatch.setenv("OPENAI_BASE_URL", served.url)
        result = stage.build(model=None).invoke(QUERY, context=context)
    as_asked(stage, result)
    names = {body["response_format"]["json_schema"]["name"]: body["model"] for body in served.bodies}
    assert names.pop("Verdict") == "two"
    assert set(names.values()) == {"one"}


@pytest.mark.parametrize(
    "module", [anytool, dfsdt, easytool, easytool_pipeline, judge, quiver, react, retriever, reverse_chain, smurfs]
)
def test_a_resource_that_is_none_is_refused_by_name(module):
    with pytest.raises(TypeError, match=r"takes no catalogue, modle\. It takes: model, .*catalog"):
        module.build(catalogue=Catalog.create(), modle="openai:gpt-5-mini")


@pytest.mark.parametrize("unnamed", [{"model": ""}, {"models": {"plan": ""}}])
def test_a_model_without_a_name_is_none_and_not_the_local_one(unnamed):
    with pytest.raises(UnknownModel, match="No model is called ''"):
        a_stage().build(**unnamed).invoke(QUERY, context=Context(model="none:such"))


class Parent(TypedDict, total=False):
    query: str
    answer: str
    status: str
    note: str


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()])
def test_it_is_a_node_of_another_graph(checkpointer):
    stage = a_stage()
    outer = StateGraph(Parent, context_schema=Context)
    outer.add_node("smurfs", stage.build())
    outer.add_node("after", lambda state: {"note": f"{state['status']}: {state['answer']}"})
    outer.add_edge(START, "smurfs")
    outer.add_edge("smurfs", "after")
    outer.add_edge("after", END)
    graph = outer.compile(checkpointer=checkpointer)
    whole = QUERY | {"answer": FOUND, "status": "solved", "note": f"solved: {FOUND}"}
    assert graph.invoke(QUERY, CONFIG) == whole
    assert asyncio.run(graph.ainvoke(QUERY, CONFIG)) == whole
    assert len(stage.caller.made) == 4
    assert "smurfs:rollback" in graph.get_graph(xray=True).nodes
    graph.invoke(QUERY, CONFIG, context=SmurfsContext(planner=False))
    assert stage.script.titles().count("Plan") == 2


def test_a_run_that_is_interrupted_at_the_keyboard_leaves_the_others_their_loop():
    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises((KeyboardInterrupt, AttributeError)):  # LangChain takes it for a reply, and stumbles over it
        a_stage(Plan=interrupted).build().invoke(QUERY)
    stage = a_stage()
    as_asked(stage, stage.build().invoke(QUERY))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no process")
def test_a_forked_process_has_a_loop_of_its_own():
    a_stage().build().invoke(QUERY)
    loop = _background_loop()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that other threads are lost is the point here
        child = os.fork()
    if not child:
        os._exit(_background_loop() is loop)
    assert os.waitpid(child, 0)[1] == 0


def test_threads_that_come_first_together_share_one_loop():
    _made_loop.cache_clear()
    seldom, ready = sys.getswitchinterval(), threading.Barrier(8)

    def first(_):
        ready.wait()
        return _background_loop()

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(first, range(8)))) == 1
    finally:
        sys.setswitchinterval(seldom)


def test_an_async_tool_that_invokes_a_graph_is_told_to_await_it():
    inner = a_stage()

    @tool
    async def alpha(note: str) -> str:
        """Look up alpha."""
        return inner.build().invoke({"query": note})["answer"]

    outer = a_stage(Plan={})
    graph = outer.build(catalog=Catalog.from_tools([alpha]), callers={})
    result = graph.invoke({"query": "alpha"}, context=Context(call_retries=0))
    assert "await graph.ainvoke" in result["calls"][0]["message"]
    assert inner.caller.made == []


def test_a_router_runs_where_it_stands():
    threads = []

    def where(_):
        threads.append(threading.get_ident())
        return "on"

    graph = StateGraph(Plain)
    graph.add_node("first", lambda _: {"text": "there"})
    graph.add_node("second", lambda _: {})
    graph.add_edge(START, "first")
    graph.add_conditional_edges("first", route(where), {"on": "second", "off": END})
    compiled = graph.compile()
    assert asyncio.run(compiled.ainvoke({"text": "here"})) == compiled.invoke({"text": "here"}) == {"text": "there"}
    assert threads[0] == threading.get_ident(), "LangGraph hands a plain function to a thread"


class Plain(TypedDict):
    text: str
