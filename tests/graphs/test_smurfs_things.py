"""Where APIs need IDs that others give, Smurfs plans by a script about things, and a chain makes its calls."""

import json

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.graphs.chains import a_typed_api
from tests.graphs.script import SOURCE, Stage, failing
from toolquiver.context import Context

TEXTS = {"type": "array", "items": {"type": "string"}}
APIS = [
    *(a_typed_api(f"albums_{number}", {"year": "integer"}, {"names": "string"}) for number in range(3)),
    a_typed_api("find", {"name": "string"}, {"artist_id": "string"}),
    a_typed_api("albums_of_artist", {"artist_id": "string"}, {"albums": TEXTS}),
    a_typed_api("photos_of_artist", {"artist_id": "string"}, {"photos": TEXTS}),
]
QUERY = "Which albums are of the artist Miles Davis?"
SCRIPT = "# the artist\nartist = find('Miles Davis')\n# the albums\nanswer = albums_of_artist(artist)"
TWO = f"{SCRIPT}\n# the photos\nphotos = photos_of_artist(artist)"
MADE = [("find", {"name": "Miles Davis"}), ("albums_of_artist", {"artist_id": "A7"})]


def respond(api, _):
    return json.dumps({"artist_id": "A7"} if api.name == "find" else {"albums": ["Kind of Blue"], "photos": ["1.jpg"]})


def a_stage(text=SCRIPT, respond=respond, **answers):
    apis = [one.model_copy(update={"source": SOURCE}) for one in APIS]
    return Stage(*apis, respond=respond, Text=text, **answers)


def ask(stage, query=QUERY, *, checkpointer=None, **settings):
    graph = stage.build(checkpointer=checkpointer)
    config = {"configurable": {"thread_id": "1"}, "recursion_limit": 200}
    context = Context(**{"call_retries": 0, "top_k": 2} | settings)
    return graph.invoke({"query": query, "candidates": stage.ids}, config, context=context)


@pytest.mark.parametrize("saver", [None, InMemorySaver()])
def test_the_call_of_a_script_is_made_by_a_chain(saver):
    stage = a_stage()
    result = ask(stage, checkpointer=saver)
    assert stage.caller.made == MADE
    assert (result["status"], result["subtasks"]) == ("solved", [QUERY])
    assert stage.script.titles() == ["Text", "Digest", "Verdict"]


def test_several_calls_are_several_subtasks():
    stage = a_stage(TWO)
    result = ask(stage, "Albums and photos of the artist Miles Davis")
    assert result["subtasks"] == ["the albums", "the photos"]
    assert [name for name, _ in stage.caller.made] == ["find", "albums_of_artist", "photos_of_artist"]


def test_a_call_that_fails_is_rolled_back_and_another_tool_is_chosen():
    def broken(api, arguments):
        return "" if api.name == "albums_of_artist" else respond(api, arguments)

    stage = a_stage(respond=broken)
    ask(stage)
    assert stage.caller.made[:2] == MADE
    assert {"Thought", "Choice"} & set(stage.script.titles())


def test_what_the_search_does_not_give_is_not_looked_for_elsewhere():
    stage = a_stage(respond=failing("find"))
    result = ask(stage, max_steps=1)
    assert stage.caller.made[0] == MADE[0]
    failed = [(call["api"].rsplit("/", 1)[1], call["failure"]) for call in result["calls"] if not call["ok"]]
    assert failed[:2] == [("find", "tool_error"), ("albums_of_artist", "invalid_arguments")]


@pytest.mark.parametrize("settings", [{"drafts": False}, {"top_k": len(APIS)}, {"planner": False}])
def test_without_drafts_planner_or_many_apis_no_script_is_asked_for(settings):
    stage = a_stage()
    ask(stage, **settings)
    assert not any("artist)" in text for text in stage.script.texts("Text"))


def test_what_is_no_script_leaves_the_plan_to_the_planner():
    stage = a_stage("I do not know.")
    ask(stage)
    assert "Plan" in stage.script.titles()
