"""The Reverse Chain graph: backwards, deepest call first, nothing called twice, values only from where they may be."""

import asyncio

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.chains import (
    BOOK,
    MADE,
    NESTED,
    THREAD,
    Chain,
    a_typed_api,
    as_json,
    asked,
    booking,
    books,
    resumed,
    value,
    without,
)
from toolquiver.context import Context
from toolquiver.errors import InputError

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

pytestmark = pytest.mark.usefixtures("strict")


@pytest.mark.parametrize("kind", ["none", "memory", "sqlite"])
def test_the_example_of_the_paper(kind, tmp_path):
    chain = booking()
    if kind == "sqlite":
        with sqlite.SqliteSaver.from_conn_string(str(tmp_path / "state.db")) as saver:
            result = chain.ask(BOOK, checkpointer=saver, config=THREAD)
    else:
        result = chain.ask(BOOK, checkpointer=InMemorySaver() if kind == "memory" else None, config=THREAD)
    assert sorted(chain.caller.made[:2], key=str) == MADE[:2]
    assert chain.caller.made[2] == MADE[2]
    assert result["plan"] == [NESTED]
    assert (result["answer"], result["status"], result["unfilled"]) == ("Done.", "solved", [])
    assert chain.titles() == ["Choice", "Completion", "Completion", "Completion", "Digest"]


def money(says):
    """A chain of one API, of whose response the model says this."""
    paid = a_typed_api("money_of", {"country": "string"}, {"currency": "string", "code": "string"})
    chain = Chain(
        paid,
        policy=lambda *_: value("Norway"),
        respond=as_json(lambda *_: {"currency": "krone", "code": "NOK"}),
        Digest={"answer": says},
    )
    return chain.ask("What are the currency and the code of the money of Norway?")["answer"]


def test_what_cannot_be_said_without_inventing_is_told_in_words_and_what_is_left_out_comes_behind():
    assert money("It is 451.") == 'money_of(country="Norway") gives currency krone, code NOK'
    assert money("It is the krone.") == "It is the krone. Also: code NOK."


def test_an_async_run_is_the_same():
    chain, other = booking(), booking()
    asked = {"query": BOOK, "candidates": other.ids}
    result = asyncio.run(other.build().ainvoke(asked, context=Context(planner=False, drafts=False)))
    assert result == chain.ask(BOOK)


def test_planned_only_nothing_is_called_and_nobody_asked():
    chain = booking()
    result = chain.ask(BOOK, plan_only=True)
    assert (result["answer"], result["status"], result["calls"]) == (NESTED, "solved", [])
    assert [(node["parent"], node["label"]) for node in result["tree"]] == [
        (None, ""),
        (0, ""),
        (1, "person_ID"),
        (1, "room_ID"),
    ]
    chain = booking(without("person_name"))
    result = chain.ask(BOOK, plan_only=True, checkpointer=InMemorySaver(), config=THREAD)
    assert "Name2ID(person_name=?)" in result["answer"]
    assert [entry["name"] for entry in result["unfilled"]] == ["person_name"]
    assert (result["status"], chain.caller.made) == ("partial", [])


def test_an_api_is_offered_only_where_its_output_fits():
    chain = booking()
    chain.ask(BOOK)
    offered = dict(chain.offered)
    assert offered["person_ID"] == ["Name2ID"]
    assert offered["room_ID"] == ["RecommendRoom"]


def test_a_value_that_stands_nowhere_is_refused_asked_for_again_and_then_not_taken():
    def invents(name, offered, _):
        return value(12345) if name == "person_ID" else books(name, offered, _)

    chain = booking(invents)
    result = chain.ask(BOOK)
    again = [text for text in chain.texts("Completion") if "Not valid: person_ID: 12345 stands in no text" in text]
    assert len(again) == 2, "the second time an API alone may give it"
    assert [offered for name, offered in chain.offered if name == "person_ID"] == [["Name2ID"]] * 3
    assert [entry["name"] for entry in result["unfilled"]] == ["person_ID"]
    assert (result["status"], result["calls"]) == ("failed", [])


def test_what_is_refused_twice_is_asked_of_the_user():
    chain = booking(lambda name, *more: value("Jill") if name == "person_name" else books(name, *more))
    saver = InMemorySaver()
    question = asked(chain.ask(BOOK, checkpointer=saver, config=THREAD))
    assert [entry["name"] for entry in question["missing"]] == ["person_name"]
    assert resumed(chain, saver, "Jill")["status"] == "solved"


def test_a_value_that_is_refused_may_come_from_an_api_the_second_time():
    def learns(name, offered, text):
        if name == "person_ID" and "Not valid" not in text:
            return value(12345)
        return books(name, offered, text)

    assert booking(learns).ask(BOOK)["plan"] == [NESTED]


@pytest.mark.parametrize("turn", ["I am Jack.", HumanMessage("I am Jack."), {"role": "user", "content": "I am Jack."}])
def test_a_turn_of_the_conversation_may_be_a_message(turn):
    chain = booking()
    assert chain.ask(BOOK, conversation=[turn])["status"] == "solved"
    assert all("Said before: I am Jack." in text for text in chain.texts("Completion"))


@pytest.mark.parametrize("conversation", ["I am Jack.", [5], [["Jack"]], {"role": "user"}])
def test_what_is_no_conversation_is_refused_before_a_model_is_asked(conversation):
    chain = booking()
    with pytest.raises(InputError, match="Give a list, with a text or a message a turn"):
        chain.build().invoke({"query": BOOK, "conversation": conversation})
    assert chain.asked == []


def test_values_come_from_the_conversation_too():
    chain = booking()
    result = chain.ask("Book it for him from 9am to 10am.", conversation=["I need a room for Jack.", "Which time?"])
    assert result["status"] == "solved"


def test_without_an_api_it_says_so():
    chain = booking()
    result = chain.ask(BOOK, candidates=[])
    assert (result["status"], result["reason"], chain.asked) == ("failed", "No API fits this.", [])


def test_a_spent_budget_ends_it_with_the_reason():
    result = booking().ask(BOOK, token_budget=900)
    assert result["status"] == "failed"
    assert "budget" in result["reason"]


def test_a_second_query_on_a_thread_begins_afresh():
    chain, saver = booking(), InMemorySaver()
    first = chain.ask(BOOK, checkpointer=saver, config=THREAD, conversation=["Before."])
    again = chain.ask(BOOK, checkpointer=saver, config=THREAD)
    assert again["calls"] == first["calls"]
    assert "Said before" not in chain.texts("Completion")[-1]


GOALS = "Book a room for Jack from 9am to 10am and find the id of Jill."


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        (["Book a room for Jack from 9am to 10am.", "Find the id of Jill."], 2),
        (["Find the id of Jack.", "Find the id of Jill."], 1),
        (["Book a room for Jack from 9am to 10am and find the id of Jill.", "Book a room."], 1),
    ],
)
def test_the_planner_s_goals_are_taken_when_they_are_the_request_s(goals, expected):
    chain = booking(Goals={"goals": goals})
    result = chain.ask(GOALS, planner=True)
    assert len(result["subtasks"]) == expected
    assert chain.titles().count("Goals") == 1


def test_a_call_that_may_write_waits_for_approval():
    chain, saver = booking(), InMemorySaver()
    question = asked(chain.ask(BOOK, checkpointer=saver, config=THREAD, approval="writes"))
    assert question["api"] == "tests/tests/bookroom"
    assert len(chain.caller.made) == 2
    result = chain.build(checkpointer=saver).invoke(
        Command(resume="approve"), THREAD, context=Context(planner=False, drafts=False, approval="writes")
    )
    assert (result["status"], len(chain.caller.made)) == ("solved", 3)


def test_a_call_that_is_refused_without_the_setting_is_refused():
    chain, saver = booking(), InMemorySaver()
    chain.ask(BOOK, checkpointer=saver, config=THREAD, approval="writes")
    settings = Context(planner=False, drafts=False)
    result = chain.build(checkpointer=saver).invoke(Command(resume="refuse"), THREAD, context=settings)
    assert result["calls"][-1]["failure"] == "blocked"
    assert "BookRoom" not in [name for name, _ in chain.caller.made]
