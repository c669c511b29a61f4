"""What a solver of AnyTool may call with: what an API requires is not made up."""

import json

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from tests.graphs.script import an_api
from tests.graphs.searching import Policy, Search
from toolquiver.calling import CallError
from toolquiver.contexts import AnyToolContext
from toolquiver.graphs import anytool
from toolquiver.nodes.solver.perform import results

PLACE = an_api("place_of", inputs={"name": "string"}, outputs=["latitude"])
NEAR = an_api("near", inputs={"latitude": "number"})
ANSWER = ("give_answer", {"answer": "It is so."})


def solved(*requests, respond=None, query="What is near Lisbon?", **settings):
    """What comes of a solver that makes these calls one after the other, and what it was told of each."""
    left, told = list(requests), {}

    def play(messages, schema):
        offered = {one["name"] for one in schema["functions"]}
        told.update({one.tool_call_id: one for one in messages if isinstance(one, ToolMessage)})
        request = left.pop(0) if left else ("give_up", {"reason": "No.", "failed": []})
        return [request if request[0] in offered else ("give_up", {"reason": "No.", "failed": []})]

    search = Search(Policy(solver=play), graph=anytool)
    search.catalog.add(PLACE, NEAR)
    search.caller.respond = respond or (
        lambda api, _: json.dumps({"latitude": 38.72}) if api.name == PLACE.name else "Sintra"
    )
    context = AnyToolContext(max_reflections=0, max_turns=6, branches=6, **settings)
    result = search.build().invoke({"query": query, "candidates": [PLACE.id, NEAR.id]}, context=context)
    return result, list(told.values())


def made(result):
    return [(call["api"].split("/")[-1], call["ok"], call["failure"]) for call in result["calls"]]


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_a_value_that_stands_nowhere_is_not_sent(solver):
    result, told = solved(("near", {"latitude": 38.7}), ("near", {"latitude": 40.4}), solver=solver)
    assert made(result) == [("near", False, "invalid_arguments")] * 2
    assert result["calls"][0]["message"].startswith("latitude would be made up")
    assert all(message.status == "error" for message in told)


@pytest.mark.parametrize("solver", ["dfsdt", "react"])
def test_what_a_tool_has_returned_or_the_request_says_may_be_sent(solver):
    result, _ = solved(("place_of", {"name": "Lisbon"}), ("near", {"latitude": 38.72}), ANSWER, solver=solver)
    assert made(result) == [("place_of", True, None), ("near", True, None)]
    assert result["status"] == "solved"
    result, _ = solved(("near", {"latitude": 48.1}), ANSWER, query="What is near 48.1 degrees?", solver=solver)
    assert result["status"] == "solved"


def test_what_a_tool_returned_on_a_way_that_was_gone_back_from_may_be_sent():
    back = ("give_up_and_restart", {"reason": "It leads nowhere."})
    result, _ = solved(("place_of", {"name": "Lisbon"}), back, ("near", {"latitude": 38.72}), ANSWER, solver="dfsdt")
    assert made(result) == [("place_of", True, None), ("near", True, None)]


def test_what_a_failed_call_has_echoed_is_still_made_up():
    def respond(api, arguments):
        raise CallError("tool_error", f"{arguments} cannot be used, try 41.15.")

    result, _ = solved(("place_of", {"name": "Lisbon"}), ("near", {"latitude": 41.15}), respond=respond, solver="react")
    assert made(result) == [("place_of", False, "tool_error"), ("near", False, "invalid_arguments")]


def test_without_grounding_it_is_sent():
    result, _ = solved(("near", {"latitude": 38.7}), ANSWER, solver="react", grounding=False)
    assert (made(result), result["status"]) == ([("near", True, None)], "solved")


def test_what_registration_said_is_no_result_where_every_turn_numbers_its_calls_anew():
    said = [
        message
        for name, text in (("tool_register", "near is registered."), ("near", "Sintra"))
        for message in (
            AIMessage("", tool_calls=[{"name": name, "args": {}, "id": "call_0"}]),
            ToolMessage(text, tool_call_id="call_0"),
        )
    ]
    assert results(said) == ["Sintra"]
