"""How Reverse Chain has the arguments completed: together, one by one or in three steps, and the optional ones."""

import pytest

from tests.graphs.chains import (
    BOOK,
    NESTED,
    NONE,
    TIMES,
    Chain,
    a_typed_api,
    as_json,
    booking,
    from_api,
    value,
)
from toolquiver.context import Context
from toolquiver.models import ScriptedModel

pytestmark = pytest.mark.usefixtures("strict")


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


def test_what_was_found_for_one_of_two_places_is_not_the_other_s():
    point = {"latitude1": "number", "longitude1": "number", "latitude2": "number", "longitude2": "number"}
    places = {"Lyon": {"latitude": 45.7, "longitude": 4.8}, "Turin": {"latitude": 45.1, "longitude": 7.7}}

    def one_for_both(name, offered, text):
        if name == "city":
            return value("Turin")
        known = value(45.7) if name.startswith("latitude") else value(4.8)
        return from_api("place") if offered == ["place"] and "is latitude1 already" in text else known

    chain = Chain(
        a_typed_api("distance", point, {"km": "number"}),
        a_typed_api("place", {"city": "string"}, {"latitude": "number", "longitude": "number"}),
        policy=one_for_both,
        respond=as_json(lambda api, given: places[given["city"]] if api.name == "place" else {"km": 234}),
        goal="distance",
    )
    said = ["Where is Lyon?", "At 45.7, 4.8."]
    chain.ask("How far is it from Lyon to Turin?", conversation=said, completion="three_step")
    second = {"latitude2": 45.1, "longitude2": 7.7}
    assert chain.caller.made == [
        ("place", {"city": "Turin"}),
        ("distance", {"latitude1": 45.7, "longitude1": 4.8, **second}),
    ]
