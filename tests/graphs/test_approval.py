"""The user is asked before calls, and the run goes on from there, after a restart too."""

import asyncio
import json
from contextlib import contextmanager

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.script import FOUND, Stage, an_api, numbered_notes, plan_of, with_method
from toolquiver.calling import Failure, problems
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.nodes.approve import refused
from toolquiver.nodes.records import call_record

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")
sqlite_aio = pytest.importorskip("langgraph.checkpoint.sqlite.aio")

CONFIG = {"configurable": {"thread_id": "one"}}
WRITES = Context(approval="writes", call_retries=0)

pytestmark = pytest.mark.usefixtures("strict")


def an_api_of(name, method):
    return with_method(an_api(name), method)


def a_stage(*methods, **answers):
    names = ("alpha", "bravo", "charlie")
    return Stage(*(an_api_of(name, method) for name, method in zip(names, methods, strict=False)), **answers)


def query(stage):
    return {"query": "alpha", "candidates": stage.ids}


@pytest.fixture(params=["memory", "sqlite"])
def kept(request, tmp_path):
    """Opens the same checkpoints again and again."""
    memory = InMemorySaver()

    @contextmanager
    def opened():
        if request.param == "memory":
            yield memory
        else:
            with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
                yield saver

    return opened


def step(stage, kept, given, context=WRITES):
    """One run up to its end or its question, with the graph and the checkpoints opened anew."""
    with kept() as saver:
        return stage.build(checkpointer=saver).invoke(given, CONFIG, context=context)


def asked(result):
    (question,) = result.get("__interrupt__", [None])
    return question and question.value


def test_a_call_that_may_write_waits_for_the_user(kept):
    stage = a_stage("POST")
    question = asked(step(stage, kept, query(stage)))
    assert question == {
        "question": 'May tests/tests/alpha be called with {"note": "word"}?',
        "api": stage.ids[0],
        "method": "POST",
        "effect": "write",
        "arguments": {"note": "word"},
        "response_schema": {"title": "Answer", "type": "string", "enum": ["approve", "refuse"]},
    }
    assert json.loads(json.dumps(question)) == question
    assert stage.caller.made == []


def test_after_yes_it_goes_on_as_if_nobody_had_been_asked(kept):
    untouched = a_stage("POST")
    whole = untouched.build().invoke(query(untouched))
    stage = a_stage("POST")
    step(stage, kept, query(stage))
    assert step(stage, kept, Command(resume="approve")) == whole
    assert stage.caller.made == untouched.caller.made
    assert stage.script.titles() == untouched.script.titles()


@pytest.mark.parametrize("answer", ["refuse", "no", "Approve", "", False, {"approve": True}])
def test_after_no_another_api_is_chosen(kept, answer):
    stage = a_stage("POST", "GET")
    step(stage, kept, query(stage))
    result = step(stage, kept, Command(resume=answer))
    assert [(call["api"], call["failure"], call["message"]) for call in result["calls"]] == [
        (stage.ids[0], "blocked", "The user refused this call."),
        (stage.ids[1], None, ""),
    ]
    assert [name for name, _ in stage.caller.made] == ["bravo"]
    assert result["status"] == "solved"


def test_each_call_is_asked_about_by_itself(kept):
    stage = a_stage("POST", Plan=plan_of("Where is alpha?", "Where is bravo?"), Arguments=numbered_notes())
    given, questions = query(stage) | {"query": "Where are Alpha and Bravo?"}, []
    while question := asked(result := step(stage, kept, given)):
        questions.append(question["arguments"])
        given = Command(resume="approve")
    assert questions == [{"note": "note 1"}, {"note": "note 2"}]
    assert [arguments for _, arguments in stage.caller.made] == questions
    assert result["status"] == "solved"


def test_all_refused_is_a_run_that_failed(kept):
    stage = a_stage("POST", "DELETE")
    step(stage, kept, query(stage))
    assert asked(step(stage, kept, Command(resume="refuse")))["method"] == "DELETE"
    result = step(stage, kept, Command(resume="refuse"))
    assert (result["status"], stage.caller.made) == ("failed", [])


@pytest.mark.parametrize(
    ("approval", "method", "is_asked"),
    [
        ("never", "DELETE", False),
        ("auto", "DELETE", True),
        ("auto", "GET", False),
        ("auto", "CALL", False),
        ("writes", "DELETE", True),
        ("writes", "GET", False),
        ("writes", "CALL", False),
        ("always", "GET", True),
        ("always", "CALL", True),
    ],
)
def test_who_is_asked_about_is_a_setting(kept, approval, method, is_asked):
    stage = a_stage(method)
    result = step(stage, kept, query(stage), Context(approval=approval))
    assert bool(asked(result)) == is_asked
    assert len(stage.caller.made) == (not is_asked)


@pytest.mark.parametrize(
    ("began", "context"),
    [("always", Context(approval="never")), ("always", {"approval": "never"}), ("auto", Context(approval="never"))],
)
def test_a_run_that_goes_on_asks_as_it_did_when_it_began_and_the_next_on_its_thread_does_not(kept, began, context):
    stage = a_stage("POST", "GET" if began == "always" else "PUT", Arguments=numbered_notes())
    step(stage, kept, query(stage), Context(approval=began))
    result = step(stage, kept, Command(resume="refuse"), context)
    assert (asked(result)["api"], stage.caller.made) == (stage.ids[1], [])
    step(stage, kept, query(stage), context)
    assert [name for name, _ in stage.caller.made] == ["alpha"]


@pytest.mark.parametrize("context", [None, Context()])
def test_a_run_that_began_with_never_asks_nothing_where_what_it_goes_on_with_says_nothing(kept, context):
    def respond(api, _):
        if len(stage.caller.made) == 1:
            raise KeyboardInterrupt
        return FOUND

    stage = a_stage("POST", respond=respond)
    with pytest.raises(KeyboardInterrupt):
        step(stage, kept, query(stage), Context(approval="never"))
    assert asked(result := step(stage, kept, None, context)) is None
    assert (result["status"], len(stage.caller.made)) == ("solved", 2)


@pytest.mark.parametrize("built", ["never", "auto"])
def test_a_run_may_say_never_where_the_graph_does_not_say_more(kept, built):
    stage = a_stage("POST")
    with kept() as saver:
        graph = stage.build(checkpointer=saver, context=Context(approval=built))
        assert asked(graph.invoke(query(stage), CONFIG, context=Context(approval="never"))) is None
    assert len(stage.caller.made) == 1


@pytest.mark.parametrize(("built", "is_asked"), [("never", False), ("writes", True)])
def test_a_run_that_says_nothing_asks_as_the_graph_was_built(kept, built, is_asked):
    stage = a_stage("POST")
    with kept() as saver:
        graph = stage.build(checkpointer=saver, context=Context(approval=built))
        assert bool(asked(graph.invoke(query(stage), CONFIG, context=Context(top_k=3)))) == is_asked


def test_nobody_is_asked_by_default_where_the_run_cannot_wait():
    stage = a_stage("POST")
    assert stage.build().invoke(query(stage))["status"] == "solved"
    assert len(stage.caller.made) == 1


def test_a_tool_of_unknown_effect_that_no_program_has_passed_in_waits(kept):
    foreign = an_api("alpha").model_copy(update={"source": "mcp:words"})
    stage = Stage(foreign)
    assert asked(step(stage, kept, query(stage), Context()))["effect"] == "unknown"


def test_a_call_with_an_integer_beyond_64_bits_is_asked_about_once(kept):
    stage = Stage(with_method(an_api("alpha", inputs={"n": "integer"}), "POST"), Arguments={"n": 2**70})
    question = asked(step(stage, kept, query(stage) | {"query": f"What is alpha {2**70}?"}))
    assert (question["arguments"], str(2**70) in question["question"]) == ({"n": str(2**70)}, True)
    result = step(stage, kept, Command(resume="refuse"))
    assert ([call["failure"] for call in result["calls"]], stage.caller.made) == (["blocked"], [])


def test_a_run_that_began_before_the_setting_was_kept_goes_on(kept):
    stage = a_stage("POST")
    step(stage, kept, query(stage))
    with kept() as saver:
        stage.build(checkpointer=saver).update_state(CONFIG, {"approval": None}, as_node="fill")
    assert step(stage, kept, None, Context(approval="never"))["status"] == "solved"


def test_an_async_run_waits_and_goes_on_too(tmp_path):
    stage = a_stage("POST")

    async def run(given):
        async with sqlite_aio.AsyncSqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            return await stage.build(checkpointer=saver).ainvoke(given, CONFIG, context=WRITES)

    assert asked(asyncio.run(run(query(stage))))
    assert asyncio.run(run(Command(resume="approve")))["status"] == "solved"
    assert len(stage.caller.made) == 1


def test_a_run_that_cannot_wait_says_what_to_do():
    stage = a_stage("POST")
    with pytest.raises(InputError, match="checkpointer"):
        stage.build().invoke(query(stage), context=WRITES)
    assert stage.caller.made == []


def test_what_the_user_refused_is_not_asked_about_again_in_other_words():
    api = an_api_of("alpha", "POST")
    properties = {"note": {"type": "string"}, "copies": {"type": "integer", "default": 1}}
    api = api.model_copy(update={"parameters": api.parameters | {"properties": properties}})
    no = Failure(kind="blocked", message="The user refused this call.")
    made = [call_record(0, api.id, {"note": "word"}, no)]
    assert refused(api, {"note": "word", "copies": 1}, "always", made) == no


def test_a_call_that_must_fail_is_not_asked_about():
    api = an_api_of("alpha", "POST")
    assert problems(api, {"note": 1})
    assert refused(api, {"note": 1}, "always") is None
