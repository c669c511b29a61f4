"""Tools that search finds, of which one feeds another: a nested call is the plan where it says all of the query."""

import json

import pytest

from tests.graphs.chains import a_typed_api
from tests.graphs.script import Stage
from toolquiver.context import Context

WISH = "Write the 9th prime number as a Roman numeral."
CALL = "to_roman(nth_prime(9))"
WORTH = {
    "nth_prime": {"result": 23},
    "to_roman": {"text": "XXIII"},
    "easter": {"date": "2027-03-28"},
    "add_days": {"date": "2027-04-06"},
    "week_of": {"week": 14},
}
PRIMES = [
    a_typed_api("nth_prime", {"n": "integer"}, {"result": "integer"}, description="The n-th prime number."),
    a_typed_api("next_prime", {"n": "integer"}, {"result": "integer"}, description="The prime that comes next."),
    a_typed_api("to_roman", {"number": "integer"}, {"text": "string"}, description="A number in Roman numerals."),
]
FEAST, DATE = "What is the Hijri date of Easter 2027?", {"date": "string"}
FEASTS = [
    a_typed_api("easter", {"year": "integer"}, DATE, description="Easter of a year."),
    a_typed_api("next_day", DATE | {"country": "string"}, DATE, optional=("country",), description="What day is next."),
    a_typed_api("to_hijri", DATE, {"text": "string"}, description="A date as it is in the Hijri calendar."),
]


def a_stage(call=CALL, apis=PRIMES):
    def respond(api, _):
        return json.dumps(WORTH.get(api.name, {"text": "?"}))

    return Stage(*apis, respond=respond, Drafted={"call": call}, Scripted={"lines": [call]})


def ask(stage, query=WISH, **settings):
    """Run the graph without candidates."""
    return stage.build().invoke({"query": query}, context=Context(**{"expansion": False, "call_retries": 0} | settings))


def planned(stage):
    """By what the model has planned."""
    return [title for title in stage.script.titles() if title in ("Drafted", "Scripted", "Plan")]


def test_the_nested_call_is_the_plan_and_a_chain_makes_it():
    stage = a_stage()
    result = ask(stage)
    assert stage.caller.made == [("nth_prime", {"n": 9}), ("to_roman", {"number": 23})]
    assert (result["status"], result["subtasks"]) == ("solved", [WISH])
    assert stage.script.titles() == ["Drafted", "Digest", "Verdict"]


def test_what_search_has_not_among_the_first_is_looked_for_by_the_words_that_are_left():
    stage = a_stage()
    ask(stage, shown=1)
    assert [name for name, _ in stage.caller.made] == ["nth_prime", "to_roman"]


def test_a_call_speaks_for_itself_by_its_name_where_another_tells_of_the_same():
    days = [
        a_typed_api("easter", {"year": "integer"}, DATE, description="Easter of a year."),
        a_typed_api("add_days", DATE | {"days": "integer"}, DATE, description="Add weeks and days to a date."),
        a_typed_api("week_of", DATE, {"week": "integer"}, description="The week of a date."),
    ]
    stage = a_stage("week_of(add_days(easter(2027), 9))", days)
    ask(stage, "In which week is the date 9 days after Easter 2027?")
    assert [name for name, _ in stage.caller.made] == ["easter", "add_days", "week_of"]


@pytest.mark.parametrize(
    ("query", "call", "apis"),
    [
        (WISH, "to_roman(9)", PRIMES),  # leaves out what the query names
        (WISH, "to_roman(nth_prime())", PRIMES),
        (WISH, "to_roman(next_prime(nth_prime(9)))", PRIMES),  # a call that nobody has asked for
        (WISH, "to_roman(nth_prime('Roman'))", PRIMES),  # no such value can be given
        (FEAST, "next_day(date=easter(2027), country='Hijri')", FEASTS),  # what an API is called is no value
        (WISH, "I do not know.", PRIMES),
    ],
)
def test_a_call_that_does_not_say_all_of_the_query_leaves_the_plan_to_the_planner(query, call, apis):
    stage = a_stage(call, apis)
    ask(stage, query)
    assert planned(stage) in (["Drafted", "Plan"], ["Drafted", "Drafted", "Plan"])


@pytest.mark.parametrize(
    ("query", "apis"),
    [
        ("Which number is prime next?", PRIMES),  # names one tool
        (f"My uncle, a retired baker from Graz, paints clocks. {WISH}", PRIMES),  # a story
        (f"{WISH} And what is the next prime after 30?", PRIMES),  # two parts
        (WISH, [api.model_copy(update={"output": None}) for api in PRIMES]),  # who gives what is not documented
        (WISH, [api.model_copy(update={"output": {"type": "boolean"}}) for api in PRIMES]),  # none feeds another
    ],
)
def test_no_nested_call_is_asked_for_where_none_can_be_expected(query, apis):
    stage = a_stage(apis=apis)
    ask(stage, query)
    assert set(planned(stage)) <= {"Plan"}


@pytest.mark.parametrize("settings", [{"drafts": False}, {"chain_missing": False}, {"planner": False}])
def test_nor_where_it_is_switched_off(settings):
    stage = a_stage()
    ask(stage, **settings)
    assert set(planned(stage)) <= {"Plan"}
