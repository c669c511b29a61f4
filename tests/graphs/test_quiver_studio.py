"""What people do with a run: stop it, change it, go back, and use the graph in every way that LangGraph has."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.programs import THREAD, Programs, an_api, code, settings_of
from tests.support.savers import question_of, saving
from toolquiver.catalog import ApiId

pytestmark = pytest.mark.usefixtures("strict")

NUMBER = {"n": {"type": "integer"}}
KINDS = ("none", "memory", "sqlite")


def doubling(*plans, effect="read"):
    return Programs(an_api("double", NUMBER, effect=effect), plans=plans, respond=lambda _, given: given["n"] * 2)


def asked(stage):
    return {"query": "What is it?", "candidates": stage.ids}


PLANS = code("x = double(4)\nprint(x)"), code("answer = double(x)")


def as_asked(stage, result):
    assert (result["answer"], result["status"]) == ("Found it.", "solved")
    assert stage.made("double")[:2] == [{"n": 4}, {"n": 8}]


@asynccontextmanager
async def saving_async(kind, path):
    if kind == "sqlite":
        async with pytest.importorskip("langgraph.checkpoint.sqlite.aio").AsyncSqliteSaver.from_conn_string(
            str(path)
        ) as saver:
            yield saver
    else:
        yield InMemorySaver() if kind == "memory" else None


@pytest.fixture(params=["memory", "sqlite"])
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


# ---- every way to run it


@pytest.mark.parametrize("kind", KINDS)
def test_it_runs_from_plain_code_and_from_a_running_loop(kind, tmp_path):
    with saving(kind, tmp_path / "state.db") as found:
        stage = doubling(*PLANS)
        as_asked(stage, stage.ask(saver=found))

    async def within_a_loop():
        with saving(kind, tmp_path / "loop.db") as found:
            return stage.ask(saver=found)

    stage = doubling(*PLANS)
    as_asked(stage, asyncio.run(within_a_loop()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["ainvoke", "astream", "abatch", "astream_events"])
def test_it_runs_async(kind, way, tmp_path):
    stage = doubling(*PLANS)

    async def run():
        async with saving_async(kind, tmp_path / "state.db") as found:
            graph = stage.build(checkpointer=found, context=settings_of())
            if way == "ainvoke":
                return await graph.ainvoke(asked(stage), THREAD)
            if way == "astream":
                return [part async for part in graph.astream(asked(stage), THREAD, stream_mode="values")][-1]
            if way == "abatch":
                return (await graph.abatch([asked(stage)], [THREAD]))[0]
            events = [event async for event in graph.astream_events(asked(stage), THREAD, version="v2")]
            assert {"find", "plan", "run", "call", "answer", "deliver"} <= {event["name"] for event in events}
            return events[-1]["data"]["output"]

    as_asked(stage, asyncio.run(run()))


def test_many_threads_use_one_graph_at_once():
    stage = doubling(*PLANS)
    graph = stage.build(context=settings_of())
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: graph.invoke(asked(stage)), range(8)))
    assert [result["status"] for result in results] == ["solved"] * 8
    assert all(len(result["calls"]) == 2 for result in results)


def test_many_tasks_use_one_graph_at_once():
    stage = doubling(*PLANS)
    graph = stage.build(context=settings_of())

    async def all_of_them():
        return await asyncio.gather(*(graph.ainvoke(asked(stage)) for _ in range(8)))

    assert [result["status"] for result in asyncio.run(all_of_them())] == ["solved"] * 8


def _tool(graph, given):
    kinds = {"query": str, "candidates": list[ApiId]}
    return graph.as_tool(name="quiver", description="Answers.", arg_types=kinds).invoke(given)


async def _events(graph, given):
    return [event async for event in graph.astream_events(given, version="v2")][-1]["data"]["output"]


@pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")
@pytest.mark.parametrize(
    "run",
    [
        pytest.param(lambda graph, given: graph.invoke(given), id="invoke"),
        pytest.param(_tool, id="as_tool"),
        pytest.param(lambda graph, given: list(graph.stream(given, stream_mode="values"))[-1], id="stream"),
        pytest.param(lambda graph, given: graph.batch([given])[0], id="batch"),
        pytest.param(
            lambda graph, given: (RunnableLambda(lambda one: one) | graph).invoke(given),
            id="pipe",
        ),
        pytest.param(lambda graph, given: asyncio.run(_events(graph, given)), id="astream_events"),
    ],
)
def test_a_long_program_needs_no_recursion_limit_in_any_way(run):
    stage = doubling(code("n = 1\nfor _ in range(28):\n    n = double(n)\nanswer = n"))
    result = run(stage.build(context=settings_of()), asked(stage))
    assert (result["status"], len(result["calls"])) == ("solved", 28)


def test_a_second_question_on_a_thread_begins_afresh(saver):
    stage = doubling(*PLANS)
    first = stage.ask(saver=saver)
    second = stage.ask("And what is this?", saver=saver)
    assert len(second["calls"]) == len(first["calls"]) == 2
    assert second["programs"] == first["programs"]
    assert "What is it?" not in str(stage.shown[-1])


# ---- stop and go on


@pytest.mark.parametrize("node", ["plan", "run", "call", "answer", "deliver"])
def test_it_stops_before_a_node_and_goes_on_with_a_new_graph(saver, node):
    stage, graph = doubling(*PLANS), None
    given = asked(stage)
    for _ in range(9):
        graph = stage.build(checkpointer=saver, context=settings_of())
        result = graph.invoke(given, THREAD, interrupt_before=[node])
        given = None
        if not graph.get_state(THREAD).next:
            break
        assert graph.get_state(THREAD).next == (node,)
    as_asked(stage, result)
    assert len(stage.made("double")) == 2
    assert stage.titles() == ["plan", "plan", "Worded"]


def test_a_program_that_is_edited_before_it_runs_is_the_one_that_runs(saver):
    stage = doubling(code("answer = double(4)"))
    graph = stage.build(checkpointer=saver, context=settings_of())
    graph.invoke(asked(stage), THREAD, interrupt_before=["run"])
    graph.update_state(THREAD, {"programs": ["answer = double(21)"]})
    result = graph.invoke(None, THREAD)
    assert (stage.made("double"), result["status"]) == ([{"n": 21}], "solved")
    assert result["programs"] == ["answer = double(21)"]


def test_a_program_that_is_edited_after_its_first_call_keeps_what_is_the_same(saver):
    stage = doubling(code("x = double(4)\nanswer = double(x)"), effect="write")
    graph = stage.build(checkpointer=saver, context=settings_of(approval="never"))
    graph.invoke(asked(stage), THREAD, interrupt_before=["call"])
    graph.invoke(None, THREAD, interrupt_before=["run"])
    assert stage.made("double") == [{"n": 4}]
    graph.update_state(THREAD, {"programs": ["x = double(4)\nanswer = double(x + 1)"]})
    result = graph.invoke(None, THREAD)
    assert (stage.made("double"), result["status"]) == ([{"n": 4}, {"n": 9}], "solved")


def test_an_earlier_program_can_be_edited_too(saver):
    stage = doubling(*PLANS)
    graph = stage.build(checkpointer=saver, context=settings_of())
    graph.invoke(asked(stage), THREAD, interrupt_before=["run"])
    graph.invoke(None, THREAD, interrupt_after=["plan"])
    assert len(graph.get_state(THREAD).values["programs"]) == 2
    graph.update_state(THREAD, {"programs": ["x = double(5)\nprint(x)", "answer = double(x)"]})
    result = graph.invoke(None, THREAD)
    assert result["status"] == "solved"
    assert stage.made("double") == [{"n": 4}, {"n": 5}, {"n": 10}]


def test_a_fork_of_an_earlier_checkpoint_leaves_the_first_run_as_it_was(saver):
    stage = doubling(code("answer = double(4)"))
    graph = stage.build(checkpointer=saver, context=settings_of())
    whole = graph.invoke(asked(stage), THREAD)
    end = graph.get_state(THREAD).config
    (planned,) = [one for one in graph.get_state_history(THREAD) if one.next == ("run",) and not one.values["calls"]]
    fork = graph.update_state(planned.config, {"programs": ["answer = double(6)"]})
    result = graph.invoke(None, fork)
    assert result["programs"] == ["answer = double(6)"]
    assert stage.made("double") == [{"n": 4}, {"n": 6}]
    assert graph.get_state(end).values["programs"] == whole["programs"]


def test_the_candidates_can_be_changed_before_it_plans(saver):
    stage = Programs(an_api("alpha"), an_api("bravo"), plans=code("answer = bravo('b')"))
    graph = stage.build(checkpointer=saver, context=settings_of())
    graph.invoke(asked(stage) | {"candidates": stage.ids[:1]}, THREAD, interrupt_before=["plan"])
    graph.update_state(THREAD, {"pool": stage.ids[1:]})
    assert graph.invoke(None, THREAD)["status"] == "solved"
    assert "alpha(" not in str(stage.shown[0][-1].text)
    assert stage.made() == [("bravo", {"note": "b"})]


def test_an_answer_can_be_edited_before_it_is_delivered(saver):
    stage = doubling(code("answer = double(4)"))
    graph = stage.build(checkpointer=saver, context=settings_of())
    graph.invoke(asked(stage), THREAD, interrupt_before=["deliver"])
    draft = graph.get_state(THREAD).values["draft"]
    graph.update_state(THREAD, {"draft": draft | {"text": "Eight."}})
    assert graph.invoke(None, THREAD)["answer"] == "Eight."


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_question_is_answered_async_after_a_restart(kind, tmp_path):
    stage = doubling(code("answer = double(ask_user('How much?', 'int'))"))
    memory = InMemorySaver()

    async def step(given):
        async with saving_async(kind, tmp_path / "state.db") as found:
            saver = memory if kind == "memory" else found
            return await stage.build(checkpointer=saver, context=settings_of()).ainvoke(given, THREAD)

    assert question_of(asyncio.run(step(asked(stage))))["question"] == "How much?"
    result = asyncio.run(step(Command(resume=21)))
    assert (stage.made("double"), result["status"]) == ([{"n": 21}], "solved")


# ---- as a part of another graph


def test_each_call_is_a_node_visit_with_what_it_came_to(saver):
    stage = doubling(code("x = double(1)\nanswer = double(x)"))
    graph = stage.build(checkpointer=saver, context=settings_of())
    nodes = [name for update in graph.stream(asked(stage), THREAD) for name in update]
    assert nodes == ["find", "plan", "run", "call", "run", "call", "run", "answer", "deliver"]


def test_the_state_is_small_and_plain(saver):
    stage = doubling(code("answer = [double(n) for n in range(10)]"))
    graph = stage.build(checkpointer=saver, context=settings_of())
    graph.invoke(asked(stage), THREAD)
    assert len(str(graph.get_state(THREAD).values)) < 12_000
