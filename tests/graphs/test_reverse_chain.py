"""The Reverse Chain graph: backwards, deepest call first, nothing called twice, values only from where they may be."""

import asyncio
import json

import pytest
from jsonschema import Draft202012Validator
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graphs.chains import (
    BOOK,
    BOOKING,
    NONE,
    TIMES,
    Chain,
    a_typed_api,
    as_json,
    booking,
    books,
    from_api,
    rooms,
    value,
)
from toolquiver.calling import CallError, Observation
from toolquiver.catalog import Catalog, api_id
from toolquiver.context import Context
from toolquiver.models import ScriptedModel

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite")

THREAD = {"configurable": {"thread_id": "one"}}
NESTED = (
    "BookRoom(person_ID=Name2ID(person_name='Jack'), "
    "room_ID=RecommendRoom(start_time='9am', end_time='10am'), start_time='9am', end_time='10am')"
)
MADE = [
    ("Name2ID", {"person_name": "Jack"}),
    ("RecommendRoom", {"start_time": "9am", "end_time": "10am"}),
    ("BookRoom", {"person_ID": 17, "room_ID": "R2", "start_time": "9am", "end_time": "10am"}),
]

pytestmark = pytest.mark.usefixtures("strict")


def without(*names):
    """The policy of the booking, which gives these arguments to nobody."""
    return lambda name, offered, text: NONE if name in names else books(name, offered, text)


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


def test_values_come_from_the_conversation_too():
    chain = booking()
    result = chain.ask("Book it for him from 9am to 10am.", conversation=["I need a room for Jack.", "Which time?"])
    assert result["status"] == "solved"
    assert "Said before: I need a room for Jack." in chain.texts("Completion")[0]


def asked(result):
    (question,) = result.get("__interrupt__", [None])
    return question and question.value


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
    assert schema["required"] == [entry["key"] for entry in question["missing"]]
    assert len(set(schema["required"])) == 5
    assert result["__interrupt__"][0].response_schema == schema
    assert chain.caller.made == []
    given = dict(zip(schema["required"], ["8:00", "9:00", "Jill", "8:00", "9:00"], strict=True))
    result = chain.build(checkpointer=saver).invoke(
        Command(resume=given), THREAD, context=Context(planner=False, drafts=False)
    )
    assert result["status"] == "solved"
    assert result["unfilled"] == []
    assert chain.caller.made[-1][1]["start_time"] == "8:00"
    assert ("Name2ID", {"person_name": "Jill"}) in chain.caller.made


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


def resumed(chain, saver, answer):
    return chain.build(checkpointer=saver).invoke(
        Command(resume=answer), THREAD, context=Context(planner=False, drafts=False, call_retries=0)
    )


@pytest.mark.parametrize("answer", ["Jill", {"person_name": "Jill"}])
def test_a_single_missing_argument_need_not_be_named(answer):
    chain, saver = booking(without("person_name")), InMemorySaver()
    chain.ask(BOOK, checkpointer=saver, config=THREAD)
    assert resumed(chain, saver, answer)["status"] == "solved"
    assert ("Name2ID", {"person_name": "Jill"}) in chain.caller.made


@pytest.mark.parametrize("answer", ["refuse", "", {"other": 1}, False, {"person_name": None}])
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


@pytest.mark.parametrize(("settings", "saver"), [({"ask": False}, InMemorySaver()), ({}, None)])
def test_where_nobody_can_be_asked_it_ends_with_the_list(settings, saver):
    chain = booking(without("person_name"))
    result = chain.ask(BOOK, checkpointer=saver, config=THREAD if saver else None, **settings)
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


def test_the_same_call_is_made_once():
    apis = [
        a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"}),
        a_typed_api("sunset", {"latitude": "number", "longitude": "number"}, {"time": "string"}),
        a_typed_api("weather", {"latitude": "number", "longitude": "number"}, {"weather": "string"}),
    ]
    chain = Chain(
        *apis,
        policy=lambda name, offered, _: value("Lima") if name == "city" else from_api("place"),
        respond=as_json(
            lambda api, _: {
                "place": {"latitude": -12.05, "longitude": -77.04},
                "sunset": {"time": "18:01"},
                "weather": {"weather": "mist"},
            }[api.name]
        ),
        goal="sunset",
    )
    result = chain.ask("When does the sun set in Lima? And what is the weather in Lima?", planner=True)
    assert len(result["subtasks"]) == 2
    assert [name for name, _ in chain.caller.made].count("place") == 1
    assert [name for name, _ in chain.caller.made].count("sunset") == 1
    assert result["plan"][0] == "sunset(latitude=place(city='Lima'), longitude=place(city='Lima'))"


def test_fields_of_two_things_are_two_frames():
    apis = [
        a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"}),
        a_typed_api("distance", dict.fromkeys(("lat1", "lon1", "lat2", "lon2"), "number"), {"km": "number"}),
    ]
    towns = {"Lima": (-12, -77), "Oslo": (60, 11)}

    def policy(name, _, text):
        if name != "city":
            return from_api("place")
        return value("Lima" if "lat1 and lon1" in text.split("It is for:")[1] else "Oslo")

    def respond(api, arguments):
        if api.name == "place":
            return dict(zip(("latitude", "longitude"), towns[arguments["city"]], strict=True))
        return {"km": 11_000}

    chain = Chain(*apis, policy=policy, respond=as_json(respond), goal="distance")
    chain.ask("How far is it from Lima to Oslo?")
    assert chain.caller.made[-1] == ("distance", {"lat1": -12, "lon1": -77, "lat2": 60, "lon2": 11})
    assert len(chain.caller.made) == 3


CODES = (
    a_typed_api("airports", {"city": "string"}, {"airports": {"type": "array", "items": {"type": "object"}}}),
    a_typed_api("delays", {"iata": "string"}, {"minutes": "integer"}),
)


def test_of_several_values_one_is_chosen_by_its_path_and_copied_by_code():
    found = {"airports": [{"iata": "LHR", "name": "Heathrow"}, {"iata": "LGW", "name": "Gatwick"}]}
    chain = Chain(
        *CODES,
        policy=lambda name, *_: value("London") if name == "city" else from_api("airports"),
        respond=as_json(lambda api, _: found if api.name == "airports" else {"minutes": 5}),
        goal="delays",
        Place=lambda text, _: {"path": "airports[1].iata"},
    )
    result = chain.ask("What is the delay at Gatwick in London?")
    assert chain.caller.made[-1] == ("delays", {"iata": "LGW"})
    (text,) = chain.texts("Place")
    assert 'airports[1].iata: "LGW" in {"iata": "LGW", "name": "Gatwick"}' in text
    assert result["status"] == "solved"


@pytest.mark.parametrize("output", [{"airports": []}, {"airports": [{"name": "Heathrow", "size": 3}]}, "broken", {}])
def test_an_output_without_the_value_rules_its_api_out_for_the_argument(output):
    chain = Chain(
        *CODES,
        policy=lambda name, offered, _: (
            value("London") if name == "city" else from_api("airports") if "airports" in offered else NONE
        ),
        respond=as_json(lambda api, _: output),
        goal="delays",
        Place=lambda _, schema: {"path": "none of these"},
    )
    result = chain.ask("What is the delay in London?")
    assert result["status"] == "failed"
    assert [entry["name"] for entry in result["unfilled"]] == ["iata"]
    assert [name for name, _ in chain.caller.made] == ["airports"]


def test_after_a_failed_call_another_api_gives_the_argument():
    spare = a_typed_api("PersonSearch", {"person_name": "string"}, {"person_ID": "integer"})

    def respond(api, arguments):
        if api.name == "Name2ID":
            raise CallError("not_found", "No such person.")
        return json.dumps({"person_ID": 23} if api.name == "PersonSearch" else rooms(api, arguments))

    chain = Chain(*BOOKING, spare, policy=books, respond=respond, goal="BookRoom")
    result = chain.ask(BOOK)
    assert result["status"] == "solved"
    assert chain.caller.made[-1][1]["person_ID"] == 23
    assert "PersonSearch(person_name='Jack')" in result["plan"][0]


def test_after_a_failed_goal_another_api_does_it():
    spare = a_typed_api("ReserveRoom", {"start_time": "string"}, {"room": "string"}, method="POST")

    def respond(api, arguments):
        if api.name == "BookRoom":
            raise CallError("server_error", "It is closed.")
        return json.dumps({"room": "R9"} if api.name == "ReserveRoom" else rooms(api, arguments))

    chain = Chain(*BOOKING, spare, policy=books, respond=respond, goal="BookRoom ReserveRoom")
    result = chain.ask(BOOK)
    assert [name for name, _ in chain.caller.made][-2:] == ["BookRoom", "ReserveRoom"]
    assert result["status"] == "solved"
    assert "Failed already: BookRoom" in chain.texts("Choice")[-1]


def test_of_two_fields_one_may_come_from_another_api():
    """The API that gave the other field is not asked for it again, and the one that stands in for it is kept."""
    place = a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"})
    spare = a_typed_api("meridian", {"town_id": "integer"}, {"longitude": "number"})
    town = a_typed_api("town", {"city": "string"}, {"town_id": "integer"})
    weather = a_typed_api("weather", {"latitude": "number", "longitude": "number"}, {"weather": "string"})
    given = {"place": {"latitude": -12}, "town": {"town_id": 7}, "meridian": {"longitude": -77}}
    chain = Chain(
        *(place, spare, town, weather),
        policy=lambda name, offered, _: value("Lima") if name == "city" else from_api(offered[0]) if offered else NONE,
        respond=as_json(lambda api, _: given.get(api.name, {"weather": "mist"})),
        goal="weather",
    )
    result = chain.ask("What is the weather in Lima?", config={"recursion_limit": 100})
    assert (result["status"], len(chain.caller.made)) == ("solved", 4)
    assert chain.caller.made[-1] == ("weather", {"latitude": -12, "longitude": -77})


def test_a_call_that_failed_is_not_made_again_for_another_argument():
    apis = [
        a_typed_api("person", {"name": "string"}, {"person_id": "integer", "card_id": "integer"}),
        a_typed_api("card", {"card_id": "integer"}, {"person_id": "integer"}),
        a_typed_api("greet", {"person_id": "integer"}, {"greeting": "string"}),
    ]

    def respond(api, arguments):
        raise CallError("not_found", "No such person.")

    chain = Chain(
        *apis,
        policy=lambda name, offered, _: value("Jill") if name == "name" else from_api(offered[0]) if offered else NONE,
        respond=respond,
        goal="greet",
    )
    result = chain.ask("Greet Jill.")
    assert chain.caller.made == [("person", {"name": "Jill"})]
    assert result["status"] == "failed"


def test_calls_that_only_read_go_together_and_others_by_themselves():
    class Gate:
        """Lets two calls pass only when both are there."""

        def __init__(self):
            self.inside, self.most = 0, 0

        async def call(self, api, arguments):
            self.inside += 1
            self.most = max(self.most, self.inside)
            await asyncio.sleep(0.02)
            self.inside -= 1
            return Observation(text=json.dumps(rooms(api, arguments)))

    for method, most in (("GET", 2), ("CALL", 1)):
        chain, gate = booking(), Gate()
        chain.catalog = Catalog.create()
        chain.catalog.add(*(api.model_copy(update={"method": method}) for api in BOOKING))
        chain.caller = gate
        assert chain.ask(BOOK)["status"] == "solved"
        assert gate.most == most


def test_the_limit_of_calls_is_hard():
    chain = booking()
    result = chain.ask(BOOK, solver_calls=2)
    assert len(chain.caller.made) == 2
    assert (result["status"], result["reason"]) == ("failed", "The calls are used up.")


def test_the_limit_of_depth_is_hard():
    chain = booking()
    result = chain.ask(BOOK, max_depth=1)
    assert [entry["name"] for entry in result["unfilled"]] == ["person_ID", "room_ID"]


@pytest.mark.parametrize(
    ("mode", "asked_for"),
    [
        ("at_once", [4, 1, 2]),
        ("one_by_one", [1, 1, 1, 1, 1, 1, 1]),
        ("three_step", [4, 2, 1, 2]),
    ],
)
def test_the_paper_s_ablations_ask_otherwise(mode, asked_for):
    def policy(name, offered, text):
        return TIMES[name] if name in TIMES else from_api(offered[0]) if offered else NONE

    chain = booking(policy)
    result = chain.ask(BOOK, completion=mode)
    asked = [text.split("Inputs to complete:")[1].count("\n- ") for text in chain.texts("Completion")]
    assert asked == asked_for
    assert result["plan"] == [NESTED]


class ValuesFirst(ScriptedModel):
    values_first: bool = True


@pytest.mark.parametrize(("mode", "asked_for"), [("auto", [4, 2, 1, 2]), ("at_once", [4, 1, 2])])
def test_a_model_may_say_that_it_gives_values_first_and_the_settings_go_before(mode, asked_for):
    chain = booking()
    model = ValuesFirst(chain, profile={"structured_output": True})
    context = Context(planner=False, drafts=False, completion=mode)
    result = chain.build(model=model).invoke({"query": BOOK, "candidates": chain.ids}, context=context)
    asked = [text.split("Inputs to complete:")[1].count("\n- ") for text in chain.texts("Completion")]
    assert asked == asked_for
    assert result["plan"] == [NESTED]


def test_of_several_arguments_without_a_valid_decision_each_is_asked_for_by_itself():
    class Overburdened(Chain):
        def __call__(self, messages, schema):
            said = super().__call__(messages, schema)
            return "I cannot" if schema["title"] == "Completion" and len(said) > 1 else said

    chain = booking(kind=Overburdened)
    assert chain.ask(BOOK)["plan"] == [NESTED]
    asked = [text.split("Inputs to complete:")[1].count("\n- ") for text in chain.texts("Completion")]
    assert asked[:2] == [4, 4], "asked again with the error, as every decision is"
    assert asked.count(1) == 7


PRIMES = (
    a_typed_api("to_roman", {"number": "integer"}, {"roman": "string"}),
    a_typed_api("nth_prime", {"n": "integer"}, {"result": "integer"}),
)


@pytest.mark.parametrize(
    ("again", "plan"), [(True, "to_roman(number=nth_prime(n=15))"), (False, "to_roman(number=15)")]
)
def test_a_value_that_may_be_meant_for_an_api_is_asked_for_again_and_taken_if_said_again(again, plan):
    def hasty(name, offered, text):
        return from_api("nth_prime") if again and "Look again" in text else value(15)

    chain = Chain(*PRIMES, policy=hasty, respond=as_json(lambda *_: {"result": 47, "roman": "XLVII"}), goal="to_roman")
    assert chain.ask("Write prime number 15 as a Roman numeral.", plan_only=True)["plan"] == [plan]
    doubted = [text for text in chain.texts("Completion") if "Look again" in text]
    assert ["Look again: number: 15 may be meant for nth_prime" in text for text in doubted] == [True]


def test_for_what_has_a_default_nothing_is_looked_up():
    zone = {"type": "string", "default": "UTC"}
    apis = [
        a_typed_api("sunset", {"city": "string", "timezone": zone}, {"time": "string"}, optional=("timezone",)),
        a_typed_api("place", {"city": "string"}, {"timezone": "string"}),
    ]
    chain = Chain(
        *apis,
        policy=lambda name, offered, _: value("Lima") if name == "city" else from_api(offered[0]) if offered else NONE,
        respond=as_json(lambda *_: {"time": "18:01"}),
        goal="sunset",
    )
    chain.ask("When does the sun set in Lima, in its timezone?")
    assert chain.caller.made == [("sunset", {"city": "Lima"})]


def test_an_optional_argument_is_asked_for_only_when_it_is_spoken_of():
    api = a_typed_api(
        "forecast", {"city": "string", "days": "integer", "unit": "string"}, {}, optional=("days", "unit")
    )
    chain = Chain(
        api, policy=lambda name, *_: value("Lima" if name == "city" else 3), respond=as_json(lambda *_: "mist")
    )
    chain.ask("What is the weather of the next 3 days in Lima?")
    assert chain.caller.made == [("forecast", {"city": "Lima", "days": 3})]


@pytest.mark.parametrize(("query", "made"), [("the sunset on 2031-06-01", {"on": "2031-06-01"}), ("the sunset", {})])
def test_an_optional_day_is_asked_for_when_the_request_names_one(query, made):
    day = {"type": "string", "description": "YYYY-MM-DD"}
    api = a_typed_api("sunset", {"on": day}, {}, optional=("on",))
    chain = Chain(api, policy=lambda *_: value("2031-06-01"), respond=as_json(lambda *_: "18:01"))
    chain.ask(query)
    assert chain.caller.made == [("sunset", made)]


def test_an_api_without_an_output_schema_is_offered_by_its_description_and_that_is_said():
    apis = [
        a_typed_api("whois", {"name": "string"}, None, description="Find the person with a name: id and address."),
        a_typed_api("salary", {"person_id": "integer"}, {"amount": "integer"}),
    ]
    chain = Chain(
        *apis,
        policy=lambda name, *_: value("Jack") if name == "name" else from_api("whois"),
        respond=as_json(lambda api, _: {"id": 5} if api.name == "whois" else {"amount": 3}),
        goal="salary",
    )
    assert chain.ask("What does Jack earn?")["status"] == "solved"
    assert "it is not documented what it returns" in chain.texts("Completion")[0]
    assert chain.caller.made[-1] == ("salary", {"person_id": 5})


@pytest.mark.parametrize(("tool", "offered"), [("payroll", ["colleagues"]), ("zoo", [])])
def test_over_a_catalogue_an_id_is_taken_of_its_own_tool_only(tool, offered):
    apis = [
        a_typed_api("colleagues", {"floor": "string"}, {"person_id": "integer"}, description="Who works where."),
        a_typed_api("salary", {"person_id": "integer"}, {"amount": "integer"}, description="What a salary is."),
    ]
    placed = [
        api.model_copy(update={"tool": name, "id": api_id("tests", name, api.name)})
        for api, name in zip(apis, (tool, "payroll"), strict=True)
    ]
    others = [a_typed_api(f"tide{n}", {"sea": "string"}, {"height": "number"}) for n in range(30)]
    chain = Chain(*placed, *others, policy=lambda *_: NONE, respond=as_json(lambda *_: {}), goal="salary")
    context = Context(planner=False, drafts=False, ask=False)
    chain.build().invoke({"query": "What is the salary of Jack?"}, context=context)
    assert dict(chain.offered)["person_id"] == offered


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
