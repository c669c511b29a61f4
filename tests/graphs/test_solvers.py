"""What the solvers have in common: the same run under every checkpointer, and on after a crash where it was."""

from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage
from langgraph.types import Command

from tests.graphs.script import SOURCE, RecordingCaller, an_api
from tests.graphs.test_running import saver
from toolquiver.catalog import Catalog
from toolquiver.context import Context
from toolquiver.graphs import dfsdt, react
from toolquiver.models import scripted

pytestmark = pytest.mark.usefixtures("strict")
SOLVERS = pytest.mark.parametrize("solver", [react, dfsdt], ids=["react", "dfsdt"])
CONFIG = {"configurable": {"thread_id": "one"}}
CONTEXT = Context(registration="on_demand", call_retries=0)
TURNS = [
    ("tool_register", {"name": "alpha"}),
    ("alpha", {"note": "a"}),
    ("alpha", {"note": "b"}),
    ("give_answer", {"answer": "It is done."}),
]


class Talk:
    """An agent that takes these turns; the first call with the note in `crashes` ends the program."""

    def __init__(self, solver, *crashes):
        self.crashes = list(crashes)
        self.asked = 0
        self.caller = RecordingCaller(self.respond)
        self.catalog = Catalog.create()
        self.catalog.add(an_api("alpha"))
        self.query = {"query": "What is it?", "candidates": [api.id for api in self.catalog.apis()]}
        self.solver = solver

    def respond(self, api, arguments):
        if arguments["note"] in self.crashes:
            self.crashes.remove(arguments["note"])
            raise KeyboardInterrupt
        return f"{api.name} {arguments['note']}"

    def reply(self, messages, _):
        self.asked += 1
        number = sum(isinstance(message, AIMessage) for message in messages)
        name, arguments = TURNS[number]
        return AIMessage("So it is.", tool_calls=[{"name": name, "args": arguments, "id": str(number)}])

    def run(self, given, checkpointer, **settings):
        callers = {SOURCE: self.caller}
        graph = self.solver.build(
            model=scripted(self.reply), catalog=self.catalog, callers=callers, checkpointer=checkpointer
        )
        return graph.invoke(given, CONFIG, context=replace(CONTEXT, **settings))


def as_asked(talk, result):
    assert (result["answer"], result["status"]) == ("It is done.", "solved")
    assert [(call["arguments"]["note"], call["ok"]) for call in result["calls"]] == [("a", True), ("b", True)]
    assert [(record["since"], record["until"]) for record in result["registered"]] == [(1, None)]
    assert [node["parent"] for node in result.get("tree", ())] in ([], [None, 0, 1, 2, 3])
    assert talk.asked == len(TURNS)


@SOLVERS
@pytest.mark.parametrize("kind", ["none", "memory", "sqlite"])
def test_a_run_is_the_same_under_every_checkpointer(solver, kind, tmp_path):
    talk = Talk(solver)
    with saver(kind, tmp_path / "state.db") as found:
        as_asked(talk, talk.run(talk.query, found))


@SOLVERS
def test_after_a_crash_it_goes_on_where_it_was(solver, tmp_path):
    talk = Talk(solver, "b")
    with saver("sqlite", tmp_path / "state.db") as found, pytest.raises(KeyboardInterrupt):
        talk.run(talk.query, found)
    with saver("sqlite", tmp_path / "state.db") as found:
        as_asked(talk, talk.run(None, found))


@SOLVERS
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_call_that_is_refused_without_the_setting_is_refused(solver, kind, tmp_path):
    talk = Talk(solver)
    with saver(kind, tmp_path / "state.db") as found:
        assert talk.run(talk.query, found, approval="always")["__interrupt__"]
        result = talk.run(Command(resume="refuse"), found)
        while "__interrupt__" in result:
            result = talk.run(Command(resume="refuse"), found)
    assert (talk.caller.made, {call["failure"] for call in result["calls"]}) == ([], {"blocked"})
