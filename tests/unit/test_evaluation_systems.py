"""Systems by name: our graphs, create_agent, plans in one call, and agents that users bring."""

import asyncio
import json
import subprocess
import sys
import typing

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage, convert_to_messages
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from typing_extensions import TypedDict

from tests.support.adding import agent, call
from tests.support.savers import async_saver
from tests.support.script import Script
from tests.support.small_set import ADD, Sums, add
from toolquiver.contexts import DfsdtContext, QuiverContext
from toolquiver.errors import InputError, ModelUnreachable
from toolquiver.evaluation import Question, Result
from toolquiver.evaluation.metrics import knows_usage
from toolquiver.evaluation.records import ASKS
from toolquiver.evaluation.systems import settings_kind, system_named, system_names
from toolquiver.evaluation.systems.ablations import ABLATIONS
from toolquiver.evaluation.systems.conversation import result_of_messages
from toolquiver.evaluation.systems.own import OwnSystem, as_result
from toolquiver.evaluation.systems.settings import settings_of
from toolquiver.models import scripted

SUMS = Sums()
QUIVERS = ["quiver", *ABLATIONS]
QUESTION = SUMS.questions()[3]


def ask(system, question=QUESTION):
    return asyncio.run(system(question, SUMS.resources()))


@pytest.mark.parametrize("name", [*QUIVERS, "smurfs", "react", "dfsdt", "create_agent"])
def test_every_system_answers_with_its_calls_tokens_and_trace(name):
    result = ask(system_named(name, model=scripted(agent)))
    assert (result.outcome, result.answer) == ("solved", "It is 6 .")
    assert [(made.api, made.arguments, made.ok) for made in result.calls] == [(ADD, {"a": 3, "b": 3}, True)]
    assert result.candidates == (ADD,)
    assert sum(role["calls"] for role in result.usage.values()) >= (0 if name == "create_agent" else 1)
    trace = json.loads(json.dumps(result.model_dump(mode="json")["trace"]))
    assert len(trace) > 2
    assert "6" in json.dumps(trace)
    assert Result.model_validate_json(result.model_dump_json()) == result


def test_the_systems_are_our_graphs_and_the_baselines():
    ways = ["zero-shot", "few-shot", "zero-shot-cot", "few-shot-cot"]
    graphs = ["anytool", "dfsdt", "easytool_pipeline", "quiver", "react", "retriever", "reverse_chain", "smurfs"]
    assert system_names() == [*graphs, "react-ecoact", "dfsdt-ecoact", *ABLATIONS, "create_agent", *ways]


@pytest.mark.parametrize(
    ("name", "setting", "whole"),
    [
        ("react-ecoact", {"registration": "all"}, "react"),
        ("quiver-no-agents", {"agents": True}, "quiver"),
        ("quiver-no-verifier", {"verification": "always"}, "quiver"),
    ],
)
def test_a_setting_that_a_system_does_not_have_is_refused(name, setting, whole):
    ((key, _),) = setting.items()
    with pytest.raises(InputError, match=f"{name} has {key}=.*, or measure {whole}"):
        system_named(name, model=scripted(agent), settings=setting)


@pytest.mark.parametrize(
    ("name", "setting"), [("quiver-no-verifier", {"verification": "never"}), ("quiver-no-agents", {"agents": False})]
)
def test_a_setting_that_a_system_has_anyway_may_be_given(name, setting):
    system = system_named(name, model=scripted(agent), settings=setting | {"top_k": 3})
    ((key, value),) = setting.items()
    assert (getattr(system.context, key), system.context.top_k) == (value, 3)


@pytest.mark.parametrize("name", QUIVERS)
def test_quiver_has_its_own_settings_and_asks_nobody(name):
    assert settings_kind(name) is QuiverContext
    system = system_named(name, model=scripted(agent), settings={"max_plans": 3})
    assert isinstance(system.context, QuiverContext)
    assert (system.context.ask, system.context.max_plans) == (False, 3)
    with pytest.raises(InputError, match="no setting 'max_steps'"):
        system_named(name, model=scripted(agent), settings={"max_steps": 3})


def test_ecoact_s_runs_have_its_settings():
    system = system_named("dfsdt-ecoact", model=scripted(agent), settings={})
    assert isinstance(system.context, DfsdtContext)
    assert (system.context.registration, system.context.max_steps) == ("on_demand", 24)
    assert (system.context.catalogue_functions, system.context.listing) == (False, "names")
    assert system_named("react-ecoact", model=scripted(agent), settings={"max_steps": 5}).context.max_steps == 5


def test_settings_reach_the_graph():
    def lost(messages, schema):
        return call("add", {"a": len(messages), "b": 3}, len(messages)) if schema else "I do not know."

    result = ask(system_named("react", model=scripted(lost), settings={"max_steps": 2}))
    assert len(result.calls) == 2
    assert result.reason == "The steps are used up."


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        (("add", {"a": "x", "b": 3}), "invalid_arguments"),
        (("subtract", {"a": 3, "b": 3}), "unknown_api"),
    ],
)
def test_create_agent_is_told_of_failures_and_they_are_counted(said, failure):
    def wrong(messages, schema):
        return "I cannot." if isinstance(messages[-1], ToolMessage) else call(*said, len(messages))

    result = ask(system_named("create_agent", model=scripted(wrong)))
    assert [(made.ok, made.failure) for made in result.calls] == [(False, failure)]
    assert result.answer == "I cannot."


def test_create_agent_is_stopped_after_its_turns():
    system = system_named(
        "create_agent", model=scripted(lambda said, _: call("add", {"a": len(said), "b": 1}, len(said)))
    )
    result = ask(system)
    assert (result.outcome, result.answer) == ("failed", "")
    assert result.usage["agent"]["calls"] == 12


@pytest.mark.parametrize("way", ["zero-shot", "few-shot", "zero-shot-cot", "few-shot-cot"])
def test_a_nested_plan_is_asked_for_in_each_way(way):
    script = Script(NestedCall={"call": "add(a=3, b=3)"}, ReasonedCall={"call": "add(a=3, b=3)", "steps": ["Add."]})
    result = ask(system_named(way, model=scripted(script)))
    assert (result.plan, result.answer, result.calls) == ("add(a=3, b=3)", "add(a=3, b=3)", ())
    (asked,) = script.asked
    assert ("Example call: " in asked.text) is way.startswith("few")
    assert ("in short steps" in asked.text) is way.endswith("cot")
    assert list(asked.schema["properties"])[-1] == "call"
    assert "- add(a, b): Add two whole numbers." in asked.text
    assert "a (integer)" in asked.text


def test_a_plan_that_never_comes_is_a_failure_with_its_cost():
    result = ask(system_named("zero-shot", model=scripted(lambda *_: "I would rather not.")))
    assert (result.outcome, result.plan) == ("failed", None)
    assert result.usage["plan"]["calls"] == 2
    short = ask(system_named("zero-shot", model=scripted(lambda *_: ""), settings={"token_budget": 20}))
    assert "budget" in short.reason


def test_without_candidates_the_baselines_are_given_what_search_finds():
    free = Question(id="free", query="Add two whole numbers: 3 and 3.")
    assert ask(system_named("create_agent", model=scripted(agent)), free).candidates == (ADD,)


OWN = """
from langchain_core.prompts import ChatPromptTemplate
from toolquiver.evaluation import Result

def plain(query):
    return f"You ask {query}"

async def whole(question, resources):
    return {"answer": question.id, "calls": [{"api": str(len(resources.catalog.apis())), "arguments": {}, "ok": True}]}

class Agent:
    async def __call__(self, query, *, verbose=False):
        return Result(question="", outcome="partial", answer="a part")

agent = Agent()
number = 3
def three(a, b, c): ...
def odd(query):
    return {"answer": "x", "trace": [object()], "calls": [{"api": "a", "arguments": {"a": object()}, "ok": True}]}
def silent(query): return None
def parts(query): yield "6"
two_keys = ChatPromptTemplate.from_template("{city} {day}")
def broken(query): return {"answer": "x", "calls": 3}
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    (tmp_path / "own_agents.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield
    sys.modules.pop("own_agents", None)


def test_a_user_s_own_agent_may_take_and_give_what_it_likes(own):
    assert ask(system_named("own_agents:plain")).answer == "You ask What is 3 plus 3?"
    whole = ask(system_named("own_agents:whole"))
    assert (whole.answer, whole.outcome, whole.calls[0].api) == ("sum-3", "solved", "1")
    assert ask(system_named("own_agents:agent")).outcome == "partial"


def test_whatever_a_user_s_own_agent_returns_can_be_written_down(own):
    result = ask(system_named("own_agents:odd"))
    assert "object" in result.trace[0]
    assert "object" in json.loads(result.model_dump_json())["calls"][0]["arguments"]["a"]


def test_an_agent_that_never_returns_keeps_the_process_from_nothing():
    script = """
import asyncio, threading
from toolquiver.evaluation import Question, Resources
from toolquiver.evaluation.runner import answered
from toolquiver.evaluation.systems.own import OwnSystem
from toolquiver.catalog import Catalog
wait = threading.Event().wait
asked = answered(Question(id="q", query="?"), OwnSystem(lambda query: wait()), Resources(catalog=Catalog.create()), 0.1)
print(asyncio.run(asked).outcome)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert ended.stdout == "timeout\n"


def test_a_user_s_own_graph_is_asked_by_its_input():
    def node(state):
        first = state["messages"][0].text
        usage = {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9}
        return {"messages": [AIMessage(f"You ask {first}", usage_metadata=usage)]}

    graph = StateGraph(MessagesState).add_node("say", node).add_edge(START, "say").add_edge("say", END).compile()
    result = ask(OwnSystem(graph))
    assert result.answer == "You ask What is 3 plus 3?"
    assert (result.usage["agent"]["prompt"], result.usage["agent"]["completion"]) == (7, 2)


class Asked(TypedDict, total=False):
    query: str
    answer: str
    status: str


class Asking(Asked):
    question: str


class Untyped(typing.TypedDict):  # of which pydantic makes no schema before Python 3.12
    query: str
    answer: str
    status: str


class Wanted(TypedDict):
    question: str


def graph_of(state, key, given=None):
    """A graph that says what it finds in its state under this key."""

    def say(found):
        said = f"You ask {found['messages'][0].text if key == 'messages' else found[key]}"
        return {"messages": [AIMessage(said)]} if key == "messages" else {"answer": said, "status": "solved"}

    graph = StateGraph(state, input_schema=given or state)
    return graph.add_node("say", say).add_edge(START, "say").add_edge("say", END).compile()


def echoing(messages, schema):
    return f"You ask {messages[-1].text}"


def typed(query: str) -> str:
    return f"You ask {query}"


def of_messages(messages: list[BaseMessage]) -> str:
    return f"You ask {convert_to_messages(messages)[-1].text}"


@pytest.mark.parametrize(
    "runnable",
    [
        RunnableLambda(lambda query: f"You ask {query}"),
        RunnableLambda(typed),
        RunnableLambda(of_messages),
        scripted(echoing),
        ChatPromptTemplate.from_template("{question}") | scripted(echoing) | StrOutputParser(),
        ChatPromptTemplate([MessagesPlaceholder("messages")]) | scripted(echoing),
        {"question": RunnablePassthrough()} | ChatPromptTemplate.from_template("{question}") | scripted(echoing),
        graph_of(Asked, "query"),
        graph_of(Untyped, "query"),
        graph_of(Asking, "question", Wanted),
        graph_of(MessagesState, "messages"),
    ],
)
def test_a_runnable_is_asked_in_the_form_that_it_takes(runnable):
    assert ask(OwnSystem(runnable)).answer == "You ask What is 3 plus 3?"


@pytest.mark.parametrize(
    ("said", "answer"),
    [(AIMessage("6"), "6"), (6, "6"), (6.5, "6.5"), ({"answer": 6}, "6"), ({"answer": 0}, "0"), ("6", "6")],
)
def test_a_number_or_a_message_is_an_answer(said, answer):
    found = as_result(said)
    assert (found.answer, found.outcome) == (answer, "solved")


@pytest.mark.parametrize("said", [True, None, {"answer": [1]}, b"6", {"text": "6"}])
def test_what_is_no_answer_is_said(said):
    with pytest.raises(InputError, match=r"Return text|does not fit"):
        as_result(said)


@pytest.mark.parametrize("name", ["silent", "broken"])
def test_what_is_no_result_is_said(own, name):
    with pytest.raises(InputError, match=r"Return text|does not fit"):
        ask(system_named(f"own_agents:{name}"))


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("nonsense", {}, "There are: anytool, dfsdt, easytool_pipeline"),
        ("judge", {}, "answers no questions"),
        ("smurfs", {"max_stepps": 3}, "no setting 'max_stepps'"),
        ("smurfs", {"max_steps": "many"}, "max_steps cannot be 'many'"),
        ("smurfs", {"max_steps": 0}, "max_steps cannot be 0"),
        ("own_agents:plain", {"max_steps": 3}, "takes no settings"),
        ("own_agents:number", {}, "cannot be called"),
        ("own_agents:three", {}, "must take the query"),
        ("own_agents:parts", {}, "yields parts"),
        ("own_agents:Agent", {}, "makes an object"),
        ("own_agents:two_keys", {}, "takes city, day"),
        ("own_agents:missing", {}, "cannot be found"),
        ("no_such_module:agent", {}, "no module 'no_such_module'"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(own, name, settings, told):
    with pytest.raises(InputError, match=told):
        system_named(name, model=scripted(agent), settings=settings)


def test_settings_are_read_as_json_where_they_are_some():
    written = ["max_steps=3", "planner=false", "registration=on_demand", 'role_models={"judge": "a:b"}', "catalog=a=b"]
    assert settings_of(written) == {
        "max_steps": 3,
        "planner": False,
        "registration": "on_demand",
        "role_models": {"judge": "a:b"},
        "catalog": "a=b",
    }
    for wrong in (["max_steps"], ["=3"], ["a=1", "a=2"]):
        with pytest.raises(InputError):
            settings_of(wrong)


def test_messages_are_read_as_an_agent_s_work():
    said = as_result({"messages": [call("add", {"a": 1, "b": 1}, 1), ToolMessage("2", tool_call_id="call-1")]})
    assert (said.outcome, said.answer) == ("failed", "")
    assert [(made.api, made.ok) for made in said.calls] == [("add", True)]


def test_usage_that_nobody_tells_is_not_none():
    told = AIMessage("4", usage_metadata={"input_tokens": 7, "output_tokens": 2, "total_tokens": 9})
    assert knows_usage(as_result({"messages": [told]}))
    assert not knows_usage(as_result({"messages": [told, AIMessage("5")]}))
    assert not knows_usage(as_result({"answer": "4", "trace": [["think", {}]]}))
    assert knows_usage(as_result({"answer": "4", "trace": [["think", {}]], "usage": {}}))
    assert not knows_usage(as_result(Result(question="", outcome="solved", answer="4", trace=(["think", {}],))))


@pytest.mark.parametrize("name", ["smurfs", "react", "dfsdt"])
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("stop", [0, 1, 2])
def test_a_question_in_progress_goes_on_where_it_was(name, kind, stop, tmp_path):
    day = {"today": "2031-05-02"}
    whole = ask(system_named(name, model=scripted(agent), settings=day))
    asked = []

    def stopping(messages, schema):
        asked.append(None)
        if len(asked) == stop + 1:
            raise ModelUnreachable("It is down.")
        return agent(messages, schema)

    async def go_on():
        async with async_saver(kind, tmp_path / "state.db") as found:
            saver = kept if kind == "memory" else found
            system = system_named(name, model=scripted(stopping), settings=day, checkpointer=saver, run="one")
            try:
                return await system(QUESTION, SUMS.resources())
            finally:
                tuples = [one async for one in saver.alist(None)]
                assert tuples
                if asked and len(asked) > stop + 1:
                    await system.forget(QUESTION)
                    assert not [one async for one in saver.alist(None)]

    kept = InMemorySaver()
    calls = sum(role["calls"] for role in whole.usage.values())
    if stop < calls:
        with pytest.raises(ModelUnreachable):
            asyncio.run(go_on())
    again = asyncio.run(go_on())
    assert again == whole
    assert len(asked) == calls + (stop < calls)  # no model was asked twice but for the one that was down


@pytest.mark.parametrize("kept", [False, True])
def test_a_graph_that_asks_the_user_has_asked(kept):
    saver = InMemorySaver() if kept else None
    system = system_named("react", model=scripted(agent), settings={"approval": "always"}, checkpointer=saver)
    result = ask(system)
    assert (result.outcome, result.reason) == ("partial", "It asks the user.")
    assert "tools/tools/add" in result.answer
    assert result.usage
    assert result.trace


@pytest.mark.parametrize("name", ["quiver", "smurfs", "react", "dfsdt", "anytool", "reverse_chain"])
@pytest.mark.parametrize(
    ("settings", "approval"),
    [
        ({}, "never"),
        ({"approval": "auto"}, "never"),
        ({"approval": "writes"}, "writes"),
        ({"approval": "always"}, "always"),
    ],
)
def test_nobody_is_asked_before_a_call_unless_that_is_said(name, settings, approval):
    context = system_named(name, model=scripted(agent), settings={**settings, "top_k": 3}).context
    assert (context.approval, context.top_k, type(context)) == (approval, 3, settings_kind(name))


@pytest.mark.parametrize(("settings", "calls"), [({}, 1), ({"approval": "auto"}, 1), ({"approval": "writes"}, 0)])
def test_a_write_is_made_unless_it_is_to_be_asked_about(monkeypatch, settings, calls):
    monkeypatch.setattr(add, "metadata", {"effect": "write"})
    result = ask(system_named("react", model=scripted(agent), settings=settings))
    assert (len(result.calls), result.reason == ASKS) == (calls, not calls)


class CutOff(InMemorySaver):
    """Breaks off where the checkpoint of a step would be kept, for the number of them that is `left`."""

    left = 1_000

    async def aput(self, *arguments):
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("The disk is full.")
        return await super().aput(*arguments)


@pytest.mark.parametrize("name", ["quiver", "smurfs", "react"])
def test_a_step_whose_results_are_kept_and_no_checkpoint_is_neither_the_end_nor_made_twice(name):
    asked = []

    def counting(messages, schema):
        asked.append(None)
        return agent(messages, schema)

    saver = CutOff()
    system = system_named(name, model=scripted(counting), checkpointer=saver)
    whole = ask(system)
    steps, calls = 1_000 - saver.left, len(asked)
    for left in range(1, steps):
        saver, kept = CutOff(), len(asked)
        saver.left = left
        system = system_named(name, model=scripted(counting), checkpointer=saver)
        with pytest.raises(ConnectionError):
            ask(system)
        saver.left = 1_000
        assert ask(system) == whole
    assert len(asked) - kept == calls  # of the last: there only the last step had no checkpoint
    assert ask(system) == whole  # it has ended
    assert len(asked) - kept == calls


def test_only_a_graph_keeps_checkpoints():
    with pytest.raises(InputError, match="keeps no checkpoints"):
        system_named("create_agent", model=scripted(agent), checkpointer=InMemorySaver())


@pytest.mark.parametrize(
    ("figures", "tokens", "told"),
    [((100, 5, 1_105), 1_105, True), ((100, 5, 105), 105, True), ((0, 0, 0), 0, False), (None, 0, False)],
)
def test_the_tokens_of_a_conversation_are_counted_as_those_of_our_graphs(figures, tokens, told):
    names = ("input_tokens", "output_tokens", "total_tokens")
    said = AIMessage("It is 6.", usage_metadata=None if figures is None else dict(zip(names, figures, strict=True)))
    found = result_of_messages([said])
    assert (total(found.usage["agent"]), found.tells_usage, found.usage["agent"]["calls"]) == (tokens, told, 1)


def total(spent):
    return spent["prompt"] + spent["completion"]
