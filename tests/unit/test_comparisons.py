"""Which of two quantities is more, where a text or a question says it."""

import json

import pytest

from toolquiver.nodes.texts.comparisons import compares, misjudged, only_compares, which_is_more
from toolquiver.nodes.texts.conversions import asks_conversion, with_conversion

TASK = "Is 9.5 km more than 6 miles?"
IN_KM = {"kilometres": 9.6561}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("9.5 km is more than 9.66 km.", "9.5 is not more than 9.66"),
        ("9.5 km (5.9 miles) is more than 6 miles.", "5.9 is not more than 6"),
        ("It is 1,250 kg, which is less than 1,000 kilograms.", "1,250 is not less than 1,000"),
        ("5 kg is not heavier than 3 kg.", "5 is heavier than 3"),
        ("50 metres is taller than 60 m", "50 is not taller than 60"),
        ("25 °C is warmer than 30 °C.", "25 is not warmer than 30"),
        ("1 lb 4 oz is heavier than 12 oz.", ""),
        ("3 kg and 4 kg is more than 5 kg.", ""),
        ("2 x 3 km is more than 5 km.", ""),
        ("It isn't true that 3 m is more than 4 m.", ""),
        ("minus 5 °C is colder than 2 °C.", ""),
        ("9.5 km is less than 9.66 km.", ""),
        ("3 kg is not heavier than 3 kg.", ""),
        ("9.5 km is more than 6 miles.", ""),
        ("3 million is more than 2,000,000.", ""),
        ("The population in 2010 was lower than 1940.", ""),
        ("The Boeing 747 is longer than the 777.", ""),
        ("Python 3.12 is higher than 3.9.", ""),
        ("2/3 km is less than 3/4 km.", ""),
        ("\u221210 °C is colder than 5 °C.", ""),
        ("-10 °C is colder than -5 °C.", ""),
        ("It is 30% less than 40.", ""),
    ],
)
def test_of_two_numbers_of_one_unit_the_larger_one_is_more(text, wrong):
    assert misjudged(text) == wrong


MILES_IN_KM = "No: 6 miles is 9.6561 kilometres, more than 9.5 kilometres."


@pytest.mark.parametrize(
    ("arguments", "observation", "said"),
    [
        ({"miles": 6}, IN_KM, MILES_IN_KM),
        ({"value": 9.5}, {"value": 5.903, "unit": "mile"}, "No: 9.5 kilometres is 5.903 miles, less than 6 miles."),
        ({"value": 6, "from": "miles", "to": "km"}, {"result": 9.6561}, MILES_IN_KM),
        ({"miles": 6}, {"miles": 6, "km": 9.6561}, MILES_IN_KM),
        ({"distance": "6"}, {"km": "9.6561"}, MILES_IN_KM),
        ({"value": 6, "from": "miles", "to": "feet"}, {"result": 31680}, ""),
        ({"miles": 7}, IN_KM, ""),
        ({"miles": 6}, {"result": 9.6561}, ""),
        ({"miles": 6}, "none", ""),
        ({"miles": 6}, {"kilometres": 9.6561, "metres": 9656.1}, ""),
        ({"miles": 6}, {"feet": 31680}, ""),
        ({"value": 6, "from": "km", "to": "miles"}, {"result": 3.728}, ""),
    ],
)
def test_the_numbers_say_which_quantity_is_more(arguments, observation, said):
    assert which_is_more(TASK, arguments, json.dumps(observation)) == said


def test_a_quantity_may_be_less_or_the_same():
    said = which_is_more("Is 1 mile less than 2 km?", {"mile": 1}, '{"kilometres": 1.60934}')
    assert said == "Yes: 1 miles is 1.60934 kilometres, less than 2 kilometres."
    said = which_is_more("Is 1 kg more than 1000 g?", {"value": 1}, '{"grams": 1000}')
    assert said == "No: 1 kilograms is 1000 grams, the same as 1000 grams."
    said = which_is_more("Is a 10 kg suitcase heavier than 25 pounds?", {"kg": 10}, '{"lbs": 22.0462}')
    assert said == "No: 10 kilograms is 22.0462 pounds, less than 25 pounds."


@pytest.mark.parametrize(
    ("task", "arguments", "observation", "said"),
    [
        (
            "Which is longer: 5 miles or 8 kilometres?",
            {"miles": 5},
            {"kilometres": 8.0467},
            "5 miles: 5 miles is 8.0467",
        ),
        ("Which is heavier, 10 kg or 25 pounds?", {"kg": 10}, {"lbs": 22.0462}, "25 pounds: 10 kilograms is 22.0462"),
        ("Which of the two is shorter, 10 miles or 25 km?", {"km": 25}, {"miles": 15.5343}, "10 miles: 25 kilometres"),
        (
            "Which is longer, 1 km or 1000 m?",
            {"value": 1},
            {"metres": 1000},
            "1 kilometres is 1000 metres, the same as",
        ),
        ("Which is longer, the Nile or 1000 km?", {"km": 1000}, {"miles": 621.4}, ""),
        ("Which is longer, 5 feet 11 or 2 m?", {"m": 2}, {"feet": 6.56}, ""),
        ("Which is longer, 5 miles, 8 km or 9000 m?", {"miles": 5}, {"kilometres": 8.0467}, ""),
    ],
)
def test_which_of_two_quantities_is_more(task, arguments, observation, said):
    told = which_is_more(task, arguments, json.dumps(observation))
    assert told.startswith(said)
    assert bool(told) is bool(said)
    assert compares(task) is bool(said)


@pytest.mark.parametrize(
    "task", [TASK, "Is a 10 kg suitcase heavier than 20 pounds?", "Is 100 °F hotter than 35 degrees Celsius?"]
)
def test_for_quantities_of_different_units_a_converter_is_looked_for(task):
    assert compares(task)
    assert not asks_conversion(task)
    assert "convert units" in with_conversion(task)


@pytest.mark.parametrize(
    "task",
    [
        "Is 9.5 km more than 6 km?",
        "Is 5 more than 3?",
        "Is 5 kg more than 3 miles?",
        "How much more than 3 kg is 5 lb?",
        "Is 180 cm taller than 5 feet 11?",
        "Is half of 10 km less than 4 miles?",
        "Is 3 times 5 km more than 9 miles?",
        "Does 100 g of almonds have more calories than 5 oz of beef?",
        "Is flying 500 km more tiring than 300 miles?",
        "Are two 20 kg suitcases heavier than 60 pounds?",
        "Is the perimeter of a 5 m square longer than 60 ft?",
        "Is the sum of 5 km and a mile more than 4 miles?",
        "Is 5 km no longer than 3 miles?",
        "Is the boiling point of water at 5000 ft lower than 95 °C?",
    ],
)
def test_where_nothing_is_to_be_converted_none_is(task):
    assert not compares(task)
    assert with_conversion(task) == task


@pytest.mark.parametrize(
    "text",
    [
        "Which is longer " + "a or " * 20_000 + "? x",
        "Which is longer" + " " * 50_000 + "x ? y",
        "Is " + "5 km more than " * 20_000 + "? x",
    ],
)
def test_a_long_text_is_read_at_once(text):
    assert not compares(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which is longer: 5 miles or 8 km and by how much?",
        "Which is longer: 5 miles or 8 km or a marathon?",
        "Is 5 miles longer than 8 km, and by how much?",
        "Is a 10 kg suitcase heavier than 20 pounds, and what does it cost?",
        "Which is more: 30 miles per gallon or 14 km per litre?",
    ],
)
def test_what_asks_more_is_not_only_compared(text):
    assert not only_compares(text)
    assert which_is_more(text, {"miles": 5}, '{"kilometres": 8.0467}') == ""


@pytest.mark.parametrize("text", ["Which is longer: 5 miles or 8 km?", "Is 1,000 m more than 1 mile?"])
def test_what_asks_nothing_more_is_only_compared(text):
    assert only_compares(text)
