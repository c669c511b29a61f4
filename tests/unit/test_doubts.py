"""What speaks against a value: it stands nowhere, is given twice, or may be for an API of which the request speaks."""

from collections import Counter

import pytest

from tests.graphs.chains import a_typed_api
from toolquiver.catalog import Parameter
from toolquiver.catalog.fits import Feeding, Fit, feeding
from toolquiver.nodes.apis.words import words_of
from toolquiver.nodes.chain.doubts import ValueContext, doubt, refusal

DAY = "the day, YYYY-MM-DD"


def a_parameter(name="x", description="", **schema):
    return Parameter(name=name, type="any", required=True, description=description, schema_=schema)


def context(task, *elsewhere, words=()):
    return ValueContext(texts=[task], task=task, words=Counter(words), elsewhere=list(elsewhere))


@pytest.mark.parametrize(
    ("value", "schema", "refused"),
    [
        ("Lima", {}, False),
        ("Oslo", {}, True),
        ("2031", {"format": "date"}, True),
        ("2031-06-01", {"format": "date"}, False),
        ("2031-06-01T09:00", {"format": "date-time"}, False),
        (2031, {"type": "integer"}, False),
    ],
)
def test_what_stands_nowhere_is_refused_and_what_is_no_day(value, schema, refused):
    seen = context("Lima at 9:00 on 1 June 2031")
    assert bool(refusal(value, a_parameter(**schema), {}, seen)) is refused


@pytest.mark.parametrize(
    ("value", "description", "doubted"),
    [
        ("2031", DAY, True),
        ("1 June 2031", DAY, True),
        ("2031-06-01", DAY, False),
        ("2031-06", "YYYY-MM or YYYY-MM-DD", False),
        ("2031", "a YYYY or YYYY-MM-DD", False),
        ("today", DAY, False),
        ("2031", "any text", False),
        (2031, DAY, False),
    ],
)
def test_a_day_is_written_as_the_parameter_says(value, description, doubted):
    assert bool(doubt(value, a_parameter(description=description), [], {}, context(""))) is doubted


@pytest.mark.parametrize(
    ("task", "value", "beside", "elsewhere", "doubted"),
    [
        ("Fly from London to Paris.", "London", {"origin": "London"}, [], "'London' is origin already"),
        ("Fly from London to London.", "London", {"origin": "London"}, [], ""),
        ("Fly from London.", "London", {"x": "London"}, [], ""),
        ("Add 76 days to the day 23 days later.", 76, {}, [76], "76 is in another call already, and 23 is in none"),
        ("Add 76 days to the day 23 days later.", 23, {}, [76], ""),
        ("Add 76 days, twice.", 76, {}, [76], ""),
        ("A room from 9am, for Jack.", "9am", {}, ["9am"], ""),
        ("It is on.", True, {"other": True}, [], ""),
    ],
)
def test_what_is_said_once_is_hardly_meant_twice(task, value, beside, elsewhere, doubted):
    assert doubt(value, a_parameter(), [], beside, context(task, *elsewhere)) == doubted


def test_an_option_may_be_given_twice():
    parameter = a_parameter(enum=["left", "right"])
    assert not doubt("left", parameter, [], {"other": "left"}, context("Turn left."))


PRIME = a_typed_api("nth_prime", {"n": "integer"}, {"result": "integer"}).model_copy(update={"function": "nth_prime"})
CAPITAL = a_typed_api("country_capital", {"country": "string"}, {"capital": "string"}).model_copy(
    update={"function": "country_capital"}
)


@pytest.mark.parametrize(
    ("task", "value", "offered", "words", "doubted"),
    [
        ("Write prime number 15 in words.", 15, [Feeding(PRIME, Fit.RESULT, ())], (), True),
        ("Write prime number 15 in words.", 15, [Feeding(PRIME, Fit.TYPE, ())], (), False),
        ("Write the next prime after 15.", 15, [Feeding(PRIME, Fit.RESULT, ())], ("prime",), False),
        ("The next prime after prime number 15.", 15, [Feeding(PRIME, Fit.RESULT, ())], ("prime",), True),
        ("Write number 15 in words.", 15, [Feeding(PRIME, Fit.RESULT, ())], (), False),
        ("The time in the capital of Peru.", "Peru", [Feeding(CAPITAL, Fit.TYPE, ())], (), True),
        (
            "Find the time in Peru.",
            "Peru",
            [Feeding(CAPITAL.model_copy(update={"name": "find_town"}), Fit.TYPE, ())],
            (),
            False,
        ),
        ("The time in the capital of Peru.", "capital of Peru", [Feeding(CAPITAL, Fit.TYPE, ())], (), True),
        ("The time in the capital of Peru.", "capital of Peru", [Feeding(CAPITAL, Fit.TYPE, ())], ("capit",), False),
        ("The time in Capital City.", "Capital City", [Feeding(CAPITAL, Fit.NAMED, ())], (), False),
        ("The time in the capital on 2031-06-01.", "2031-06-01", [Feeding(CAPITAL, Fit.TYPE, ())], (), False),
    ],
)
def test_a_value_may_be_meant_for_an_api_that_the_request_speaks_of_and_no_call_is(
    task, value, offered, words, doubted
):
    assert bool(doubt(value, a_parameter("number"), offered, {}, context(task, words=words))) is doubted


def test_a_call_speaks_of_its_name_and_its_inputs():
    assert words_of(PRIME)["prime"] == 1
    roman = a_typed_api("to_roman", {"number": "integer"}, {"roman": "string"})
    assert words_of(roman)["number"] == 1
    assert feeding(PRIME, roman, roman.parameter_list()[0]).fit == Fit.RESULT


@pytest.mark.parametrize(
    ("value", "doubted"),
    [
        ("Miles Davis", True),
        ("Odeza", True),
        ("The Galaxy S21 Trio", True),
        ("LH 400", False),
        ("nm0000123", False),
        (17, False),
    ],
)
def test_a_name_is_no_id_where_an_api_gives_one(value, doubted):
    related = a_typed_api("related", {"artist_id": "string"}, {})
    finder = a_typed_api("find_artist", {"name": "string"}, {"artist_id": "string"})
    (parameter,) = related.parameter_list()
    seen = context(f"Who plays like {value}?")
    found = doubt(value, parameter, [feeding(finder, related, parameter)], {}, seen)
    assert found.endswith(f"is a name and no ID, and {finder.function} gives one") is doubted
    assert not doubt(value, parameter, [], {}, seen)
