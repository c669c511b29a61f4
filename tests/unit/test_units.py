"""Units in texts: the wrong one is told from the right one in another spelling."""

import json

import pytest

from toolquiver.nodes.texts.units import mentioned, misnamed, other_unit, to_convert, under_its_unit


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("It is 13,355 ft high.", {"feet"}),
        ("5 m and 3 kg", {"metres", "kilograms"}),
        ("nautical miles", {"nautical miles"}),
        ("1 nautical mile or 1.15 miles", {"nautical miles", "miles"}),
        ("-40 °F is -40 °C", {"degrees Fahrenheit", "degrees Celsius"}),
        ("people per square kilometre", {"square kilometres"}),
        ("752614 km^2", {"square kilometres"}),
        ("9 m^2", {"square metres"}),
        ("9 m²", {"square metres"}),
        ("9 m⁴", set()),
        ("Meters", {"metres"}),
        ("Plan K by M. foot-and-mouth, barometer, the AUTUMN", {"feet"}),
        ("The Rosetta Stone, the Rolling Stones, Mile End, a Foot Locker, the World Cup", set()),
        ("Is the Galaxy A54 a 5G phone with 4K?", set()),
        ("5 g of salt at 4 K", {"grams", "kelvin"}),
        ("de Paris au Havre, de mi hotel, the Wizard of Oz", set()),
        ("How high is it in cm?", {"centimetres"}),
        ("In Miles, how far is it? In pounds or KG?", {"miles", "pounds", "kilograms"}),
        ("Height In Feet", {"feet"}),
        ("its weight (kg)", {"kilograms"}),
        ("Stones are a unit.", {"stones"}),
        ("Is it warm in Celsius Land?", {"degrees Celsius"}),
        ("no unit", set()),
    ],
)
def test_units_are_known_by_their_usual_spellings(text, units):
    assert set().union(*mentioned(text).values()) == units


@pytest.mark.parametrize(
    ("task", "answer", "problem"),
    [
        ("What is 5 ft in m?", "It is 1.524 m.", ""),
        ("Convert 12 oz to g.", "12 oz are 340 g.", ""),
        ("How many l are in 5 gallons?", "18.9 litres", ""),
        ("What is 98.6 °F in C?", "37 °C", ""),
        ("What is 300 K in C?", "26.85 degrees Celsius", ""),
        ("What is a mile in m?", "1609.344 m", ""),
        ("How high is Mont Blanc in m?", "15,774 ft", "Convert from feet to metres."),
        ("How high is it in m²?", "15,774 ft", ""),
        ("How many metres is it?", "It is 40 feet.", "Convert from feet to metres."),
        ("How many meters is it?", "It is 12 m.", ""),
        ("How many kilometres?", "8,714 km (5,414 miles)", ""),
        ("What is 412 degrees Fahrenheit in Celsius?", "211 °C", ""),
        ("How high is it?", "It is 40 feet high.", ""),
        ("I weigh 78 kg. How many calories is that?", "539 kcal", ""),
        ("How many days are left?", "date 2038-04-25", "That is a date; the task asks how many days."),
        (
            "How many days are left?",
            "add(years=1, days=0) gives 2038-04-25",
            "That is a date; the task asks how many days.",
        ),
        ("How many days are left?", "From 2038-04-25 on it is 114 days.", ""),
        ("How many days are left?", "ten days, to 2038-04-25", ""),
        ("How hot, in Fahrenheit?", "692.73 K", "Convert from kelvin to degrees Fahrenheit."),
        ("How high is the highest mountain within 100 km of Geneva?", "Mont Blanc, 4808 m.", ""),
        ("My child weighs 20 kg. Which dose is right?", "The dose is 200 mg.", ""),
    ],
)
def test_an_answer_in_another_unit_is_told(task, answer, problem):
    assert other_unit(task, answer) == problem


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Zinc melts at 692.73 degrees Fahrenheit.", "692.73 is in kelvin, not in degrees Fahrenheit"),
        ("Zinc melts at 692.7 °F.", "692.7 is in kelvin, not in degrees Fahrenheit"),
        ("Zinc melts at 692.73 kelvin.", ""),
        ("It lies 1,180 metres high.", "1,180 is in feet, not in metres"),
        ("It has 1,180 kg.", "1,180 is in feet, not in kilograms"),
        ("It lies 7 metres high.", ""),
        ("It lies 12 feet or 12 metres high.", ""),
    ],
)
def test_a_value_has_the_unit_of_its_field(text, wrong):
    fields = {"melting_point_kelvin": 692.73, "elevationFt": 1180, "parts": [{"depth": 7}], "feet": 12, "metres": 12}
    assert misnamed(text, json.dumps(fields)) == wrong


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"value": 2.0, "unit": "kilogram"}, "2 is in kilograms, not in ounces"),
        ({"value": 2.0, "units": "KG "}, "2 is in kilograms, not in ounces"),
        ({"weight": {"value": 2, "unit": "kg"}}, "2 is in kilograms, not in ounces"),
        ({"value": 2.0, "unit": "oz"}, ""),
        ({"value": 2.0, "unit": "stones"}, "2 is in stones, not in ounces"),
        ({"value": 2.0, "unit": "drams"}, ""),
        ({"value": 2.0, "unit": 7}, ""),
        ({"pieces": 2, "unit": "kilogram"}, ""),  # of each?
        ({"value": 3, "pieces": 2, "unit": "kilogram"}, ""),
        ({"value": [2], "unit": "kilogram"}, ""),
    ],
)
def test_a_single_value_has_the_unit_beside_it(fields, wrong):
    assert misnamed("That is 2 ounces.", json.dumps(fields)) == wrong


def test_a_number_too_large_for_a_quantity_is_none():
    assert misnamed("5 feet", json.dumps({"metres": 10**400, "feet": float("inf")})) == ""


def test_what_is_no_json_says_nothing_about_units():
    assert misnamed("5 feet", "5 metres") == ""


@pytest.mark.parametrize(
    ("text", "arguments", "conversions"),
    [
        (
            "412 degrees Fahrenheit",
            {"celsius": 412},
            {"celsius": "Convert 412 from degrees Fahrenheit to degrees Celsius."},
        ),
        ("412 degrees Fahrenheit", {"fahrenheit": 412.0}, {}),
        ("412 degrees Fahrenheit", {"value": 412, "unit": "degF"}, {}),
        (
            '{"boiling_kelvin": 692.73}',
            {"f": 1, "psi": 692.73},
            {"psi": "Convert 692.73 from kelvin to pounds per square inch."},
        ),
        (
            '{"elevation_ft": 13355.0}',
            {"centimetres": 13355},
            {"centimetres": "Convert 13355 from feet to centimetres."},
        ),
        ('{"elevation": 13355.0}', {"centimetres": 13355}, {}),
        ("35 grams of aspirin", {"formula": "C9H8O4", "moles": 35}, {"moles": "Convert 35 from grams to moles."}),
        ("How many miles is 10 km, and how many km is 10 miles?", {"kilometres": 10}, {}),
        ("The 20 pounds ticket. My bag has 20 kg.", {"weight_kg": 20}, {}),
        (
            "196 pounds and 71 inches",
            {"weight_kg": 88.9, "height_cm": 71},
            {"height_cm": "Convert 71 from inches to centimetres."},
        ),
    ],
)
def test_an_argument_in_another_unit_is_to_be_converted(text, arguments, conversions):
    assert to_convert([text], arguments) == conversions


@pytest.mark.parametrize(
    ("function", "response", "text", "wrong"),
    [
        ("pounds2kg", '{"result": 1.5876}', "3.5 pounds are 1.5876 grams.", "1.5876 is in kilograms, not in grams"),
        ("moles_to_grams", '{"grams": 36.03}', "That is 36.03 grams.", ""),  # it says so itself
        ("pounds2kg", '{"result": 1.5876}', "3.5 pounds are 1.5876 kilograms.", ""),
        ("pounds2kg", '{"result": 1.5876, "steps": 2}', "3.5 pounds are 1.5876 grams.", ""),  # which one is it?
        ("day2month", '{"result": 3}', "That is 3 grams.", ""),
        ("pounds2kg", "not JSON", "3.5 pounds are 1.5876 grams.", ""),
        ("f2c", '{"result": 176.6667}', "350 °F is 176.6667 kelvin.", "176.6667 is in degrees Celsius, not in kelvin"),
        ("c_to_f", '{"result": 662}', "350 °C is 662 degrees Fahrenheit.", ""),
        ("c2c", '{"result": 5.0}', "That is 5 kelvin.", ""),
        ("of2c", '{"result": 176.6667}', "350 °F is 176.6667 kelvin.", ""),
    ],
)
def test_a_converters_result_has_the_unit_of_its_name(function, response, text, wrong):
    assert misnamed(text, under_its_unit(function, response)) == wrong


@pytest.mark.parametrize(
    ("task", "answer", "wrong"),
    [
        ("How many grams are 3.5 pounds?", "3.5 pounds are 1.5876 kilograms.", "Convert from kilograms to grams."),
        ("How many grams are 3.5 pounds?", "3.5 pounds are 1587.6 grams.", ""),
        ("How many grams are 3.5 pounds?", "3.5 pounds", ""),  # of these nothing can be converted
        ("Is 5 km more than 3 miles?", "5 km are 3.1 miles, so it is.", ""),
        ("What are 100 degrees Celsius elsewhere?", "100 degrees Celsius are 212 degrees Fahrenheit.", ""),
        ("Add 500 grams to 3 kilograms, in kilograms.", "3.5 kilograms", ""),
    ],
)
def test_what_a_task_gives_is_not_what_it_asks_for(task, answer, wrong):
    assert other_unit(task, answer) == wrong


TWO_DAYS = "How many days are there from 2024-01-01 to 2024-03-01?"


@pytest.mark.parametrize(
    ("answer", "is_date"),
    [
        ("The number of days from 2024-01-01 to 2024-03-01 is 60.", False),
        ("It is 2024-03-01.", True),
        ("From 2024-01-01 it is 2024-03-02.", True),
    ],
)
def test_an_answer_that_says_the_task_s_dates_again_is_no_date(answer, is_date):
    assert bool(other_unit(TWO_DAYS, answer)) == is_date


@pytest.mark.parametrize(
    ("task", "answer", "is_date"),
    [
        ("How many days until Easter?", "Easter is on 2027-03-28: 121 to go.", False),
        ("How many days until Easter?", "121 (2027-03-28)", False),
        ("How many seconds did he need, and when?", "9.58 s, on 2009-08-16", False),
        ("How many minutes is it, and from when?", "136 min long, of 1999-03-31", False),
        ("How many days until Easter?", "Easter 2027 is on 2027-03-28, at 10:00.", True),
        ("How many days until Easter?", "2027-03-28T10:00:00Z", True),
        ("How many days until my birthday?", "It is on 2027-03-04, a Thursday, at age 31.", True),
        ("How many days until my birthday?", "2027-03-04, at the age of 31", True),
        ("How many days until my birthday?", '{"date": "2027-03-04", "next_age": 31, "week": 9}', True),
        ("How many days until my birthday?", "You turn 31 on 2027-03-04.", True),
        ("How many weeks until my birthday?", "2027-03-04, day of the year 63", True),
        ("How many years did she live?", "1815-12-10 to 1852-11-27, age 36", False),
        ("How many weeks has the year had?", "2026-11-27 is in week 48.", False),
        ("How many days has the year had?", '{"date": "2026-11-27", "day_of_year": 331}', False),
    ],
)
def test_an_answer_with_a_number_beside_its_date_is_no_date(task, answer, is_date):
    assert other_unit(task, answer).startswith("That is a date") == is_date


def test_a_long_list_of_numbers_has_an_end():
    numbers = "12,7," * 20_000  # of which each was once tried with all that stand behind it
    assert other_unit(f"What is the mean of [{numbers}] in metres?", f"[{numbers}]") == ""
