"""Runs of both solvers under every checkpointer: the same result, on after a crash, approvals, AnyTool's interface."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from tests.support.savers import SAVERS, saving
from tests.support.solver_talk import DONE, THREAD, Talk, call, failing, registers, solver_api
from toolquiver.catalog.sources import PYTHON
from toolquiver.contexts import AnyToolContext, DfsdtContext
from toolquiver.graphs import dfsdt, react
from toolquiver.nodes.anytool.state import AnyToolState

pytestmark = pytest.mark.usefixtures("strict")
SOLVERS = pytest.mark.parametrize("solver", [react, dfsdt], ids=["react", "dfsdt"])
TURNS = [[registers("alpha")], [call("alpha"), call("alpha", "b")], [call("alpha", "c")], [DONE]]


def as_asked(result):
    assert (result["answer"], result["status"]) == ("It is done.", "solved")
    assert [(made["arguments"]["note"], made["ok"], made["number"]) for made in result["calls"]] == [
        ("a", True, 1),
        ("b", True, 2),
        ("c", True, 3),
    ]
    assert [(record["since"], record["until"]) for record in result["registered"]] == [(1, None)]
    assert [node["parent"] for node in result.get("tree", ())] in ([], [None, 0, 1, 2, 3])


@pytest.fixture(params=SAVERS)
def saver(request, tmp_path):
    if request.param == "sqlite":
        pytest.importorskip("langgraph.checkpoint.sqlite")
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


@SOLVERS
def test_a_run_is_the_same_under_every_checkpointer(solver, saver):
    as_asked(Talk(solver, *TURNS).ask(checkpointer=saver, registration="on_demand"))


@SOLVERS
def test_after_a_crash_within_a_turn_it_goes_on_and_makes_no_call_twice(solver, tmp_path):
    pytest.importorskip("langgraph.checkpoint.sqlite")
    crashes = ["b"]

    def respond(api, arguments):
        if arguments["note"] in crashes:
            crashes.remove(arguments["note"])
            raise KeyboardInterrupt
        return f"{api.name} {arguments['note']}"

    one = Talk(solver, *TURNS, respond=respond)
    with saving("sqlite", tmp_path / "state.db") as found, pytest.raises(KeyboardInterrupt):
        one.ask(checkpointer=found, registration="on_demand")
    with saving("sqlite", tmp_path / "state.db") as found:
        graph = one.build(found)
        context = graph.context_schema(call_retries=0, approval="never", registration="on_demand")
        as_asked(graph.invoke(None, THREAD, context=context))
    assert len(one.bound) == len(TURNS), "no turn was asked for twice"
    assert one.caller.made.count(("alpha", "c")) == 1


@SOLVERS
def test_a_call_that_may_write_waits_for_the_user(solver, saver):
    if saver is None:
        pytest.skip("nothing can wait without a checkpointer")
    one = Talk(solver, [call("send")], [DONE], apis=[solver_api("send", effect="write")])
    asked = one.ask(checkpointer=saver, approval="auto")
    assert "May tests/tests/send be called" in asked["__interrupt__"][0].value["question"]
    assert not one.caller.made
    result = one.build(saver).invoke(Command(resume="approve"), THREAD)
    assert ([made["ok"] for made in result["calls"]], one.caller.made) == ([True], [("send", "a")])


@SOLVERS
def test_a_refused_call_is_not_made_and_the_model_is_told(solver):
    with saving("memory", None) as saver:
        one = Talk(solver, [call("send")], [call("send")], [DONE], apis=[solver_api("send", effect="write")])
        one.ask(checkpointer=saver, approval="auto")
        result = one.build(saver).invoke(Command(resume="refuse"), THREAD)
    assert one.caller.made == []
    assert {made["failure"] for made in result["calls"]} == {"blocked"}


@SOLVERS
def test_calls_side_by_side_each_wait_for_the_user(solver):
    with saving("memory", None) as saver:
        turns = [call("send"), call("send", "b")], [DONE]
        one = Talk(solver, *turns, apis=[solver_api("send", effect="write")])
        first, second = one.ask(checkpointer=saver, approval="auto")["__interrupt__"]
        resume = {first.id: "approve", second.id: "refuse"}
        result = one.build(saver).invoke(Command(resume=resume), THREAD)
    assert sorted(made["ok"] for made in result["calls"]) == [False, True]
    assert result["status"] == "solved"


def embedding(solver, one, context):
    """A graph that hands its state over to the solver, as AnyTool does."""
    around = StateGraph(AnyToolState, context_schema=AnyToolContext)
    bound = {"model": one.model, "catalog": one.catalog, "callers": {PYTHON: one.caller}, "context": context}
    around.add_node("solver", solver.build_solver(**bound))
    around.add_edge(START, "solver")
    around.add_edge("solver", END)
    return around.compile()


def handed(one, **more):
    return {"query": "What is it?", "pool": [api.id for api in one.apis], "approval": "never", "calls": [], **more}


@SOLVERS
def test_within_another_graph_it_has_the_pool_and_nothing_else(solver):
    one = Talk(solver, [call("alpha")], [DONE])
    result = embedding(solver, one, AnyToolContext(call_retries=0)).invoke(handed(one))
    assert (result["answer"], result["status"], result["given_up"]) == ("It is done.", "solved", None)
    assert not {"search_apis", "api_docs"} & {*one.bound[0]}
    assert [made["ok"] for made in result["calls"]] == [True]


@SOLVERS
def test_within_another_graph_it_goes_on_with_what_was_said_and_registered(solver):
    said = [
        AIMessage("", tool_calls=[{"name": "alpha", "args": {"note": "z"}, "id": "z"}]),
        ToolMessage("alpha z", tool_call_id="z"),
        HumanMessage("That did not solve it."),
    ]
    one = Talk(solver, [call("alpha")], [DONE])
    given = handed(one, earlier=said, registered_before=[one.apis[0].id], spent=100)
    context = AnyToolContext(call_retries=0, registration="on_demand")
    result = embedding(solver, one, context).invoke(given)
    assert [message.text for message in one.shown[0]][-2:] == ["alpha z", "That did not solve it."]
    assert "alpha" in one.bound[0]
    assert [message.text for message in result["messages"]][1:3] == ["alpha z", "That did not solve it."]


@SOLVERS
def test_within_another_graph_it_says_why_it_gave_up(solver):
    one = Talk(solver, [("give_up", {"reason": "No.", "failed": ["bravo"], "known": ""})])
    result = embedding(solver, one, AnyToolContext()).invoke(handed(one))
    assert result["given_up"] == {"reason": "No.", "failed": ["tests/tests/bravo"]}


@SOLVERS
def test_within_another_graph_its_limits_are_those_of_that_graph(solver):
    one = Talk(solver, [call("alpha", str(n)) for n in range(4)], [DONE])
    result = embedding(solver, one, AnyToolContext(solver_calls=2, call_retries=0)).invoke(handed(one))
    assert len(result["calls"]) == 2
    assert DfsdtContext.within(AnyToolContext(branches=5)).branches == 5


@SOLVERS
def test_within_another_graph_without_an_api_no_model_is_asked(solver):
    one = Talk(solver, [DONE])
    result = embedding(solver, one, AnyToolContext()).invoke(handed(one, pool=[]))
    assert (result["status"], result["reason"], one.shown) == ("failed", "No API fits the question.", [])


@SOLVERS
def test_a_stream_of_messages_has_each_once(solver):
    one = Talk(solver, [call("alpha"), call("bravo")], [DONE], respond=failing("bravo"))
    graph = one.build()
    context = graph.context_schema(call_retries=0, approval="never")
    streamed = [message for message, _ in graph.stream(one.query(), stream_mode="messages", context=context)]
    ids = [message.id for message in streamed]
    assert len(ids) == len(set(ids))
