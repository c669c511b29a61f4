"""Reverse Chain asks the user: everything that is missing at once, with a form, and what is good is kept."""

import json

import pytest
from jsonschema import Draft202012Validator
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.chains import (
    BOOK,
    BOOKING,
    NONE,
    THREAD,
    Chain,
    a_typed_api,
    as_json,
    asked,
    booking,
    books,
    from_api,
    resumed,
    rooms,
    value,
    without,
)
from toolquiver.context import Context

pytestmark = pytest.mark.usefixtures("strict")


def test_what_is_missing_is_asked_together_with_what_it_is_and_why():
    chain = booking(without("person_name", "start_time", "end_time"))
    saver = InMemorySaver()
    result = chain.ask(BOOK, checkpointer=saver, config=THREAD)
    question = asked(result)
    assert json.loads(json.dumps(question)) == question
    assert [(entry["name"], entry["type"]) for entry in question["missing"]] == [
        ("start_time", "string"),
        ("end_time", "string"),
        ("person_name", "string"),
        ("start_time", "string"),
        ("end_time", "string"),
    ]
    assert question["missing"][2]["why"] == "Name2ID needs it for person_ID of BookRoom"
    schema = question["response_schema"]
    keys = [entry["key"] for entry in question["missing"]]
    assert list(schema["properties"]) == schema["required"] == keys
    assert result["__interrupt__"][0].response_schema == schema
    assert chain.caller.made == []
    given = dict(zip(keys, ["8:00", "9:00", "Jill", "8:00", "9:00"], strict=True))
    form = Draft202012Validator(schema)
    assert form.is_valid(given)
    assert form.is_valid("refuse")
    assert not form.is_valid("Jill")
    assert not form.is_valid({"person_name": "Jill"})
    told = question["question"]
    assert "start_time_0 (BookRoom needs it for the request), " in told
    assert "person_name, start_time_2 (RecommendRoom needs it for room_ID of BookRoom)" in told
    result = chain.build(checkpointer=saver).invoke(
        Command(resume=given), THREAD, context=Context(planner=False, drafts=False)
    )
    assert result["status"] == "solved"
    assert result["unfilled"] == []
    assert chain.caller.made[-1][1]["start_time"] == "8:00"
    assert ("Name2ID", {"person_name": "Jill"}) in chain.caller.made


@pytest.mark.parametrize(
    ("query", "schema", "given"),
    [
        ("Paint the wall.", {"enum": ["red", "blue"]}, "red"),
        ("Paint the wall.", {"type": "boolean"}, True),
    ],
)
@pytest.mark.parametrize("asks", [True, False])
def test_an_option_that_nobody_spoke_of_is_asked_of_the_user_if_there_is_one(query, schema, given, asks):
    api = a_typed_api("paint", {"gloss": schema}, {})
    chain, saver = Chain(api, policy=lambda *_: value(given), respond=as_json(lambda *_: "Done.")), InMemorySaver()
    result = chain.ask(query, **({"checkpointer": saver, "config": THREAD} if asks else {}))
    if asks:
        assert [entry["name"] for entry in asked(result)["missing"]] == ["gloss"]
        assert f"Not valid: gloss: nobody has said that it is {given!r}" in chain.texts("Completion")[-1]
        result = resumed(chain, saver, {"gloss": given})
    assert (result["status"], chain.caller.made) == ("solved", [("paint", {"gloss": given})])


def test_a_form_has_the_options():
    api = a_typed_api("paint", {"colour": {"enum": ["red", "blue"], "description": "of the wall"}}, {})
    chain = Chain(api, policy=lambda *_: NONE, respond=as_json(lambda *_: "Done."))
    (entry,) = (question := asked(chain.ask("Paint it.", checkpointer=InMemorySaver(), config=THREAD)))["missing"]
    assert (entry["enum"], entry["description"]) == (["red", "blue"], "of the wall")
    shown = question["response_schema"]["properties"]["colour"]
    assert (shown["enum"], shown["description"]) == (["red", "blue"], "of the wall (paint needs it for the request)")


def test_what_a_form_refers_to_lies_at_its_root():
    place = {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}
    api = a_typed_api("visit", {"place": {"$ref": "#/$defs/Place"}}, {})
    api = api.model_copy(update={"parameters": {**api.parameters, "$defs": {"Place": place}}})
    chain = Chain(api, policy=lambda *_: NONE, respond=as_json(lambda *_: "Done."))
    schema = asked(chain.ask("Visit it.", checkpointer=InMemorySaver(), config=THREAD))["response_schema"]
    form = Draft202012Validator(schema)
    assert form.is_valid({"place": {"town": "Lima"}})
    assert not form.is_valid({"place": {"town": 5}})


@pytest.mark.parametrize("answer", ["Jill", {"person_name": "Jill"}])
def test_a_single_missing_argument_need_not_be_named(answer):
    chain, saver = booking(without("person_name")), InMemorySaver()
    chain.ask(BOOK, checkpointer=saver, config=THREAD)
    assert resumed(chain, saver, answer)["status"] == "solved"
    assert ("Name2ID", {"person_name": "Jill"}) in chain.caller.made


@pytest.mark.parametrize("answer", ["Lima", {"city": "Lima"}])
def test_what_gives_two_arguments_is_asked_for_once(answer):
    place = a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"})
    sunset = a_typed_api("sunset", {"latitude": "number", "longitude": "number"}, {"time": "string"})
    chain = Chain(
        place,
        sunset,
        policy=lambda name, offered, _: from_api("place") if "place" in offered else NONE,
        respond=as_json(
            lambda api, _: {"latitude": -12.0, "longitude": -77.0} if api.name == "place" else {"time": "6"}
        ),
        goal="sunset",
    )
    saver = InMemorySaver()
    question = asked(chain.ask("When does the sun set there?", checkpointer=saver, config=THREAD))
    assert [entry["key"] for entry in question["missing"]] == ["city"]
    assert resumed(chain, saver, answer)["status"] == "solved"
    assert chain.caller.made == [("place", {"city": "Lima"}), ("sunset", {"latitude": -12.0, "longitude": -77.0})]


def test_every_missing_argument_has_a_key_of_its_own():
    apis = [
        a_typed_api("go", dict.fromkeys(("x", "y", "x_1"), "string"), {"r": "string"}),
        a_typed_api("mark", {"x": "string"}, {"y": "string"}),
    ]
    chain = Chain(
        *apis,
        policy=lambda name, offered, _: from_api("mark") if name == "y" and "mark" in offered else NONE,
        respond=as_json(lambda *_: {"r": "1", "y": "2"}),
        goal="go",
    )
    saver = InMemorySaver()
    question = asked(chain.ask("Go.", checkpointer=saver, config=THREAD))
    assert [entry["key"] for entry in question["missing"]] == ["x_0", "x_1", "x_1_2"]
    assert list(question["response_schema"]["properties"]) == ["x_0", "x_1", "x_1_2"]
    assert resumed(chain, saver, {"x_0": "a", "x_1": "b", "x_1_2": "c"})["status"] == "solved"
    assert chain.caller.made == [("mark", {"x": "c"}), ("go", {"x": "a", "y": "2", "x_1": "b"})]


PLACE = {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}


@pytest.mark.parametrize("answer", [{"town": "Lima"}, {"place": {"town": "Lima"}}, '{"town": "Lima"}'])
def test_a_single_missing_object_need_not_be_named_either(answer):
    chain = Chain(
        a_typed_api("visit", {"place": PLACE}, {}), policy=lambda *_: NONE, respond=as_json(lambda *_: "Done.")
    )
    saver = InMemorySaver()
    chain.ask("Visit it.", checkpointer=saver, config=THREAD)
    assert "'town' is a required property" in asked(resumed(chain, saver, {"village": "Lima"}))["question"]
    assert resumed(chain, saver, answer)["status"] == "solved"
    assert chain.caller.made == [("visit", {"place": {"town": "Lima"}})]


def test_good_answers_are_kept_and_only_the_others_are_asked_for_again():
    kinds = {"colour": "string", "size": "integer", "coats": "integer"}
    chain = Chain(a_typed_api("paint", kinds, {}), policy=lambda *_: NONE, respond=as_json(lambda *_: "Done."))
    saver = InMemorySaver()
    chain.ask("Paint it.", checkpointer=saver, config=THREAD)
    question = asked(resumed(chain, saver, {"colour": "red", "size": "big", "coats": "many"}))
    assert [entry["key"] for entry in question["missing"]] == ["size", "coats"]
    assert "size: 'big' is not of type 'integer'" in question["question"]
    assert "coats: 'many' is not of type 'integer'" in question["question"]
    assert resumed(chain, saver, {"size": 3, "coats": "2"})["status"] == "solved"
    assert chain.caller.made == [("paint", {"colour": "red", "size": 3, "coats": 2})]


@pytest.mark.parametrize(
    ("items", "answer", "given"),
    [
        ("string", "kitchen, hall", ["kitchen", "hall"]),
        ("string", "kitchen", ["kitchen"]),
        ("string", '["kitchen, small"]', ["kitchen, small"]),
        ("integer", "1, 2", [1, 2]),
    ],
)
def test_a_list_may_be_answered_by_words_with_commas_between(items, answer, given):
    api = a_typed_api("paint", {"rooms": {"type": "array", "items": {"type": items}}}, {})
    chain, saver = Chain(api, policy=lambda *_: NONE, respond=as_json(lambda *_: "Done.")), InMemorySaver()
    chain.ask("Paint it.", checkpointer=saver, config=THREAD)
    assert resumed(chain, saver, {"rooms": answer})["status"] == "solved"
    assert chain.caller.made == [("paint", {"rooms": given})]


@pytest.mark.parametrize("answer", ["refuse", "", False, {"person_name": None}])
def test_a_refused_answer_ends_cleanly(answer):
    chain, saver = booking(without("person_name")), InMemorySaver()
    chain.ask(BOOK, checkpointer=saver, config=THREAD)
    result = resumed(chain, saver, answer)
    if answer is False:  # a value, but no text
        assert "False is not of type 'string'" in asked(result)["question"]
        result = resumed(chain, saver, "refuse")
    assert (result["status"], chain.caller.made) == ("failed", [])
    assert "person_name (string): Name2ID needs it for person_ID of BookRoom" in result["reason"]


def test_an_answer_that_does_not_fit_is_asked_for_again_but_not_for_ever():
    chain, saver = booking(without("person_ID")), InMemorySaver()
    assert not asked(chain.ask(BOOK, checkpointer=saver, config=THREAD)).get("problem")
    assert "is not of type 'integer'" in asked(resumed(chain, saver, "Jack"))["question"]
    assert resumed(chain, saver, "41")["status"] == "solved"
    assert chain.caller.made[-1][1]["person_ID"] == 41
    chain, saver = booking(without("person_ID")), InMemorySaver()
    chain.ask(BOOK, checkpointer=saver, config=THREAD)
    resumed(chain, saver, "Jack")
    resumed(chain, saver, "Jack")
    assert resumed(chain, saver, "Jack")["status"] == "failed"


@pytest.mark.parametrize(
    ("settings", "saver", "thread"),
    [({"ask": False}, InMemorySaver(), THREAD), ({}, None, None), ({}, None, THREAD)],
)
def test_where_nobody_can_be_asked_it_ends_with_the_list(settings, saver, thread):
    chain = booking(without("person_name"))
    result = chain.ask(BOOK, checkpointer=saver, config=thread, **settings)
    assert (result["status"], chain.caller.made) == ("failed", [])
    assert "Not known: person_name (string)" in result["reason"]
    assert [entry["name"] for entry in result["unfilled"]] == ["person_name"]


class Choosing(Chain):
    """Chooses the API whose name is in the goal's own words."""

    def __call__(self, messages, schema):
        self.goal = "RecommendRoom" if "Request: Recommend" in messages[-1].text else "Name2ID"
        return super().__call__(messages, schema)


def test_a_goal_that_lacks_something_does_not_stop_the_others():
    goals = {"goals": ["Find the id of the person.", "Recommend a room from 9am to 10am."]}
    chain = booking(without("person_name"), kind=Choosing, Goals=goals)
    result = chain.ask("Find the id of the person and recommend a room from 9am to 10am.", planner=True)
    assert (result["status"], len(result["subtasks"])) == ("partial", 2)
    assert [entry["name"] for entry in result["unfilled"]] == ["person_name"]
    assert [name for name, _ in chain.caller.made] == ["RecommendRoom"]
    assert result["reason"].startswith("Not known: person_name")


@pytest.mark.parametrize("plan_only", [False, True])
def test_a_goal_that_there_is_no_room_for_is_named(plan_only):
    goals = {"goals": ["Find the id of Jack.", "Recommend a room from 9am to 10am."]}
    chain = booking(kind=Choosing, Goals=goals)
    query = "Find the id of Jack and recommend a room from 9am to 10am."
    result = chain.ask(query, planner=True, max_subtasks=1, plan_only=plan_only)
    assert (result["status"], result["subtasks"]) == ("partial", ["Find the id of Jack."])
    assert "Recommend a room from 9am to 10am. (max_subtasks leaves no room for it)" in result["reason"]
    assert chain.ask(query, planner=True, max_subtasks=2, plan_only=plan_only)["status"] == "solved"


@pytest.mark.parametrize("given", [str(2**70), None])
def test_an_integer_beyond_64_bits_comes_from_the_user_as_a_text_or_from_an_output(given):
    found = as_json(lambda api, _: rooms(api, _) | ({"person_ID": 2**70} if api.name == "Name2ID" else {}))
    policy, saver = without("person_ID") if given else books, InMemorySaver()
    chain = Chain(*BOOKING, policy=policy, respond=found, goal="BookRoom")
    result = chain.ask(BOOK, checkpointer=saver, config=THREAD)
    if given:
        settings = Context(planner=False, drafts=False)
        result = chain.build(checkpointer=saver).invoke(Command(resume={"person_ID": given}), THREAD, context=settings)
    name, arguments = chain.caller.made[-1]
    assert (result["status"], name, arguments["person_ID"]) == ("solved", "BookRoom", 2**70)


def test_nothing_is_an_answer_where_the_argument_may_be_nothing():
    api = a_typed_api("flights", {"city": "string", "before": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, {})
    chain, saver = (
        Chain(
            api,
            policy=lambda name, *_: NONE if name == "before" else value("Oslo"),
            respond=as_json(lambda *_: "Done."),
        ),
        InMemorySaver(),
    )
    result = chain.ask("Find a flight to Oslo.", checkpointer=saver, config=THREAD)
    assert [entry["name"] for entry in asked(result)["missing"]] == ["before"]
    resumed(chain, saver, {"before": None})
    assert chain.caller.made == [("flights", {"city": "Oslo", "before": None})]


def test_a_name_that_nobody_asked_for_is_no_refusal():
    chain, saver = booking(without("person_name")), InMemorySaver()
    chain.ask(BOOK, checkpointer=saver, config=THREAD)
    again = asked(resumed(chain, saver, {"personName": "Jill"}))
    assert "person_name is missing, and nobody asked for 'personName'." in again["question"]
    assert resumed(chain, saver, {"person_name": "Jill"})["status"] == "solved"
    assert ("Name2ID", {"person_name": "Jill"}) in chain.caller.made


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", float("inf")])
def test_what_is_no_number_of_json_is_asked_for_again(number):
    api = a_typed_api("measure", {"metres": "number"}, {})
    chain, saver = Chain(api, policy=lambda *_: NONE, respond=as_json(lambda *_: "Done.")), InMemorySaver()
    chain.ask("Measure it.", checkpointer=saver, config=THREAD)
    assert asked(resumed(chain, saver, {"metres": number}))
    assert resumed(chain, saver, {"metres": "5"})["status"] == "solved"
