"""Which questions ask for a conversion, and are searched for as such."""

from __future__ import annotations

import asyncio

import pytest

from tests.graphs.script import an_api
from toolquiver import Catalog, Context
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.expand import expanded
from toolquiver.nodes.texts.conversions import asks_conversion, each_conversion, only_converts


@pytest.mark.parametrize(
    "task",
    [
        "How many seconds are there in 3.5 hours?",
        "How many days are in 3 weeks?",
        "What is 5 ft in m?",
        "Convert 12 gallons to litres",
        "How many feet is a mile?",
        "12.5km into miles",
        "How many megabytes are 3.2 gigabytes?",
        "100 °F in °C",
        "What is 20 degrees Celsius in Fahrenheit?",
        "Turn 90 degrees into radians.",
        "How many hours is half a day?",
        "5 square miles in square kilometres, please",
        "3 GB in MB",
        "How long is 90 min in hours?",
        "100 km/h in mph",
        "two miles in km",
        "Convert 40 pints to litres.",
        "How many cups are in a gallon?",
        "500 ml in fluid ounces",
        "How many kilometres is a light year?",
        "What is 3 acres in square metres?",
        "Convert 1,250 grams to pounds and tell me the capital of Peru.",
        "What is 98.6 F in C?",
        "Convert -40 c to f",
        "90 degrees F to C",
        "twenty miles to kilometres",
        "How many pounds are two hundred and five kilograms?",
        "three and a half hours in minutes",
        "5 fl oz to ml",
        "100 sq ft in m2",
        "60 miles per hour in km/h",
        "30 pounds per square inch in kPa",
    ],
)
def test_a_quantity_in_another_unit_is_a_conversion(task):
    assert asks_conversion(task)


@pytest.mark.parametrize(
    "task",
    [
        "",
        "How many days are there in February 2024?",
        "How many days are between 2020-01-01 and 2021-02-03?",
        "How many hours a day is it light in Tromso in June?",
        "How many days of rain will Oslo have in the next 2 weeks?",
        "How many days a week is the Louvre open?",
        "Find hotels within 5 km of it, and give the distance in metres.",
        "Set a timer of 3 minutes and show the time left in seconds.",
        "What is the time 3 hours after 14:30 in Tokyo?",
        "How far is it from Oslo to Rome in miles?",
        "A train goes 80 miles in 2 hours; how fast is it?",
        "How many miles is 5 miles?",
        "How many people live in 3 cities?",
        "Convert 100 dollars to euros",
        "Drive 5 miles to Rome",
        "Drive 60 miles per hour to Rome",
        "Pay 5 dollars per hour in euros",
        "Play it from 3 C to 5 L",
    ],
)
def test_what_asks_for_anything_else_is_none(task):
    assert not asks_conversion(task)


@pytest.mark.parametrize("task", ["How many seconds are there in 3.5 hours?", "How many minutes are in 2.25 days?"])
def test_a_converter_is_found_for_units_that_it_does_not_name(task):
    catalog = Catalog.create()
    catalog.add(
        an_api("convert_units", description="Convert a value from one unit of measure to another."),
        an_api("clock", description="How many hours, minutes and seconds there are until a time."),
        an_api("days_between", description="How many days and minutes are in a span."),
    )
    run = Run(context=Context(expansion=False), catalog=catalog, bound={})
    state = {"query": task, "allowed": None, "subtasks": [task], "expansions": {}, "usage": {}, "stopped": ""}
    text, _ = asyncio.run(expanded(task, state, run))
    (first, *_), (plainly, *_) = asyncio.run(run.hits(text)), asyncio.run(run.hits(task))
    assert (first.api.name, plainly.api.name == "convert_units") == ("convert_units", False)


@pytest.mark.parametrize(
    ("task", "whole"),
    [
        ("How many minutes are in 2.25 days?", True),
        ("Please tell me what 84 kilograms is in pounds, or 84 kg to lb.", False),
        ("Convert 30 °C to Fahrenheit.", True),
        ("Could you tell me how many hours there are in a week?", True),
        ("What is 5 miles in km on Mars?", False),
        ("How many seconds are there in 3.5 hours and 12 minutes?", False),
        ("Convert 5 grams to pounds and tell me the time of sunset.", False),
        ("How old is the moon?", False),
        ("what's 3 hours in minutes, what's the weather in oslo", False),
        ("How many minutes are in 3 hours, please tell me what the weather is like", False),
        ("Convert 5 miles to km, save it to my notes", False),
        ("I'd like to know what's 3 hours in minutes, please.", True),
    ],
)
def test_a_task_that_only_converts_names_nothing_besides(task, whole):
    assert only_converts(task) is whole


@pytest.mark.parametrize(
    ("task", "each"),
    [
        ("Convert 350 °F to °C and to kelvin.", ["Convert 350 °F to °C.", "Convert 350 °F to kelvin."]),
        ("What is 5 miles in km and in feet?", ["What is 5 miles in km?", "What is 5 miles in feet?"]),
        ("Convert 10 kg to pounds, to ounces and to grams", ["pounds", "ounces", "grams"]),
        ("Convert 180 cm to feet and inches", []),  # one length
        ("What is 5000 seconds in hours and minutes?", []),
        ("Convert 5 miles to km and to kilometres", []),
        ("Convert " + "please " * 4_000 + "5 miles to " + "km, to feet, " * 4_000, []),
        ("What is 5 miles in km?", []),
        ("Convert 5 miles to km and add 3", []),
        ("Convert 5 miles to km and kg", []),
        ("How many feet are in 5 miles and in 3 km?", []),
        ("Convert 5 miles to km and feet, and tell me who ran them", []),
    ],
)
def test_a_conversion_into_several_units_is_several(task, each):
    found = each_conversion(task)
    assert len(found) == len(each)
    assert all(one.endswith(text) for one, text in zip(found, each, strict=True))
