"""Values that stand in a text, and values that a model has made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolquiver.catalog import Parameter
from toolquiver.nodes.texts.origins import _SAYING_NOTHING, is_spoken_of, stands_in

TEXT = "Book a room for Jack from 9am to 10:30 am on 1 June 2031, 26 kilometres from New York, for two: 98asMe0f."
ANY = Parameter(name="x", type="any", required=True)


@pytest.mark.parametrize(
    "value",
    [
        *(
            "Jack",
            "jack",
            "9:00",
            "10:30",
            "10:30 am",
            "2031-06-01",
            "2031-06-01T09:00:00Z",
            "2031-06-01T00:00",
            "km",
            "room",
            "New York",
        ),
        *(26, 26.0, 2, "2", True, ["Jack", 26], {"who": "Jack", "far": 26}),
    ],
)
def test_what_is_there_in_some_form_is_known(value):
    assert stands_in(value, ANY, [TEXT])


@pytest.mark.parametrize(
    "value",
    [
        "Jill",
        "PT",
        "2031-06-03",
        "2031-05-26",
        "miles",
        27,
        "7",
        "room 7",
        "room2",
        "alp26x",
        "",
        None,
        ["Jill"],
        98,
        {"who": "Jill"},
        "America/New_York",
        "11:30",
    ],
)
def test_what_is_not_there_is_not(value):
    assert not stands_in(value, ANY, [TEXT])


@pytest.mark.parametrize(
    ("text", "meant", "made_up"),
    [
        ("Reserve a table for 2 people.", [2, 2.0], [200, 0.02, 14, 2000, 2_000_000, 12]),
        ("Book from 9am to 10am.", [9, 10], [21, 9000, 22]),
        ("Book it at 9 pm, or 9:30 in the evening.", [9, 21], [2100]),
        ("A rate of 15% on 1.5 million, or 20k, or five hundred.", [15, 0.15, 1_500_000, 20_000, 500], [1500, 150]),
        ("Within 2 km, of 3 percent.", [2, 2000, 0.03], [200, 3000]),
        ("Move it to 5.", [5], [-5]),
        ("It is minus 5, at 12.05 S, 7 days before Easter.", [-5, -12.05, -7], []),
        ("It lost 5, or -7 in all.", [-5, -7], [6]),
        ("It cost 3.5 M, then 120 grand.", [3.5, 3_500_000, 120_000], [3500, 350]),
        ("It cost 3.5B, then 2T.", [3.5, 3_500_000_000, 2_000_000_000_000], [3500, 3_500_000]),
        ("It is 3.5 m long.", [3.5], [3_500_000]),
        ("Book it tonight at 8, or tomorrow evening from 7:30.", [8, 20, 19], [200, 2]),
        ("Book it tonight at 8 am, for 4.", [8], [20, 16]),
        ("Half a kilo, a quarter of a million and half a dozen, at 5 a kilo.", [500, 250_000, 6, 5], [5000]),
        ("Set a timer for 5 minutes.", [5, 300], [50, 18_000]),
        ("Play songs of the 90s.", [1990, 1999], [1989, 2000]),
        ("Book a refund of 100.", [100, -100], [50]),
    ],
)
def test_a_share_a_multiple_or_a_sign_must_be_said_beside_the_number(text, meant, made_up):
    assert [value for value in meant if not stands_in(value, ANY, [text])] == []
    assert [value for value in made_up if stands_in(value, ANY, [text])] == []


@pytest.mark.parametrize(
    ("value", "text", "known"),
    [
        ("DE89370400440532013000", "Which bank has DE89 3704 0044 0532 0130 00?", True),
        ("de89370400440532013000", "Which bank has DE89-3704-0044-0532-0130-00?", True),
        ("4111111111111111", "Is 4111-1111-1111-1111 a valid card number?", True),
        ("4111-1111-1111-1111", "Is 4111111111111111 a valid card number?", True),
        ("+49301234567", "Call +49 30 1234567.", True),
        ("4111111111111112", "Is 4111-1111-1111-1111 a valid card number?", False),
        ("411111111111", "Is 4111-1111-1111-1111 a valid card number?", False),
        ("26000", "It has 126000 seats.", False),
        ("12345", "It costs 123.45 in all.", False),
        ("12345", "Rooms 1, 23 and 45 are free.", False),
        ("+14155552671", "Call +1 (415) 555-2671.", True),
        (14155552671, "Call +1 (415) 555-2671.", True),
        (14155552672, "Call +1 (415) 555-2671.", False),
    ],
)
def test_a_code_is_known_however_it_is_grouped(value, text, known):
    assert stands_in(value, ANY, [text]) is known


@pytest.mark.parametrize("value", ["the", "to", "-", [], [[]]])
def test_what_says_nothing_stands_nowhere(value):
    assert not stands_in(value, ANY, ["Send the note to Jack."])


def test_an_object_of_which_everything_is_optional_may_be_empty():
    assert stands_in({}, ANY, ["Send the note to Jack."])


@pytest.mark.parametrize("value", ["the", "a", "It"])
def test_a_word_that_is_spoken_about_stands_there(value):
    assert stands_in(value, ANY, ["How often are 'the', the letter a and It written in it?"])


@pytest.mark.parametrize(
    ("text", "known"),
    [("Convert 3 in to cm.", True), ("A rod of 3in.", True), ("3 inches, in cm", False), ("It is in Rome.", False)],
)
def test_a_word_behind_a_number_is_a_unit(text, known):
    assert stands_in("in", ANY, [text]) is known


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Book on 2030-05-03.", False),
        ("Book from 2030-05-03 to the end of May.", True),
        ("Book in May 2030.", True),
        ("Book on 2030-05-03 or 31 May 2030.", True),
    ],
)
def test_the_last_of_a_month_is_not_another_day_of_it(text, known):
    assert stands_in("2030-05-31", ANY, [text]) is known


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("on 17 January 2041", True),
        ("on Jan. 17, 2041", True),
        ("am 17. Januar 2041", True),
        ("el 17 de enero de 2041", True),
        ("on 17/1/2041", True),
        ("17 business days after Chinese New Year 2041", False),
        ("17 days after Easter 2041", False),
        ("17 days after New Year's Eve, 31 December 2040", True),
        ("17 days before 3 February 2041", True),
        ("17 days before 2041-02-02", False),
    ],
)
def test_the_month_of_a_day_must_be_there_too(text, known):
    assert stands_in("2041-01-17", ANY, [text]) is known


@pytest.mark.parametrize(
    ("value", "text", "known"),
    [
        ("09:00", "at 9 am", True),
        ("09:00", "at 9 pm", False),
        ("21:00", "at 9 pm", True),
        ("21:00", "at 9 am", False),
        ("21:00", "from 9 am to 9 pm", True),
        ("09:00", "at 9 pm, or rather at 09:00", True),
        ("00:30", "at 12:30 am", True),
        ("14:30", "um 14.30 Uhr", True),
        ("14:30", "vers 14h30", True),
        ("14:30", "at 2.30 pm", True),
        ("14:30", "version 14.30", False),
    ],
)
def test_a_time_is_of_the_half_of_the_day_that_is_said(value, text, known):
    assert stands_in(value, ANY, [text]) is known


def test_what_the_schema_gives_is_nobody_s_invention():
    parameter = Parameter(name="x", type="text", required=True, schema_={"enum": ["upper"], "default": 7})
    assert stands_in("upper", parameter, [])
    assert stands_in(7, parameter, [])
    assert not stands_in("lower", parameter, [])


@pytest.mark.parametrize(
    ("value", "schema", "text", "spoken"),
    [
        ("red", {"enum": ["red", "blue"]}, "Paint the wall.", False),
        ("red", {"enum": ["red", "blue"]}, "Paint the wall in Red.", True),
        ("red", {"enum": ["red"]}, "Paint the wall.", True),
        ("red", {"enum": ["red", "blue"], "default": "red"}, "Paint the wall.", True),
        ("metric", {"enum": ["metric", "imperial"]}, "How far is it in metres?", True),
        ("C", {"enum": ["C", "F"]}, "How warm is it, in Celsius?", True),
        ("F", {"enum": ["C", "F"]}, "How warm is it, in Celsius?", False),
        (2, {"enum": [1, 2, 3]}, "Two rooms.", True),
        (True, {"type": "boolean"}, "Find a place to eat that serves wine.", True),
        (True, {"type": "boolean"}, "Find a place to eat.", False),
        ("True", {"enum": ["True", "False"]}, "Find a place to eat that serves wine.", True),
        ("Lima", {}, "Find a place to eat.", True),
    ],
)
def test_an_option_is_spoken_of_by_a_word_that_begins_alike(value, schema, text, spoken):
    told = "C: Celsius, F: Fahrenheit"
    parameter = Parameter(name="serves_wine", type="any", required=True, description=told, schema_=schema)
    assert is_spoken_of(value, parameter, [text]) is spoken


@given(st.text(min_size=1, max_size=30).filter(lambda text: text.strip() not in {"", *_SAYING_NOTHING}))
def test_a_text_is_known_in_itself_and_not_in_nothing(text):
    assert stands_in(text, ANY, [f"It is {text.strip()} here."])
    assert not stands_in(text, ANY, []) or not any(letter.isalnum() for letter in text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("東京", "東京の天気は"),
        ("北京", "北京今天的天气怎么样"),
        ("서울", "서울의 날씨는?"),
        ("iPhone", "iPhoneの値段は"),
        ("Netflix", "今日Netflixで見る"),
        ("กรุงเทพ", "อากาศในกรุงเทพเป็นอย่างไร"),
        ("Zürich", "Wie wird das Wetter in Zu\u0308rich?"),
        ("Zu\u0308rich", "Wie wird das Wetter in Zürich?"),
        ("Straße", "IN WELCHER STRASSE?"),
    ],
)
def test_what_is_written_without_blanks_or_with_marks_apart_is_known(value, text):
    assert stands_in(value, ANY, [text])
    assert not stands_in(value, ANY, ["nothing of it"])


UNIT = {"enum": ["metric", "imperial"]}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"anyOf": [UNIT, {"type": "null"}]}, "metric"),
        ({"anyOf": [UNIT, {"type": "null"}]}, None),
        ({"type": "array", "items": UNIT}, ["metric", "imperial"]),
        (
            {"type": "object", "properties": {"unit": UNIT, "exact": {"type": "boolean"}}},
            {"unit": "metric", "exact": True},
        ),
        ({"type": "object", "additionalProperties": {"const": "metric"}}, {"unit": "metric"}),
        ({"allOf": [{"$ref": "#/$defs/unit"}], "$defs": {"unit": UNIT}}, "metric"),
    ],
)
def test_an_option_is_nobody_s_invention_wherever_the_schema_has_it(schema, value):
    parameter = ANY.model_copy(update={"schema_": schema})
    assert stands_in(value, parameter, ["How tall is it?"])
    assert not stands_in(["feet"], parameter, ["How tall is it?"])


def test_an_option_inside_a_value_is_spoken_of_or_not():
    parameter = ANY.model_copy(update={"schema_": {"type": "array", "items": UNIT}})
    assert is_spoken_of(["metric"], parameter, ["How tall is it in metres?"])
    assert not is_spoken_of(["metric", "imperial"], parameter, ["How tall is it in metres?"])
