"""Days named by how far off they are, as the dates that APIs take."""

import pytest

from toolquiver.catalog import Parameter
from toolquiver.context import Context
from toolquiver.errors import InputError
from toolquiver.evaluation.systems.settings import context_with
from toolquiver.nodes.apis.relative_days import days_for

CONTEXT = Context(today="2031-02-28")


def a_day(name="date", *, required=True, description="Date (YYYY-MM-DD)", **schema):
    return Parameter(name=name, type="string", required=required, description=description, schema_=schema)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["When does the sun set in Lima today?"], "2031-02-28"),
        (["When does it get dark tonight?"], "2031-02-28"),
        (["Tomorrow in Oslo?"], "2031-03-01"),
        (["Was yesterday a holiday?"], "2031-02-27"),
        (["And the day after tomorrow?"], "2031-03-02"),
        (["the day before yesterday"], "2031-02-26"),
        (["When does the sun set there?", "Where is Lima, and when does the sun set there tomorrow?"], "2031-03-01"),
        (["The sunset of today", "The sunset of today and of tomorrow"], "2031-02-28"),
        (["The sunset of today and of tomorrow"], None),
        (["From today to 3 May 2031"], None),
        (["On 3 May 2031", "On 3 May 2031, and then tomorrow"], None),
        (["Translate 'See you tomorrow' into French"], None),
        (["USA Todays headlines"], None),
    ],
)
def test_the_day_that_is_meant_is_given_where_one_is_needed(texts, expected):
    assert days_for({}, [a_day()], (), texts, CONTEXT) == ({"date": expected} if expected else {})


@pytest.mark.parametrize(
    ("arguments", "doubtful", "expected"),
    [
        ({"date": "2023-01-01"}, {"date"}, "2031-03-01"),
        ({"date": "2023-01-01"}, (), None),
        ({"date": "Today"}, (), "2031-02-28"),
        ({"date": "the day after tomorrow"}, {"date"}, "2031-03-02"),
    ],
)
def test_what_is_given_stays_unless_it_is_doubtful_or_such_a_word(arguments, doubtful, expected):
    assert days_for(arguments, [a_day()], doubtful, ["What is there tomorrow?"], CONTEXT) == (
        {"date": expected} if expected else {}
    )


@pytest.mark.parametrize(
    ("parameters", "text", "given"),
    [
        ([a_day(required=False)], "the weather today", []),
        ([a_day(required=False)], "the weather tomorrow", ["date"]),
        ([a_day("from"), a_day("to")], "the days from today to Easter", []),
        ([a_day("on"), a_day("until", required=False)], "a room for tomorrow", ["on"]),
        ([a_day(description="", format="date")], "today", ["date"]),
        ([a_day(description="", format="date-time")], "today", []),
        ([a_day(description="YYYY-MM-DDTHH:MM")], "today", []),
        ([a_day(description="YYYY-MM-DD HH:MM")], "today", []),
        ([a_day(description="a day of the week")], "today", []),
    ],
)
def test_only_the_one_input_of_a_day_is_given_it(parameters, text, given):
    assert list(days_for({}, parameters, (), [text], CONTEXT)) == given


def test_without_a_day_in_the_settings_it_is_the_clock_s():
    found = days_for({"date": "today"}, [a_day()], (), [], Context())
    assert len(found["date"]) == len("2031-02-28")


@pytest.mark.parametrize("wrong", ["tomorrow", "2031-02-30", "20310228", "2031-W09-5"])
def test_a_setting_that_is_no_day_is_refused(wrong):
    with pytest.raises(InputError, match=f"today is '{wrong}'; it must be a day, YYYY-MM-DD"):
        Context(today=wrong)
    with pytest.raises(InputError, match=f"today cannot be '{wrong}': Input should be a day, YYYY-MM-DD"):
        context_with({"today": wrong}, Context)


DATE = "2031-06-01"


@pytest.mark.parametrize(
    ("arguments", "doubtful", "expected"),
    [
        ({"start": DATE, "end": DATE}, (), {"start": "2031-02-28", "end": DATE}),
        ({"end": DATE}, (), {"start": "2031-02-28", "end": DATE}),
        ({"start": "1988-05-07", "end": "2023-01-01"}, {"end"}, {"start": "1988-05-07", "end": "2031-02-28"}),
        ({"start": DATE, "end": "2031-07-01"}, (), {}),
        ({"start": "2031-02-28", "end": DATE}, (), {}),
        ({"start": None, "end": DATE}, (), {}),
        ({"start": "today", "end": DATE}, (), {"start": "2031-02-28"}),
        ({"start": "June", "end": "June"}, (), {}),
        ({}, (), {}),
    ],
)
def test_of_two_days_the_first_has_the_earlier_one(arguments, doubtful, expected):
    inputs = [a_day("start"), a_day("end")]
    assert days_for(arguments, inputs, doubtful, ["How many days from today to 1 June 2031?"], CONTEXT) == expected


def test_two_days_of_which_none_is_named_so_stay():
    days = {"start": DATE, "end": DATE}
    assert days_for(days, [a_day("start"), a_day("end")], (), ["From 1 June 2031 to 1 June 2031"], CONTEXT) == {}


@pytest.mark.parametrize(
    ("text", "implied"),
    [
        ("How many days are left until 1 June 2031?", True),
        ("How many days have passed since the 1st of June 2031?", True),
        ("How many days ago was 2031-06-01?", True),
        ("How old is somebody born on 1 June 2031?", True),
        ("How many days are there from Easter 2030 until 1 June 2031?", False),
        ("How many days are left until Easter 2032, on 1 June 2031?", False),
        ("How old is somebody on 3 May 2050 who was born on 1 June 2031?", False),
        ("How old was she on 1 June 2031?", False),
        ("How many days are there to 1 June 2031?", False),
    ],
)
def test_since_or_until_a_date_means_today(text, implied):
    inputs, expected = [a_day("start"), a_day("end")], {"start": "2031-02-28", "end": DATE} if implied else {}
    assert days_for({"start": DATE, "end": DATE}, inputs, (), [text], CONTEXT) == expected
    assert days_for({"end": DATE, "start": "2023-01-01"}, inputs, {"start"}, [text], CONTEXT) == expected
    from_an_api = {"end": DATE, "start": None}
    assert days_for(from_an_api, inputs, {"start"}, [text], CONTEXT) == {}
