"""Rows of another month than is asked for."""

import json

import pytest

from toolquiver.nodes.texts.rows import of_its_month

LABOUR, NATIONAL, PEACE = (
    {"date": date, "name": name}
    for date, name in (("2027-05-01", "Labour Day"), ("2027-05-17", "National Day"), ("2027-06-05", "Day of Peace"))
)
ROWS = [LABOUR, NATIONAL, PEACE]
TASK = "Which holidays has Norway in May 2027?"


@pytest.mark.parametrize(
    ("task", "kept"),
    [
        (TASK, [LABOUR, NATIONAL]),
        ("Which holidays are there in June?", [PEACE]),
        ("Name the holidays of May, 2027.", [LABOUR, NATIONAL]),
        ("Which holidays are there in April 2027?", ROWS),
        ("Which holidays are there in May 2028?", ROWS),
        ("Which holidays may be in 2027?", ROWS),
        ("Which holidays are there in May and June?", ROWS),
        ("Which holidays are there in 2027, but not in May?", ROWS),
        ("What is there after the holidays of May?", ROWS),
        ("What is on the 5th of May 2027?", ROWS),
        ("Who was born in May 5?", ROWS),
        ("How many holidays will have passed by the end of May 2027?", ROWS),
        ("Which holidays are there starting in May 2027?", ROWS),
        ("My birthday is in May. Which holidays has Norway in 2027?", ROWS),
        ("What is the date of May Day and which other holidays are in 2027?", ROWS),
        ("Is the rainfall in May 2027 the highest of the year?", ROWS),
        ("How did the price change in May 2027?", ROWS),
        ("List the appointments for June Jones.", ROWS),
    ],
)
def test_rows_are_of_the_month_that_is_asked_for(task, kept):
    assert json.loads(of_its_month(task, json.dumps(ROWS))) == kept
    assert json.loads(of_its_month(task, json.dumps({"days": ROWS, "count": 3}))) == {"days": kept, "count": 3}


@pytest.mark.parametrize(
    "observation",
    [
        "no JSON",
        json.dumps([*ROWS, {"name": "undated"}]),
        json.dumps([LABOUR]),
        json.dumps({"2027-05-01": 1}),
        "[1, 2]",
    ],
)
def test_what_is_no_list_of_dated_rows_stays(observation):
    assert of_its_month(TASK, observation) == observation


def test_a_row_of_two_dates_lies_between_them():
    spring, autumn = ({"from": f"2027-0{a}-01", "to": f"2027-{b}-30"} for a, b in ((4, "06"), (9, 11)))
    for year in (" 2027", ""):
        assert json.loads(of_its_month(f"What is on in May{year}?", json.dumps([spring, autumn]))) == [spring]


def test_a_birthday_is_no_date_of_a_row():
    players = json.dumps([{"name": "A", "born": "2000-06-02"}, {"name": "B", "born": "1999-07-01"}])
    assert of_its_month("Which players are in the squad for June?", players) == players


def test_dates_alone_are_rows():
    assert of_its_month("Which days are free in June 2027?", '["2027-05-01", "2027-06-02"]') == '["2027-06-02"]'
