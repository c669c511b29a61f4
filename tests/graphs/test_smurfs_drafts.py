"""Few given tools of which one feeds another: Smurfs plans by a nested call, which a chain makes."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.chains import BOOK, BOOKING, a_typed_api, rooms
from tests.graphs.script import SOURCE, Stage, an_api
from toolquiver.context import Context
from toolquiver.graphs import reverse_chain, smurfs
from toolquiver.models import scripted

NESTED = "BookRoom(Name2ID('Jack')['person_ID'], RecommendRoom('9am', '10am'), '9am', '10am')"
MADE = ["Name2ID", "RecommendRoom", "BookRoom"]


def respond(api, arguments):
    return json.dumps(rooms(api, arguments))


def a_stage(call=NESTED):
    return Stage(*BOOKING, respond=respond, Drafted={"call": call}, Scripted={"lines": [call]})


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_the_nested_call_is_the_plan_and_a_chain_makes_it(saver):
    stage = a_stage()
    graph = stage.build(checkpointer=saver, context=Context(call_retries=0, approval="never"))
    result = graph.invoke({"query": BOOK, "candidates": stage.ids}, {"configurable": {"thread_id": "one"}})
    assert sorted(name for name, _ in stage.caller.made[:2]) == MADE[:2]
    assert stage.caller.made[2:] == [
        ("BookRoom", {"person_ID": 17, "room_ID": "R2", "start_time": "9am", "end_time": "10am"})
    ]
    assert (result["status"], result["subtasks"]) == ("solved", [BOOK])
    assert stage.script.titles() == ["Drafted", "Digest", "Verdict"]


def test_a_number_that_a_call_of_the_chain_took_is_taken():
    worth = {"nth_prime": {"result": 107}, "number_to_words": {"text": "one hundred and seven"}}
    stage = Stage(
        a_typed_api("nth_prime", {"n": "integer"}, {"result": "integer"}, description="The nth prime number."),
        a_typed_api("number_to_words", {"number": "integer"}, {"text": "string"}, description="A number in words."),
        respond=lambda api, _: json.dumps(worth[api.name]),
        Drafted={"call": "number_to_words(nth_prime(28))"},
    )
    result = stage.ask("How is the 28th prime written in words?")
    assert [name for name, _ in stage.caller.made] == ["nth_prime", "number_to_words"]
    assert (result["status"], stage.script.titles()) == ("solved", ["Drafted", "Digest", "Verdict"])


@pytest.mark.parametrize("settings", [{"drafts": False}, {"planner": False}, {"top_k": 2}])
def test_without_drafts_planner_or_with_many_tools_none_is_written(settings):
    stage = a_stage()
    stage.ask(BOOK, **settings)
    assert "Drafted" not in stage.script.titles()


def test_tools_that_do_not_feed_each_other_are_planned_by_the_planner():
    stage = Stage(an_api("alpha"), an_api("bravo"))
    stage.ask("Where are Alpha and Bravo?")
    assert {"Drafted", "Plan"} & set(stage.script.titles()) == {"Plan"}


def test_what_is_no_nested_call_leaves_the_plan_to_the_planner():
    stage = a_stage(call="I do not know.")
    stage.ask(BOOK)
    assert stage.script.titles()[:5] == ["Drafted", "Drafted", "Scripted", "Scripted", "Plan"]


@pytest.mark.parametrize("build", [smurfs.build, reverse_chain.build])
def test_what_a_call_of_the_chain_returned_is_no_invention(build):
    said = "The sun sets at 18:22 in Nairobi, Kenya."
    returned = {"capital": {"capital": "Nairobi", "country_code": "KE"}, "sunset": {"time": "18:22"}}
    stage = Stage(
        a_typed_api("capital", {"country": "string"}, {"capital": "string"}, description="The capital of a country."),
        a_typed_api("sunset", {"capital": "string"}, {"time": "string"}, description="When the sun sets in a capital."),
        respond=lambda api, _: json.dumps(returned[api.name]),
        Drafted={"call": "sunset(capital('Gikuyuland'))"},
        Digest={"answer": said},
    )
    graph = build(model=scripted(stage.script), catalog=stage.catalog, callers={SOURCE: stage.caller})
    result = graph.invoke({"query": "When does the sun set in the capital of Gikuyuland?", "candidates": stage.ids})
    assert (result["status"], result["answer"]) == ("solved", said)


def test_what_a_call_took_is_not_told_besides():
    weekday = {"date": "2038-05-20", "weekday": "Thursday"}
    returned = {"easter_date": {"date": "2038-05-20"}, "day_of_week": weekday}
    stage = Stage(
        a_typed_api("easter_date", {"year": "integer"}, {"date": "string"}, description="Easter of a year."),
        a_typed_api("day_of_week", {"date": "string"}, dict.fromkeys(weekday, "string"), description="A weekday."),
        respond=lambda api, _: json.dumps(returned[api.name]),
        Drafted={"call": "day_of_week(easter_date(2038))"},
        Digest={"answer": "It is a Thursday."},
    )
    assert stage.ask("What day of the week is the date of Easter 2038?")["answer"] == "It is a Thursday."
