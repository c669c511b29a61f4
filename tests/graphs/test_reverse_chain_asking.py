"""The user is asked last, for what nothing gives; a run goes on exactly where it was (Reverse Chain, 2.1)."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.support.reverse_chain_stage import (
    BOOK,
    MADE,
    NOBODY,
    THREAD,
    Chain,
    booking,
    from_api,
    settings_of,
    typed_api,
    value,
    without,
)
from tests.support.savers import question_of, saving
from toolquiver.models import scripted

pytestmark = pytest.mark.usefixtures("strict")


@pytest.fixture(params=["memory", "sqlite"])
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


def test_what_nobody_gives_is_asked_last_and_all_together_with_type_and_why(saver):
    chain = booking(without("person_name", "end_time"))
    question = question_of(chain.ask(BOOK, saver=saver))
    assert chain.caller.made == [], "the user is asked before anything is called"
    assert [(entry["key"], entry["type"], entry["why"]) for entry in question["missing"]] == [
        ("end_time_0", "string", "BookRoom needs end_time, for: do it."),
        ("person_name", "string", "Name2ID needs person_name, for: person_ID of BookRoom."),
        ("end_time_2", "string", "RecommendRoom needs end_time, for: room_ID of BookRoom."),
    ]
    whole = question["response_schema"]["anyOf"][0]
    assert whole["required"] == ["end_time_0", "person_name", "end_time_2"]
    asked = len(chain.asked)
    reply = {"end_time_0": "10am", "person_name": "Jack", "end_time_2": "10am"}
    result = chain.ask(Command(resume=reply), saver=saver)
    assert (result["status"], result["unfilled"], chain.caller.made) == ("solved", [], MADE)
    assert [title for title, _ in chain.asked[asked:]] == ["Places", "Places", "Answer"], "nothing is decided twice"


def test_a_single_value_need_not_be_named(saver):
    chain = booking(without("person_name"))
    chain.ask(BOOK, saver=saver)
    assert chain.ask(Command(resume="Jack"), saver=saver)["status"] == "solved"
    assert chain.caller.made == MADE


def test_a_reply_that_does_not_fit_is_asked_for_again(saver):
    chain = Chain(typed_api("look", {"n": "integer"}), policy=lambda *_: NOBODY, respond=lambda *_: "ok")
    chain.ask(saver=saver)
    again = question_of(chain.ask(Command(resume={"n": "many"}), saver=saver))
    assert again["question"].startswith("n: 'many' is not of type 'integer'.")
    result = chain.ask(Command(resume={"n": "12"}), saver=saver)
    assert (result["status"], chain.caller.made) == ("solved", [("look", {"n": 12})])


def test_three_wrong_replies_end_the_asking():
    chain, saver = Chain(typed_api("look", {"n": "integer"}), policy=lambda *_: NOBODY, respond=None), InMemorySaver()
    chain.ask(saver=saver)
    for _ in range(2):
        assert question_of(chain.ask(Command(resume={"n": "many"}), saver=saver))
    result = chain.ask(Command(resume={"n": "many"}), saver=saver)
    assert (result["status"], result["reason"], chain.caller.made) == ("failed", "do it: Not known: n.", [])


@pytest.mark.parametrize("reply", ["refuse", None, "", {"person_name": "refuse"}])
def test_a_refusal_ends_the_task_with_what_is_missing(reply):
    chain, saver = booking(without("person_name")), InMemorySaver()
    chain.ask(BOOK, saver=saver)
    result = chain.ask(Command(resume={"person_name": ""} if reply is None else reply), saver=saver)
    assert (result["status"], result["calls"]) == ("failed", [])
    assert [entry["name"] for entry in result["unfilled"]] == ["person_name"]


@pytest.mark.parametrize("kept", [True, False])
def test_nobody_is_asked_where_nobody_may_be(kept):
    chain = booking(without("person_name"))
    result = chain.ask(BOOK, saver=InMemorySaver() if kept else None, **({"ask": False} if kept else {}))
    assert (result["status"], result["reason"]) == ("failed", "do it: Not known: person_name.")
    assert [entry["name"] for entry in result["unfilled"]] == ["person_name"]


def test_the_other_tasks_are_done_where_one_lacks_something():
    look = typed_api("look", {"note": "string"}, {"text": "string"})
    chain = Chain(
        typed_api("find", {"name": "string"}, {"id": "integer"}),
        look,
        policy=lambda name, *_: value("x") if name == "note" else NOBODY,
        respond=lambda *_: "ok",
        tasks=[("find somebody", "find"), ("look at x", "look")],
    )
    result = chain.ask()
    assert (result["status"], chain.caller.made) == ("partial", [("look", {"note": "x"})])
    assert result["reason"] == "Missing: find somebody: Not known: name."
    assert "Not done: find somebody: Not known: name." in chain.texts("Answer")[0]


def test_the_user_is_asked_for_what_no_other_api_gives_after_a_call_failed(saver):
    apis = typed_api("find", {}, {"id": "integer"}), typed_api("details", {"id": "integer"})
    chain = Chain(
        *apis,
        policy=lambda _, offered, __: from_api("find") if offered else NOBODY,
        respond=lambda api, _: {} if api.name == "find" else "ok",
    )
    question = question_of(chain.ask(saver=saver))
    assert [entry["name"] for entry in question["missing"]] == ["id"]
    assert chain.ask(Command(resume=3), saver=saver)["status"] == "solved"
    assert chain.caller.made == [("find", {}), ("details", {"id": 3})]


def test_definitions_of_two_arguments_do_not_mix():
    def defined(name, kind):
        api = typed_api(name, {"it": {"$ref": "#/$defs/It"}})
        return api.model_copy(update={"parameters": api.parameters | {"$defs": {"It": {"type": kind}}}})

    apis, saver = [defined("one", "integer"), defined("two", "boolean")], InMemorySaver()
    tasks = [("one", "one"), ("two", "two")]
    chain = Chain(*apis, policy=lambda *_: NOBODY, respond=lambda *_: "ok", tasks=tasks)
    schema = question_of(chain.ask(saver=saver))["response_schema"]
    assert schema["$defs"] == {"it_0.It": {"type": "integer"}, "it_1.It": {"type": "boolean"}}
    result = chain.ask(Command(resume={"it_0": "7", "it_1": "true"}), saver=saver)
    assert result["status"] == "solved"
    assert chain.caller.made == [("one", {"it": 7}), ("two", {"it": True})]


# ---- approval


def test_a_call_that_may_write_waits_for_approval(saver):
    chain = booking()
    question = question_of(chain.ask(BOOK, saver=saver, approval="writes"))
    assert (question["api"], len(chain.caller.made)) == ("tests/tests/bookroom", 2)
    result = chain.ask(Command(resume="approve"), saver=saver, approval="writes")
    assert (result["status"], chain.caller.made) == ("solved", MADE)


def test_a_refused_call_is_not_made_and_resuming_does_not_loosen_the_setting():
    chain, saver = booking(), InMemorySaver()
    chain.ask(BOOK, saver=saver, approval="writes")
    result = chain.ask(Command(resume="refuse"), saver=saver, approval="never")
    assert (result["status"], result["calls"][-1]["failure"]) == ("failed", "blocked")
    assert chain.caller.made == MADE[:2]


# ---- resuming


class KilledError(Exception):
    """Stands for the end of a process."""


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_run_that_is_killed_at_any_question_goes_on_where_it_was(kind, tmp_path):
    whole = booking()
    expected = whole.ask(BOOK)
    for place in range(len(whole.asked)):
        chain, left = booking(), [place]

        def kill(messages, schema, chain=chain, left=left):
            left[0] -= 1
            if left[0] == -1:
                raise KilledError
            return Chain.__call__(chain, messages, schema)

        with saving(kind, tmp_path / f"state{place}.db") as saver:
            compiled = chain.build(model=scripted(kill), checkpointer=saver)
            asked = {"query": BOOK, "candidates": chain.ids}
            with pytest.raises(KilledError):
                compiled.invoke(asked, THREAD, context=settings_of(), durability="sync")
            result = compiled.invoke(None, THREAD, context=settings_of())
        assert result == expected
        assert chain.caller.made == MADE


def test_the_stack_is_in_the_state_and_the_run_resumes_exactly_there(saver):
    chain = booking()
    compiled = chain.build(checkpointer=saver)
    asked = {"query": BOOK, "candidates": chain.ids}
    compiled.invoke(asked, THREAD, context=settings_of(), interrupt_before=["push"])
    stacks = []
    while compiled.get_state(THREAD).next:
        stacks.append(compiled.get_state(THREAD).values["stack"])
        json.dumps(compiled.get_state(THREAD).values["frames"])
        result = compiled.invoke(None, THREAD, context=settings_of(), interrupt_before=["push"])
    assert stacks == [[0], [0]]
    assert (result["status"], chain.caller.made) == ("solved", MADE)
    titles = ["Tasks", "Outcomes", "Outcomes", "Outcomes", "Places", "Places", "Answer"]
    assert chain.titles() == titles, "nothing is decided twice"
