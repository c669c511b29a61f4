"""What a model adds of its own to a call that then fails: the call is made once more without it."""

import pytest

from tests.graphs.script import Stage, an_api, with_method
from toolquiver.calling import CallError

QUESTION = "In which country is Ulaanbaatar?"
NAME, GUESSED = {"name": "Ulaanbaatar"}, {"name": "Ulaanbaatar", "country": "China"}


def found_nowhere_else(_, arguments):
    if arguments.get("country") == "China":
        raise CallError("tool_error", "There is no such city there.")
    return "It is in MN."


def a_stage(arguments, respond=found_nowhere_else, method="GET"):
    city = an_api("city", inputs={"name": "string", "country": "string"})
    city = with_method(city, method)
    city = city.model_copy(update={"parameters": city.parameters | {"required": ["name"]}})
    return Stage(city, respond=respond, Arguments=arguments)


def test_the_call_is_made_again_without_what_nobody_spoke_of():
    stage = a_stage(GUESSED)
    result = stage.ask(QUESTION)
    assert [arguments for _, arguments in stage.caller.made] == [GUESSED, NAME]
    assert [call["ok"] for call in result["calls"]] == [False, True]
    assert result["status"] == "solved"


@pytest.mark.parametrize("kind", ["timeout", "unauthorized", "server_error"])
def test_a_failure_that_arguments_have_no_part_in_is_none_of_theirs(kind):
    def failing(*_):
        raise CallError(kind, "Not now.")

    stage = a_stage(GUESSED, failing)
    stage.ask(QUESTION, call_retries=0)
    assert [arguments for _, arguments in stage.caller.made] == [GUESSED]


@pytest.mark.parametrize(
    ("question", "settings", "method"),
    [
        ("Is Ulaanbaatar in China?", {}, "GET"),  # it was spoken of
        (QUESTION, {"max_calls": 1}, "GET"),
        (QUESTION, {}, "DELETE"),  # who knows what it would do without
    ],
)
def test_it_is_not_made_again(question, settings, method):
    stage = a_stage(GUESSED, method=method)
    stage.ask(question, **settings)
    assert [arguments for _, arguments in stage.caller.made] == [GUESSED]


def test_the_plain_call_fails_like_any_other():
    def failing(*_):
        raise CallError("tool_error", "There is no such city.")

    stage = a_stage(GUESSED, failing)
    result = stage.ask(QUESTION)
    assert [arguments for _, arguments in stage.caller.made] == [GUESSED, NAME]
    assert result["status"] != "solved"


@pytest.mark.parametrize(
    ("value", "made"),
    [("May", {"name": "Norway"}), ("May 2027", {"name": "Norway"}), ("Oslo", {"name": "Norway", "region": "Oslo"})],
)
def test_a_month_is_no_place(value, made):
    days = an_api("holidays", inputs={"name": "string", "region": "string"})
    days = days.model_copy(update={"parameters": days.parameters | {"required": ["name"]}})
    stage = Stage(days, Arguments={"name": "Norway", "region": value})
    stage.ask(f"Which holidays has Norway in {value}?")
    assert stage.caller.made[0][1] == made


@pytest.mark.parametrize(("name", "value"), [("month", "May"), ("day_of_place", "Monday"), ("first_name", "April")])
def test_a_month_is_left_where_it_belongs(name, value):
    days = an_api("holidays", inputs={"country": "string", name: "string"})
    days = days.model_copy(update={"parameters": days.parameters | {"required": ["country"]}})
    stage = Stage(days, Arguments={"country": "Norway", name: value})
    stage.ask(f"Which holidays has Norway in {value}?")
    assert stage.caller.made[0][1] == {"country": "Norway", name: value}
