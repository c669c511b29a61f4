"""Fields that a task asks for by name, and an answer leaves out, are said behind it."""

import json

import pytest

from toolquiver.nodes.texts.unsaid import begins_with, left_unsaid, with_lost, with_unsaid

NAME_AND_BIC = "What is the name of the bank of this account, and its BIC?"
BANK = {"bank_name": "Alpine Credit", "bic": "ALPCAT2X", "country": "AT", "valid": True}


def left(answer, task, **response):
    return [f"{name} {value}" for name, value in left_unsaid(answer, task, json.dumps(response))]


@pytest.mark.parametrize(
    ("answer", "task", "expected"),
    [
        (
            "The BIC is ALPCAT2X.",
            NAME_AND_BIC,
            ["bank name Alpine Credit"],
        ),
        ("It is Alpine Credit.", NAME_AND_BIC, ["bic ALPCAT2X"]),
        ("Alpine Credit, ALPCAT2X.", NAME_AND_BIC, []),
        ("The BIC is ALPCAT2X.", "What is the BIC of this bank?", []),
        ("The BIC is ALPCAT2X.", "What are BIC and country of AT611904300234573201?", ["country AT"]),
        ("No.", "Is the account valid?", []),
    ],
)
def test_what_is_asked_for_by_name_and_left_out_is_said(answer, task, expected):
    assert left(answer, task, **BANK) == expected


@pytest.mark.parametrize(
    ("answer", "response", "expected"),
    [
        ("It is 103.", {"text": "one hundred and three"}, "It is 103. Also: one hundred and three."),
        ("It is one hundred and three.", {"text": "one hundred and three"}, "It is one hundred and three."),
        ("It takes 21 boxes.", {"result": 20.2}, "It takes 21 boxes."),
        ("It is done.", {"status": "ok"}, "It is done."),
        ("It is 103.", {"text": "one hundred and three", "language": "English"}, "It is 103."),
    ],
)
def test_the_one_result_of_a_call_is_said_as_it_is(answer, response, expected):
    assert with_unsaid(answer, "Spell out the prime after the 26th prime.", json.dumps(response)) == expected


def test_a_name_may_run_across_the_words_of_the_task():
    assert left(
        "It rises at 03:12.", "When do the moonrise and the moon set come?", moonrise="03:12", moonset="18:40"
    ) == ["moonset 18:40"]


@pytest.mark.parametrize(
    ("answer", "field", "value"),
    [
        ("The distance is 23.5 km.", "distance", 23.4567),
        ("The day is 5 March 2031.", "day", "2031-03-05"),
        ("The time is 6:42 pm.", "time", "18:42"),
        ("The text is as follows.", "text", "word " * 60),
        ("The geohash of Nairobi is kzf0ty3.", "geohash", "kzf0ty3"),
    ],
)
def test_what_is_said_in_another_form_is_said(answer, field, value):
    assert left(answer, f"What is the {field}?", **{field: value}) == []


@pytest.mark.parametrize(
    ("answer", "start", "end"),
    [
        ("It is at 09:00.", "09:00", "17:00"),
        ("It is at 8:00.", "08:00", "20:00"),
        ("It is at 9:30 am.", "09:30", "17:30"),
        ("It is at 06:12.", "2026-08-01T06:12:00+02:00", "2026-08-01T20:12:00+02:00"),
        ("It is on 1 September 2026.", "2026-09-01", "2027-01-31"),
        ("It is on 1 September 2026.", "2026-09-01", "2027-09-01"),
        ("It is on August 12.", "2026-08-12T17:36:00Z", "2026-08-28T04:18:00Z"),
        ("It is 47.4.", "47.37", "47.37 / 8.54"),
        ("It is at 20:00.", "20:00", "08:00"),
        ("It is at 12 AM.", "00:00", "12:30"),
        ("It is at 10 AM on May 3.", "2026-05-03T10:00:00", "2026-05-04T11:00:00"),
        ("It is on August 12.", "2026-08-12", "2026-08-28T12:00:00Z"),
        ("It lasts 45 minutes.", "0:45", "1:30:00"),
        ("It is on May 1, 2026.", "05/01/2026", "06/01/2026"),
        ("It is in May 2026.", "2026-05", "2026-06"),
        ("It is 3.5.", "3.5/5", "4.5/5"),
    ],
)
def test_what_has_a_number_in_common_with_what_is_said_is_not_said(answer, start, end):
    task = "What are start and end in 2026?"
    assert left(answer, task, start=start, end=end) == [f"end {end}"]


@pytest.mark.parametrize(
    ("answer", "start", "end"),
    [
        ("From 9 am to 5 pm.", "09:00", "17:00"),
        ("From 9:00 am to 8:30 pm.", "09:00", "20:30"),
        ("From 09:00 to 17:31.", "09:00:00", "17:30:40"),
        ("Von 9 Uhr bis 20 Uhr.", "09:00", "20:00"),
        ("From 14h30 to 18h45.", "14:30", "18:45"),
        ("From the 12th of August to the 28th.", "2026-08-12", "2026-08-28"),
        ("Von 1.9.2026 bis 31. Januar 2027.", "2026-09-01", "2027-01-31"),
        ("From 47.4 to 8.5.", "47.37", "8.54, 47.37"),
        ("From 12:10 a.m. to 12 PM.", "00:10", "12:00"),
        ("From 12 AM to 8:30 in the evening.", "00:00", "20:30"),
        ("From 7:41:45 PM on May 1, 2026.", "19:41:45", "2026-05-01T19:41:45+02:00"),
        ("From 8:00 PM to 10 AM.", "2026-05-01T19:59:45", "2026-05-03T10:00:00"),
        ("Von 9 Uhr bis 20:00.", "2026-05-01T09:00", "2026-05-01T19:59:45"),
        ("From 1 hour 30 minutes to 45 minutes.", "1:30:00", "0:45"),
        ("From May 1, 2026 on.", "05/01/2026", "2026-05"),
        ("From 1 May 2026 on.", "01.05.2026", "1.5.2026"),
        ("From 3.5 on, UTC+2.", "3.5/5", "+02:00"),
    ],
)
def test_times_and_days_are_said_in_any_form(answer, start, end):
    assert left(answer, "What are start and end?", start=start, end=end) == []


def test_a_code_is_said_in_groups_too():
    task = "What type of card is 5555 5555 5555 4444, and which IBAN is DE89370400440532013000?"
    response = {"card": "5555555555554444", "iban": "DE89 3704 0044 0532 0130 00"}
    assert left("It is a Mastercard.", task, **response) == []


def test_a_small_number_counts_as_said_only_where_it_stands():
    assert left("The number is 978-3-16.", "What are the number and the check digit?", check_digit=7) == [
        "check digit 7"
    ]


def test_what_the_task_gives_itself_is_not_told_again():
    assert left("It is 12.", "What is the depth of lake Toma?", lake="Toma", depth=12) == []


@pytest.mark.parametrize(
    ("answer", "fields"),
    [
        ("It leaves at 19:30 on 1 May 2024.", {"departure": "2024-05-01T19:30:00Z"}),
        ("It is 83.2 million.", {"population": 83200000}),
        ("It is of the population B.", {"population": "B"}),
    ],
)
def test_what_is_said_in_another_form_is_not_told_again(answer, fields):
    assert left(answer, "What are the departure and the population?", **fields) == []


@pytest.mark.parametrize("observation", ["", "plain text", "[1, 2]", json.dumps({f"bic{n}": n for n in range(30)})])
def test_only_an_object_of_a_few_values_is_looked_at(observation):
    assert left_unsaid("It is so.", "What is bic3?", observation) == []


def test_fields_within_others_count_too():
    assert left("It is red.", "What are colour and weight?", item={"colour": "red", "weight": 30.5}) == ["weight 30.5"]


def test_it_stands_behind_the_answer_and_never_alone():
    observation = json.dumps(BANK)
    assert (
        with_unsaid("ALPCAT2X.", "Name of the bank and BIC?", observation) == "ALPCAT2X. Also: bank name Alpine Credit."
    )
    assert with_unsaid("", "Name of the bank and BIC?", observation) == ""


def test_what_the_call_was_made_with_is_no_news():
    observation, call = (
        json.dumps({"calendar": "french-republican", "day": 14}),
        "convert(calendar='french-republican')",
    )
    answer = with_unsaid("It is day 14.", "Which day is it in the calendar of the revolution?", observation, call)
    assert answer == "It is day 14."


def part(answer, **response):
    return {"question": "?", "answer": answer, "observation": json.dumps(response), "solved": True}


def test_an_answer_to_the_whole_gets_back_what_a_part_had():
    bank = part("The bank is Alpine Credit, its BIC ALPCAT2X.", **BANK)
    assert with_lost("It is ALPCAT2X.", "Which bank, and which BIC, in which country?", [bank]) == "It is ALPCAT2X."
    assert with_lost("It is ALPCAT2X.", NAME_AND_BIC, [bank]).endswith("Also: bank name Alpine Credit.")


def test_what_several_parts_have_does_not_say_whose_it_is():
    parts = [part("The wind is 12.", wind=12), part("The wind is 31.", wind=31, rain="light")]
    assert with_lost("It is windy.", "Wind and rain in Oslo and Bergen?", parts) == "It is windy."


def test_nothing_is_no_value():
    assert left("There is none of it.", "Which bank?", bank="None") == []


@pytest.mark.parametrize("name", ["", "_", "-"])
def test_a_field_without_a_name_is_not_asked_for(name):
    assert left("There is none of it.", "Which bank?", **{name: "Alpine"}) == []


def test_an_answer_said_again_is_known_again_with_what_it_had_left_out():
    assert begins_with("It is so. Also: bank Beta.", "It is so.")
    assert not begins_with("It is so or so.", "It is so")
