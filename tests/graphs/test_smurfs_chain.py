"""Smurfs with `chain_fill`: its executor's arguments are looked up backwards."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.chains import BOOK, BOOKING, TIMES, a_typed_api, from_api, rooms, value
from tests.graphs.script import Stage, options
from toolquiver.calling import CallError
from toolquiver.context import Context
from toolquiver.models import tokens
from toolquiver.nodes.chain.completion_types import NOBODY


def a_stage(**sources):
    def completion(question):
        known = TIMES | {"person_ID": from_api("Name2ID"), "room_ID": from_api("RecommendRoom")} | sources
        return {name: known[name] for name in question.schema["properties"]}

    return Stage(
        *BOOKING,
        respond=lambda api, arguments: json.dumps(rooms(api, arguments)),
        Completion=completion,
        Choice=lambda question: {"tool": "BookRoom" if "BookRoom" in options(question) else options(question)[0]},
    )


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_what_the_chosen_tool_needs_is_looked_up_backwards(saver):
    stage = a_stage()
    settings = Context(chain_fill=True, planner=False, call_retries=0, approval="never")
    graph = stage.build(checkpointer=saver, context=settings)
    result = graph.invoke({"query": BOOK, "candidates": stage.ids}, {"configurable": {"thread_id": "one"}})
    assert result["status"] == "solved"
    assert sorted(name for name, _ in stage.caller.made[:2]) == ["Name2ID", "RecommendRoom"]
    assert [name for name, _ in stage.caller.made[2:]] == ["BookRoom"]
    assert [call["api"] for call in result["calls"]] == [
        "tests/tests/name2id",
        "tests/tests/recommendroom",
        "tests/tests/bookroom",
    ]
    assert "Arguments" not in stage.script.titles()
    assert result["usage"]["complete"]["calls"] == 3, "nothing is counted twice"
    assert sum(spent["calls"] for spent in result["usage"].values()) == len(stage.script.asked)
    assert tokens(result["usage"]) > 0


def test_what_is_missing_is_a_failure_of_the_tool():
    stage = a_stage(person_name={"from": NOBODY})
    result = stage.ask(BOOK, chain_fill=True, planner=False)
    refused = next(call for call in result["calls"] if not call["ok"])
    assert (refused["api"], refused["failure"]) == ("tests/tests/bookroom", "invalid_arguments")
    assert "person_name" in refused["message"]


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_an_option_that_nobody_spoke_of_is_taken_where_nobody_is_asked(saver):
    api = a_typed_api("paint", {"gloss": {"enum": ["matt", "shiny"]}}, {})
    stage = Stage(api, Completion={"gloss": value("shiny")})
    graph = stage.build(checkpointer=saver, context=Context(chain_fill=True, planner=False, call_retries=0))
    query = {"query": "Do the wall.", "candidates": stage.ids}
    result = graph.invoke(query, {"configurable": {"thread_id": "option"}})
    assert (result["status"], stage.caller.made) == ("solved", [("paint", {"gloss": "shiny"})])


def test_what_a_chain_has_looked_up_is_not_looked_up_again_for_the_next_tool():
    reserve = BOOKING[2].model_copy(update={"id": "tests/tests/reserveroom", "name": "ReserveRoom"})

    def respond(api, arguments):
        if api.name == "BookRoom":
            raise CallError("server_error", "It is down.")
        return json.dumps(rooms(api, arguments) if api.name != "ReserveRoom" else {"room_info": "Room R2 is yours."})

    known = TIMES | {"person_ID": from_api("Name2ID"), "room_ID": from_api("RecommendRoom")}
    stage = Stage(
        *BOOKING,
        reserve,
        respond=respond,
        Completion=lambda question: {name: known[name] for name in question.schema["properties"]},
        Choice=lambda question: {
            "tool": next(name for name in ("BookRoom", "ReserveRoom") if name in options(question))
        },
    )
    result = stage.ask(BOOK, chain_fill=True, planner=False, call_retries=0)
    assert result["status"] == "solved"
    assert sorted(name for name, _ in stage.caller.made) == ["BookRoom", "Name2ID", "RecommendRoom", "ReserveRoom"]
    assert stage.caller.made[-1][1]["person_ID"] == 17


def test_a_spent_budget_ends_it():
    stage = a_stage()
    result = stage.ask(BOOK, chain_fill=True, planner=False, token_budget=1_200)
    assert "budget" in result["reason"]


def test_a_tool_that_needs_much_from_others_is_not_looked_up_without_end():
    letters = "abcde"
    chain = [
        a_typed_api("goal", {f"{letter}_code": "string" for letter in letters}, {"answer": "string"}),
        *(a_typed_api(f"get_{one}_code", {f"{one}_key": "string"}, {f"{one}_code": "string"}) for one in letters),
        *(a_typed_api(f"get_{one}_key", {f"{one}_word": "string"}, {f"{one}_key": "string"}) for one in letters),
    ]

    def completion(question):
        kinds = {name: part["anyOf"] for name, part in question.schema["properties"].items()}
        offered = {
            name: [api for way in ways for api in way["properties"]["from"].get("enum", ())]
            for name, ways in kinds.items()
        }
        return {name: from_api(apis[0]) if apis else {"from": NOBODY} for name, apis in offered.items()}

    choice = {"Choice": lambda question: {"tool": "goal" if "goal" in options(question) else options(question)[0]}}
    stage = Stage(*chain, respond=lambda *_: "{}", Completion=completion, **choice)
    result = stage.ask("Reach the goal.", chain_fill=True, planner=False, max_steps=1)
    assert result["status"] == "failed"
    assert stage.script.titles().count("Completion") <= 40, "six tools; 139 without limits"
