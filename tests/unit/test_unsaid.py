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
    ],
)
def test_what_is_said_in_another_form_is_said(answer, field, value):
    assert left(answer, f"What is the {field}?", **{field: value}) == []


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
