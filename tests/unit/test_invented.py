"""Arguments that come from nowhere are found, and those that were copied are not."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import API
from toolquiver.nodes.texts.invented import invented_arguments


def make_api(**properties):
    return API(id="a/b/c", name="c", tool="b", category="a", parameters={"type": "object", "properties": properties})


NUMBER, WHOLE = {"type": "number"}, {"type": "integer"}
PLACE = make_api(
    lat=NUMBER,
    lon=NUMBER,
    day={"type": "string"},
    on={"type": "boolean"},
    ids={"type": "array", "items": {"type": "array", "items": WHOLE}},
    n=WHOLE,
)


def test_arguments_with_invented_numbers_are_named():
    arguments = {"lat": 38.72, "day": "some day", "on": False, "ids": [[77]], "n": 3, "lon": -9.14}
    assert invented_arguments(PLACE, arguments, ["at 9.14"]) == ["lat", "ids", "n"]
    assert invented_arguments(PLACE, arguments, iter(["38.72, 77, the third", "at 9.14"])) == []


def test_a_small_count_may_be_the_model_s_own_only_where_one_is_required():
    api = make_api(n=WHOLE)
    assert invented_arguments(api, {"n": 3}, []) == ["n"]
    required = api.model_copy(update={"parameters": api.parameters | {"required": ["n"]}})
    assert invented_arguments(required, {"n": 3}, []) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"day": "2024-03-05"}, "on 05.03.2024"),
        ({"day": "2024-03-05"}, "on 5/3/24"),
        ({"n": 33}, "thirty-three things"),
        ({"n": 120}, "one hundred and twenty"),
        ({"lat": 2.5}, "two and a half hours"),
        ({"lat": 1234.56}, "1.234,56 euros"),
        ({"n": 1234567}, "1 234 567 people"),
        ({"lat": 0.75}, "3/4 of it"),
        ({"ids": [[1500, 2500]]}, "the sum of 1500,2500"),
        ({"n": 3_000_000_000}, "3 billion yen"),
        ({"lat": 2.5e9}, "2.5bn"),
        ({"n": 4_000_000_000}, "$4B"),
        ({"n": 500_000}, "5 lakh"),
        ({"n": 300}, "a timer for 5 minutes"),
        ({"n": 1800}, "half an hour"),
        ({"lat": 1.5}, "the next 90 minutes"),
        ({"n": 90}, "1 hour and 30 minutes"),
        ({"ids": [[1989]], "n": 1980}, "songs of the 80s"),
        ({"day": "1989-12-31"}, "songs of the 1980s"),
    ],
)
def test_what_is_said_in_other_words_or_digits_is_not_invented(arguments, said):
    assert invented_arguments(PLACE, arguments, [said]) == []
    assert invented_arguments(PLACE, arguments, ["nothing"]) == list(arguments)


def test_a_default_is_not_invented():
    api = make_api(limit=WHOLE | {"default": 250})
    assert invented_arguments(api, {"limit": 250}, []) == []
    assert invented_arguments(api, {"limit": 251}, []) == ["limit"]


@given(st.lists(st.decimals(-(10**6), 10**6, allow_nan=False, places=6).map(float), min_size=1))
def test_arguments_copied_from_a_source_are_not_invented(values):
    source = " ".join(format(Decimal(repr(value)), "f") for value in values)
    api = make_api(values={"type": "array", "items": NUMBER})
    assert invented_arguments(api, {"values": values}, [source]) == []


@pytest.mark.parametrize(
    ("value", "source", "known"),
    [
        ("2391-754X", "it starts with 2391-754 and the end is torn off", False),
        ("2391-7547", "ISSN 2391 7547", True),
        ("+39 0818 765432", "the number +390818765432", True),
        ("The 3100th prime is 28499.", "Take the 3100th prime.", False),
        (["98765", "SW1A 1AA"], "98765 and SW1A 1AA", True),
        (["98756"], "98765", False),
        ("2032-08-14T18:00", "at six on 14 August 2032", True),
        ("14.08.2032", "14 August 2032", True),
        ("19990", "twice 9,995", False),
        ("America/New_York", "in Boston", True),
        ("1200*1.05", "5 percent on 1,200", True),
    ],
)
def test_a_code_can_only_be_copied(value, source, known):
    api = make_api(code={})
    assert invented_arguments(api, {"code": value}, [source]) == ([] if known else ["code"])


@pytest.mark.parametrize(
    ("value", "source", "known"),
    [
        ("2031-04-28", "25 working days after 3 April 2031", False),
        ("2031-04-03", "25 working days after 3 April 2031", True),
        ("2031-04-03T10:00", "on the third of April 2031", True),
        ("2032-04-03", "25 working days after 3 April 2031", False),
        ("2031-04-30", "the end of April 2031", True),
        ("2031-12-24", "Christmas Eve 2031", True),
        ("2031-13-45", "in 2031", False),
        ("0000-01-01", "in 2031", False),
        ("2031-05-03", "25 working days after 3 April 2031", False),
        ("2031-05-03", "on April 3rd and May 3rd, 2031", True),
        ("2031-04-03", "on 2031-03-04", False),
        ("2031-04-03", "on 2031-03-04 or 2031-04-03", True),
        ("2031-03-03", "on the 3rd of the next month of 2031", True),
        ("2031-06-05", "What is on 2031-06-05? Compare it with May 5.", True),
        ("2031-06-05", "on 5 June 2031; published on 5 May 2020", True),
        ("2031-06-05", "on 06/05/2031; published on 5 May 2020", True),
        ("2031-06-10", "on 10 June 2031 it may 10 times", True),
        ("2031-05-05", "3 nights from May 2, 2031", True),
        ("2031-05-06", "3 nights from May 2, 2031", False),
        ("2031-06-05", "3 nights from May 2, 2031", False),
        ("2031-05-05", "3 nights from May 2", False),
        ("2031-04-29", "three days before 2 May 2031", True),
        ("2031-05-05", "three days before 2 May 2031", False),
        ("2031-01-13", "two weeks from 2030-12-30", True),
        ("0001-01-05", "900000000 days from 2031-05-02", False),
        ("not a date", "", True),
    ],
)
def test_a_date_must_be_known(value, source, known):
    api = make_api(day={"type": "string"})
    assert invented_arguments(api, {"day": value}, [source]) == ([] if known else ["day"])


def test_half_and_twice_a_known_number_are_known():
    api = make_api(radius=NUMBER)
    assert invented_arguments(api, {"radius": 1.8}, ["3.6 metres in diameter"]) == []
    assert invented_arguments(api, {"radius": 7.2}, ["3.6 metres in radius"]) == []
    assert invented_arguments(api, {"radius": 1.7}, ["3.6 metres in diameter"]) == ["radius"]


@pytest.mark.parametrize(
    ("said", "value", "found"),
    [
        ("the tenth month", True, ["leap_month"]),
        ("the tenth month", False, []),
        ("the leap month", True, []),
        ("in leaps", True, []),
    ],
)
def test_a_switch_is_turned_on_only_where_it_is_spoken_of(said, value, found):
    api = make_api(month=WHOLE, leap_month={"type": "boolean"})
    assert invented_arguments(api, {"leap_month": value}, [said]) == found


def test_a_switch_without_a_word_of_its_own_is_left_to_the_model():
    api = make_api(month=WHOLE, leap_month={"type": "boolean"}, leap={"type": "boolean"})
    assert invented_arguments(api, {"leap_month": True}, ["the tenth"]) == []


def test_what_an_object_or_a_list_holds_is_looked_at_too():
    place = {"type": "object", "properties": {"lat": NUMBER, "day": {"type": "string", "default": "2031-01-09"}}}
    api = make_api(place=place, places={"type": "array", "items": place}, days={"type": "array"})
    made_up = {"place": {"lat": 48.85}, "places": [{"lat": 48.85}], "days": ["2031-07-14"]}
    assert invented_arguments(api, made_up, ["nothing"]) == ["place", "places", "days"]
    assert invented_arguments(api, made_up, ["at 48.85 on 14 July 2031"]) == []
    assert invented_arguments(api, {"place": {"day": "2031-01-09"}}, ["nothing"]) == [], "a default"


def test_what_the_schema_lists_is_not_invented_wherever_it_stands():
    size = {"type": "object", "properties": {"size": {"enum": [128, 256]}, "kind": {"const": "gpt4o2024x1"}}}
    assert (
        invented_arguments(
            make_api(x=size, n={"enum": [700]}), {"x": {"size": 256, "kind": "gpt4o2024x1"}, "n": 700}, ["a cat"]
        )
        == []
    )
    assert invented_arguments(make_api(x=size), {"x": {"size": 300}}, ["a cat"]) == ["x"]


@pytest.mark.parametrize("broken", [{"anyOf": None}, {"enum": None}, {"items": [True]}, {"properties": None}])
def test_a_schema_that_says_nothing_hides_nothing(broken):
    api = make_api(x={"type": "object", "properties": {"y": broken}})
    assert invented_arguments(api, {"x": {"y": 4711}}, ["a cat"]) == ["x"]


def test_a_schema_that_holds_itself_is_looked_at_once():
    ways = [{"type": "object", "properties": {"more": {"$ref": "#/$defs/E"}, f"n{n}": NUMBER}} for n in range(12)]
    parameters = {"type": "object", "properties": {"x": {"$ref": "#/$defs/E"}}, "$defs": {"E": {"anyOf": ways}}}
    value = {"n3": 4711}
    for _ in range(40):
        value = {"more": value}
    api = make_api().model_copy(update={"parameters": parameters})
    assert invented_arguments(api, {"x": value}, ["a cat"]) == ["x"]


@pytest.mark.parametrize(("day", "invented"), [("2031-04-12", True), ("2031-12-25", False), ("2031-04-25", False)])
def test_the_month_of_a_date_is_no_day(day, invented):
    api = make_api(day={"type": "string"})
    sources = ["How many days after Easter 2031 is Christmas?", '[{"date": "2031-12-25"}]']
    assert bool(invented_arguments(api, {"day": day}, sources)) is invented
