"""Reverse Chain (section 2): a test for each rule, named after it."""

import asyncio
import json

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.support.reverse_chain_stage import (
    BOOK,
    BOOKING,
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
    assert chain.titles() == ["Tasks", "Outcomes", "Outcomes", "Outcomes", "Answer"]
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


def test_independent_results_are_tasks_of_their_own():
    chain = booking(tasks=[("book a room for Jack", "BookRoom"), ("find the ID of Jack", "Name2ID")])
    result = chain.ask("Book a room for Jack from 9am to 10am, and tell his ID.")
    assert result["plan"] == [PLAN, "Name2ID(person_name='Jack')"]
    assert result["subtasks"] == ["book a room for Jack", "find the ID of Jack"]
    assert chain.caller.made == MADE, "the same call is made once"


# ---- argument completion


def test_an_argument_that_may_be_left_out_comes_of_the_request_and_never_of_an_api():
    far = typed_api("far", {"to": "string", "unit": {"enum": ["km", "miles"]}}, {"unit": "string"}, optional=["unit"])
    where = typed_api("where", {}, {"to": "string", "unit": "string"})
    chain = Chain(
        where, far, policy=lambda name, *_: value("miles" if name == "unit" else "Lima"), respond=lambda *_: 3
    )
    assert chain.ask("How far is Lima in miles?")["status"] == "solved"
    assert chain.caller.made == [("far", {"to": "Lima", "unit": "miles"})]
    assert chain.offered == [("to", ["where"]), ("unit", [])]
    chain = Chain(where, far, policy=lambda name, *_: NOBODY if name == "unit" else value("Lima"), respond=lambda *_: 3)
    assert chain.ask("How far is Lima?")["unfilled"] == []
    assert chain.caller.made == [("far", {"to": "Lima"})]


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


def test_who_fills_arguments_sees_the_whole_text_of_the_api():
    about = "One of the region values (eg. " + ", ".join(f"region-{number}" for number in range(200)) + ")."
    api = typed_api("look", {"it": {"type": "string", "description": about}}, description=f"Looks. {about}")
    chain = Chain(api, policy=lambda *_: value("region-7"), respond=lambda *_: "ok")
    chain.ask()
    assert chain.texts("Outcomes")[0].count(about) == 2


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
        lambda api, _: {"hits": hits} if api.name == "find" else "ok", take=lambda text, paths: "hits[1].id"
    )
    assert chain.ask()["status"] == "solved"
    assert chain.caller.made[1] == ("details", {"id": 99})
    (text,) = chain.texts("Place")
    assert "hits[0].id: 17" in text
    assert '"name": "Jack Junior"' in text
    assert "hits[0].name" not in text, "a text cannot be a whole number"


def test_the_only_value_that_fits_needs_no_decision():
    chain = finding(lambda api, _: {"hits": [{"id": 17, "name": "Jack"}]} if api.name == "find" else "ok")
    assert chain.ask()["status"] == "solved"
    assert chain.caller.made[1] == ("details", {"id": 17})
    assert "Place" not in chain.titles()


@pytest.mark.parametrize("gone", [CallError("not_found", "Nobody."), {"hits": []}, {"hits": [{"id": 1}, {"id": 2}]}])
def test_an_api_that_could_not_give_an_argument_is_ruled_out_and_the_argument_completed_again(gone):
    other = typed_api("ask_office", {}, {"id": "integer"})
    returned = {"find": gone, "ask_office": {"id": 5}, "details": "ok"}
    chain = finding(lambda api, _: returned[api.name], take=lambda _, paths: "none of these", others=[other])
    result = chain.ask()
    assert (result["status"], chain.caller.made[-1]) == ("solved", ("details", {"id": 5}))
    assert [offered for name, offered in chain.offered if name == "id"] == [["find", "ask_office"], ["ask_office"]]
    assert "Could not give it: find" in chain.texts("Outcomes")[2]


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
