"""Reverse Chain (section 2): a test for each rule, named after it."""

import asyncio
import json

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.support.instructions import instruction_of
from tests.support.reverse_chain_stage import (
    BOOK,
    BOOKING,
    LEFT_OUT,
    MADE,
    NOBODY,
    PLAN,
    Chain,
    booking,
    books,
    from_api,
    settings_of,
    typed_api,
    value,
)
from tests.support.savers import SAVERS, saving
from toolquiver.calling import CallError
from toolquiver.contexts import ReverseChainContext, SmurfsContext
from toolquiver.errors import InputError

pytestmark = pytest.mark.usefixtures("strict")


@pytest.fixture(params=SAVERS)
def saver(request, tmp_path):
    with saving(request.param, tmp_path / "state.db") as found:
        yield found


# ---- the workflow of section 2.1


def test_the_example_of_the_paper(saver):
    chain = booking()
    result = chain.ask(BOOK, saver=saver)
    assert (result["status"], result["answer"]) == ("solved", "All done.")
    assert chain.caller.made == MADE
    assert result["plan"] == [PLAN]
    assert result["unfilled"] == []


def test_selection_comes_first_and_then_all_required_arguments_in_one_decision(saver):
    chain = booking()
    chain.ask(BOOK, saver=saver)
    assert chain.titles() == ["Tasks", "Outcomes", "Outcomes", "Outcomes", "Places", "Places", "Answer"]
    assert chain.decisions == [
        ["person_ID", "room_ID", "start_time", "end_time"],
        ["person_name"],
        ["start_time", "end_time"],
    ]


def test_an_async_run_is_the_same():
    chain, other = booking(), booking()
    asked = {"query": BOOK, "candidates": other.ids}
    assert asyncio.run(other.build().ainvoke(asked, context=settings_of())) == chain.ask(BOOK)


def test_every_step_is_a_visible_node():
    chain = booking()
    asked = {"query": BOOK, "candidates": chain.ids}
    steps = [node for update in chain.build().stream(asked, context=settings_of()) for node in update]
    assert steps == [
        "begin",
        "select_api",
        *["complete_arguments", "push"] * 2,
        "complete_arguments",
        *["call", "take_output"] * 2,
        "call",
        "answer",
    ]


def test_where_no_api_fits_the_model_may_answer_or_say_what_is_missing():
    chain = booking(tasks=[("write a greeting", "none of these")], answer="Happy birthday!")
    result = chain.ask("Write a birthday greeting.")
    assert (result["answer"], result["status"], result["calls"], result["plan"]) == (
        "Happy birthday!",
        "solved",
        [],
        [],
    )
    chain = booking(tasks=[("the weather", "none of these")], missing=["the weather"], answer="I cannot tell.")
    result = chain.ask("How is the weather?")
    assert (result["status"], result["reason"]) == ("failed", "Missing: the weather")


def test_a_task_without_an_api_is_open_only_where_the_answer_says_so():
    tasks = [("ID of Jack", "Name2ID"), ("greet Jack", "none of these")]
    chain = booking(tasks=tasks, answer="Hello Jack, your ID is 17.")
    result = chain.ask("Greet Jack with his ID.")
    assert (result["status"], result["reason"]) == ("solved", "")
    assert "Not done: greet Jack: No API gives this." in chain.texts("Answer")[0]
    result = booking(tasks=tasks, missing=["a greeting"]).ask("Greet Jack with his ID.")
    assert (result["status"], result["reason"]) == ("partial", "Missing: a greeting")


def test_independent_results_are_tasks_of_their_own():
    chain = booking(tasks=[("book a room for Jack", "BookRoom"), ("find the ID of Jack", "Name2ID")])
    result = chain.ask("Book a room for Jack from 9am to 10am, and tell his ID.")
    assert result["plan"] == [PLAN, "Name2ID(person_name='Jack')"]
    assert result["subtasks"] == ["book a room for Jack", "find the ID of Jack"]
    assert chain.caller.made == MADE, "the same call is made once"


# ---- argument completion


FAR = typed_api("far", {"to": "string", "unit": {"enum": ["km", "miles"]}}, {"unit": "string"}, optional=["unit"])
UNIT_OF = typed_api("unit_of", {"country": "string"}, {"unit": "string"})


def how_far(unit, **more):
    """A model that takes the unit from where it is told."""
    from_request = {"to": value("Lima"), "country": value("Peru")}
    return Chain(
        UNIT_OF,
        FAR,
        policy=lambda name, *_: from_request.get(name, unit),
        respond=lambda api, _: {"unit": "km"} if api.name == "unit_of" else 3,
        **more,
    )


@pytest.mark.parametrize("completion", ["at_once", "one_by_one", "three_step"])
@pytest.mark.parametrize(
    ("unit", "made"),
    [
        (value("miles"), [("far", {"to": "Lima", "unit": "miles"})]),
        (LEFT_OUT, [("far", {"to": "Lima"})]),
        (from_api("unit_of"), [("unit_of", {"country": "Peru"}), ("far", {"to": "Lima", "unit": "km"})]),
    ],
)
def test_an_argument_that_may_be_left_out_comes_of_the_request_or_of_an_api_or_is_left_out(unit, made, completion):
    chain = how_far(unit)
    result = chain.ask("How far is Lima in the unit of Peru?", completion=completion)
    assert (result["status"], result["unfilled"]) == ("solved", [])
    assert chain.caller.made == made
    assert ("unit", ["unit_of"]) in chain.offered or "value" in unit


def test_only_what_may_be_left_out_can_be_and_it_is_never_asked_of_the_user():
    chain = how_far(LEFT_OUT)
    chain.policy = lambda *_: LEFT_OUT
    result = chain.ask("How far?")
    assert [entry["name"] for entry in result["unfilled"]] == ["to"]
    assert '{"leave_out": true}' in chain.texts("Outcomes")[0]
    assert '{"leave_out": true}' not in booking_text(), "no argument of a booking may be left out"


def booking_text():
    chain = booking()
    chain.ask(BOOK)
    return chain.texts("Outcomes")[0]


# ---- one call for several arguments

GEOCODE = typed_api("geocode", {"city": "string"}, {"latitude": "number", "longitude": "number"})
WEATHER = typed_api("weather", {"latitude": "number", "longitude": "number"}, {"text": "string"})
PLACES = {"Lima": {"latitude": -12.0, "longitude": -77.0}, "Oslo": {"latitude": 59.9, "longitude": 10.7}}


def geocoded(api, arguments):
    return PLACES[arguments["city"]] if api.name == "geocode" else "ok"


def test_one_call_gives_all_arguments_that_one_decision_wants_of_its_api():
    chain = Chain(
        GEOCODE,
        WEATHER,
        policy=lambda name, *_: value("Lima") if name == "city" else from_api("geocode"),
        respond=geocoded,
        take=lambda name, _: name,
    )
    result = chain.ask("How is the weather in Lima?")
    assert chain.caller.made == [("geocode", {"city": "Lima"}), ("weather", PLACES["Lima"])]
    assert chain.titles() == ["Tasks", "Outcomes", "Outcomes", "Places", "Answer"]
    assert result["plan"] == ["weather(latitude=geocode(city='Lima'), longitude=geocode(city='Lima'))"]
    assert [(node["parent"], node["label"]) for node in result["tree"][1:]] == [(0, ""), (1, "latitude, longitude")]
    (text,) = chain.texts("Places")
    assert text.count("- latitude: -12.0") == 2, "each argument has its own list of values"


def test_calls_of_one_api_that_have_different_numbers_are_calls_of_their_own():
    names = ("latitude1", "longitude1", "latitude2", "longitude2")
    distance = typed_api("distance", dict.fromkeys(names, "number"))

    def policy(name, _, text):
        if name == "city":
            return value("Lima" if "latitude1, longitude1 of distance" in text else "Oslo")
        return from_api("geocode", int(name[-1]))

    chain = Chain(GEOCODE, distance, policy=policy, respond=geocoded, take=lambda name, _: name[:-1])
    chain.ask("How far is Lima from Oslo?")
    *before, (_, arguments) = chain.caller.made
    assert before == [("geocode", {"city": "Lima"}), ("geocode", {"city": "Oslo"})]
    assert arguments == {"latitude1": -12.0, "longitude1": -77.0, "latitude2": 59.9, "longitude2": 10.7}


def test_of_the_arguments_of_one_call_only_what_is_not_in_its_output_is_completed_again():
    chain = Chain(
        GEOCODE,
        WEATHER,
        policy=lambda name, offered, _: (
            from_api("geocode") if "geocode" in offered else value({"city": "Lima", "longitude": -77.5}[name])
        ),
        respond=lambda api, _: {"latitude": -12.0, "other": 5.0} if api.name == "geocode" else "ok",
        take=lambda name, _: "latitude" if name == "latitude" else "none of these",
    )
    assert chain.ask("How is the weather in Lima?")["status"] == "solved"
    assert chain.caller.made == [("geocode", {"city": "Lima"}), ("weather", {"latitude": -12.0, "longitude": -77.5})]
    assert chain.decisions == [["latitude", "longitude"], ["city"], ["longitude"]]


def test_who_completes_a_call_sees_what_the_call_above_wants_of_it():
    person = {"type": "integer", "description": "Who takes part, by number."}
    invite = typed_api("invite", {"person": person})
    chain = Chain(
        BOOKING[0],
        invite,
        policy=lambda name, *_: value("Jack") if name == "person_name" else from_api("Name2ID"),
        respond=lambda *_: {"person_ID": 17},
    )
    chain.ask("Invite Jack.")
    assert "It is for: person of invite\n- person (integer): Who takes part, by number." in chain.texts("Outcomes")[1]


@pytest.mark.parametrize(
    ("given", "schema", "query"),
    [
        ("Vienna", "string", "Wie ist das Wetter in Wien?"),
        ("light", {"enum": ["light", "heavy"]}, "I am lightly active (factor 1.375)."),
        (-33.87, "number", "The coast at 33.87 S."),
        (350, "integer", "trescientos cincuenta"),
        (1974.5, "number", "1436 kcal times 1.375"),
        ("2026-11-30", {"type": "string", "format": "date"}, "morgen"),
        ("", "string", "An empty text."),
    ],
)
def test_a_value_is_called_with_as_the_model_gives_it(given, schema, query):
    chain = Chain(typed_api("look", {"it": schema}), policy=lambda *_: value(given), respond=lambda *_: "ok")
    assert chain.ask(query)["status"] == "solved"
    assert chain.caller.made == [("look", {"it": given})]


def test_a_value_that_does_not_fit_the_schema_is_asked_for_again_with_the_reason():
    told = iter(["many", 4])
    chain = Chain(typed_api("count", {"n": "integer"}), policy=lambda *_: value(next(told)), respond=lambda *_: 4)
    assert chain.ask("Count four.")["status"] == "solved"
    assert chain.titles() == ["Tasks", "Outcomes", "Outcomes", "Answer"]
    assert chain.caller.made == [("count", {"n": 4})]


def test_prompts_that_plan_or_fill_say_the_day_and_what_was_said_before():
    chain = booking()
    chain.ask("Book it for him.", conversation=["A room for Jack, please.", HumanMessage("From 9am to 10am.")])
    for title in ("Tasks", "Outcomes", "Answer"):
        for text in chain.texts(title):
            assert "It is Sunday, 2026-11-29, 12:00, time zone UTC" in text
            assert "Said before: A room for Jack, please.\nSaid before: From 9am to 10am." in text


ABOUT = "One of the region values (eg. " + ", ".join(f"region-{number}" for number in range(200)) + ")."


@pytest.mark.parametrize("instructed", [False, True])
def test_who_fills_arguments_sees_the_whole_text_of_the_api(instructed):
    api = typed_api("look", {"it": {"type": "string", "description": ABOUT}}, description=f"Looks. {ABOUT}")
    chain = Chain(api, policy=lambda *_: value("region-7"), respond=lambda *_: "ok")
    if instructed:
        chain.catalog.instructions.put([instruction_of(api)])
    chain.ask()
    assert chain.texts("Outcomes")[0].count(ABOUT) == 2


def test_who_takes_a_value_of_an_output_sees_all_that_is_said_of_the_argument():
    region = {"type": "string", "description": ABOUT}
    apis = typed_api("region_of", {"city": "string"}, {"region": "string"}), typed_api("look", {"it": region})
    chain = Chain(
        *apis,
        policy=lambda name, *_: value("Lima") if name == "city" else from_api("region_of"),
        respond=lambda *_: {"region": "region-7"},
    )
    assert chain.ask()["status"] == "solved"
    assert ABOUT in chain.texts("Places")[0]


# ---- the ablations of section 3.2.2


def test_one_by_one_completes_one_argument_a_decision():
    chain = booking()
    result = chain.ask(BOOK, completion="one_by_one")
    assert chain.decisions == [
        ["person_ID"],
        ["room_ID"],
        ["start_time"],
        ["end_time"],
        ["person_name"],
        ["start_time"],
        ["end_time"],
    ]
    assert (result["plan"], result["status"]) == ([PLAN], "solved")


def test_three_step_asks_for_values_without_apis_and_then_for_apis_without_values():
    chain = booking()
    result = chain.ask(BOOK, completion="three_step")
    assert chain.decisions[:2] == [["person_ID", "room_ID", "start_time", "end_time"], ["person_ID", "room_ID"]]
    first, second, *_ = chain.texts("Outcomes")
    assert '{"api": "name"}' not in first
    assert "Name2ID(person_name)" not in first
    assert '{"value": ...}' not in second
    assert "Name2ID(person_name)" in second
    assert (result["plan"], result["status"]) == ([PLAN], "solved")


def test_three_step_takes_the_wrong_value_that_is_said_at_once():
    def says_a_name(name, offered, _):
        return value(5) if name == "person_ID" else books(name)

    chain = booking(says_a_name)
    assert chain.ask(BOOK, completion="three_step")["plan"][0].startswith("BookRoom(person_ID=5, ")


# ---- what a call gives


NAMES = typed_api("find", {"name": "string"}, {"hits": {"type": "array", "items": {"type": "object"}}})
DETAILS = typed_api("details", {"id": "integer"}, {"text": "string"})


def finding(respond, take=None, **more):
    apis = [NAMES, *more.pop("others", ()), DETAILS]

    def policy(name, offered, _):
        return value("Jack") if name == "name" else from_api(offered[0]) if offered else NOBODY

    return Chain(*apis, policy=policy, respond=respond, take=take, **more)


def test_a_value_is_taken_by_its_path_and_copied_by_code():
    hits = [{"id": 17, "name": "Jack"}, {"id": 99, "name": "Jack Junior"}]
    chain = finding(
        lambda api, _: {"hits": hits} if api.name == "find" else "ok", take=lambda name, paths: "hits[1].id"
    )
    assert chain.ask()["status"] == "solved"
    assert chain.caller.made[1] == ("details", {"id": 99})
    (text,) = chain.texts("Places")
    assert "hits[0].id: 17" in text
    assert '"name": "Jack Junior"' in text
    assert "hits[0].name" not in text, "a text cannot be a whole number"


def test_a_single_value_that_fits_is_taken_only_where_the_model_says_that_it_is_the_value():
    chain = finding(lambda api, _: {"hits": [{"id": 17, "name": "Jack"}]} if api.name == "find" else "ok")
    assert chain.ask()["status"] == "solved"
    assert chain.caller.made[1] == ("details", {"id": 17})
    assert "hits[0].id: 17" in chain.texts("Places")[0]


@pytest.mark.parametrize("refusal", ["No such person.", {"message": "No such person."}])
def test_a_refusal_is_no_value_of_an_argument(refusal):
    chain = Chain(
        typed_api("name_to_id", {"name": "string"}),
        typed_api("book_room", {"person_id": "string"}),
        policy=lambda name, offered, _: value("Jack") if name == "name" else from_api("name_to_id"),
        respond=lambda api, _: refusal if api.name == "name_to_id" else "Booked.",
        take=lambda *_: "none of these",
    )
    result = chain.ask("Book a room for Jack.")
    assert chain.caller.made == [("name_to_id", {"name": "Jack"})]
    assert result["status"] == "failed"
    assert [entry["name"] for entry in result["unfilled"]] == ["person_id"]


@pytest.mark.parametrize("gone", [CallError("not_found", "Nobody."), {"hits": []}, {"hits": [{"id": 1}, {"id": 2}]}])
def test_an_api_that_could_not_give_an_argument_is_ruled_out_and_the_argument_completed_again(gone):
    other = typed_api("ask_office", {}, {"desk": "integer"})
    returned = {"find": gone, "ask_office": {"id": 5}, "details": "ok"}
    chain = finding(
        lambda api, _: returned[api.name],
        take=lambda _, paths: "id" if "id" in paths else "none of these",
        others=[other],
    )
    result = chain.ask()
    assert (result["status"], chain.caller.made[-1]) == ("solved", ("details", {"id": 5}))
    assert [offered for name, offered in chain.offered if name == "id"] == [["find", "ask_office"], ["ask_office"]]
    assert "[was tried and did not give it: find]" in chain.texts("Outcomes")[2]


def test_a_task_whose_own_call_fails_is_not_done_and_says_why():
    chain = Chain(DETAILS, policy=lambda *_: value(3), respond=lambda *_: CallError("server_error", "It is broken."))
    result = chain.ask()
    assert (result["status"], result["answer"]) == ("failed", "")
    assert "It is broken." in result["reason"]
    assert chain.titles() == ["Tasks", "Outcomes"]


def test_an_answer_that_leaves_something_open_is_partial():
    chain = Chain(DETAILS, policy=lambda *_: value(3), respond=lambda *_: "ok", missing=["the price"])
    result = chain.ask()
    assert (result["status"], result["reason"]) == ("partial", "Missing: the price")


def test_the_answer_sees_the_results_whole_up_to_a_limit_and_what_is_cut_says_so():
    chain = Chain(DETAILS, policy=lambda *_: value(3), respond=lambda *_: "x" * 5_000 + "end")
    chain.ask()
    assert "xend</result>" in chain.texts("Answer")[0]
    chain.ask(token_budget=3_000)
    assert "more characters]</result>" in chain.texts("Answer")[1]


# ---- limits


def test_a_plan_is_written_and_nothing_called_nor_asked():
    chain = booking()
    result = chain.ask(BOOK, plan_only=True, saver=InMemorySaver())
    assert (result["answer"], result["status"], result["calls"]) == (PLAN, "solved", [])
    assert chain.caller.made == []
    assert [(node["parent"], node["label"]) for node in result["tree"]] == [
        (None, ""),
        (0, ""),
        (1, "person_ID"),
        (1, "room_ID"),
    ]
    chain = booking(lambda name, *_: NOBODY if name == "person_name" else books(name))
    result = chain.ask(BOOK, plan_only=True, saver=InMemorySaver())
    assert "Name2ID(person_name=?)" in result["answer"]
    assert [entry["name"] for entry in result["unfilled"]] == ["person_name"]
    assert (result["status"], "Name2ID needs person_name" in result["reason"]) == ("partial", True)


def test_no_api_is_offered_at_the_depth_limit():
    chain = booking()
    result = chain.ask(BOOK, max_depth=1)
    assert all(offered == [] for _, offered in chain.offered)
    assert (result["status"], {entry["name"] for entry in result["unfilled"]}) == ("failed", {"person_ID", "room_ID"})


def test_the_limit_of_calls_is_hard():
    chain = booking()
    result = chain.ask(BOOK, max_calls=1)
    assert chain.caller.made == []
    assert result["status"] == "failed"
    numbers = [typed_api(f"number{one}", {}, {"n": "integer"}) for one in range(4)]
    chain = Chain(*numbers, policy=None, respond=lambda *_: 1, tasks=[(api.name, api.name) for api in numbers])
    result = chain.ask(max_calls=4)
    assert (result["status"], len(chain.caller.made)) == ("solved", 4)


def test_a_spent_budget_ends_it_with_the_reason():
    result = booking().ask(BOOK, token_budget=1_000)
    assert result["status"] == "failed"
    assert "Raise token_budget." in result["reason"]
    with pytest.raises(InputError, match="too small to start"):
        booking().ask(BOOK, token_budget=10)


def test_no_valid_choice_ends_it_with_the_reason():
    chain = booking(tasks=[("it", "no_such_api")])
    result = chain.ask(BOOK)
    assert (result["status"], result["reason"]) == ("failed", "The model made no valid choice.")
    assert chain.caller.made == []


# ---- use


def test_without_candidates_search_finds_them_and_the_catalogue_what_gives_an_argument():
    others = [typed_api(f"other{number}", {}, {"thing": "string"}) for number in range(30)]
    chain = Chain(*others, *BOOKING, policy=books, respond=booking().caller.respond)
    result = chain.ask(BOOK, candidates=None, top_k=3)
    assert (result["status"], result["plan"]) == ("solved", [PLAN])
    assert "Name2ID" in dict(chain.offered)["person_ID"]


ROOMS = typed_api("book_room", {}, {"text": "string"}, description="Book a meeting room.")
OTHERS = [typed_api(f"other{number}", {}, {}, description="Besprechungsraum.") for number in range(9)]


def rooms(*searches, api="book_room"):
    return Chain(*OTHERS, ROOMS, policy=None, respond=lambda *_: "ok", tasks=[("a room", api)], searches=searches)


def test_a_request_in_another_language_is_searched_for_again_in_words_of_the_model():
    chain = rooms("book a meeting room")
    result = chain.ask("Besprechungsraum reservieren", candidates=None, top_k=3)
    assert (result["status"], chain.caller.made) == ("solved", [("book_room", {})])
    first, second = chain.texts("Tasks")
    assert "book_room" not in first
    assert "Searched for already, and the list has what was found: book a meeting room" in second


def test_it_is_searched_again_at_most_twice():
    chain = rooms(*["nothing of the kind"] * 5, api="none of these")
    chain.ask("Besprechungsraum reservieren", candidates=None, top_k=3)
    assert chain.titles() == ["Tasks"] * 3 + ["Answer"]
    assert "have the catalogue searched" not in chain.texts("Tasks")[2]


def test_with_given_candidates_nothing_is_searched():
    chain = rooms("book a meeting room")
    assert chain.ask("Besprechungsraum reservieren")["status"] == "solved"
    assert chain.titles()[:2] == ["Tasks", "Answer"]
    assert "have the catalogue searched" not in chain.texts("Tasks")[0]


def test_a_catalogue_without_apis_is_no_error():
    chain = booking(missing=["the room"], answer="There is no API.")
    result = chain.ask(BOOK, candidates=[])
    assert (result["status"], chain.titles()) == ("failed", ["Answer"])


def test_settings_of_another_kind_are_taken_where_they_mean_the_same_here():
    chain = booking()
    asked = {"query": BOOK, "candidates": chain.ids}
    assert chain.build().invoke(asked, context={"plan_only": True})["plan"] == [PLAN]
    assert chain.build(context=ReverseChainContext(plan_only=True)).invoke(asked)["calls"] == []
    with pytest.raises(InputError, match="no setting 'planner'"):
        chain.build(context=SmurfsContext(planner=False))


@pytest.mark.parametrize("conversation", ["I am Jack.", [5], {"role": "user"}])
def test_what_is_no_conversation_is_refused_before_a_model_is_asked(conversation):
    chain = booking()
    with pytest.raises(InputError, match="Give a list, with a text or a message a turn"):
        chain.build().invoke({"query": BOOK, "conversation": conversation})
    assert chain.asked == []


def test_an_unknown_time_zone_is_refused():
    with pytest.raises(InputError, match="Name one such as Europe/Vienna"):
        booking().ask(BOOK, time_zone="Nowhere/At_all")


def test_a_second_query_on_a_thread_begins_afresh():
    chain, saver = booking(), InMemorySaver()
    first = chain.ask(BOOK, saver=saver, conversation=["Before."])
    again = chain.ask(BOOK, saver=saver)
    assert (again["calls"], again["usage"].keys()) == (first["calls"], first["usage"].keys())
    assert "Said before" not in chain.texts("Outcomes")[-1]


def test_the_whole_state_is_plain_data():
    chain, saver = booking(), InMemorySaver()
    compiled = chain.build(checkpointer=saver)
    config = {"configurable": {"thread_id": "one"}}
    compiled.invoke({"query": BOOK, "candidates": chain.ids}, config, context=settings_of())
    json.dumps(compiled.get_state(config).values)
