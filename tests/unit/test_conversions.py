"""Which questions ask for a conversion, and are searched for as such."""

from __future__ import annotations

import asyncio

import pytest

from toolquiver import Context
from toolquiver.catalog.named import load_catalog
from toolquiver.nodes.run import Run
from toolquiver.nodes.texts.conversions import asks_conversion


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
    ],
)
def test_a_quantity_in_another_unit_is_a_conversion(task: str) -> None:
    assert asks_conversion(task)


@pytest.mark.parametrize(
    "task",
    [
        "",
        "How many days are there in February 2024?",
        "How many days are between 2020-01-01 and 2021-02-03?",
        "What is the time 3 hours after 14:30 in Tokyo?",
        "How far is it from Oslo to Rome in miles?",
        "A train goes 80 miles in 2 hours; how fast is it?",
        "If I work 8 hours, when am I done?",
        "How many minutes of daylight are there in Rome on May 3?",
        "How many miles is 5 miles?",
        "How many people live in 3 cities?",
        "Convert 100 dollars to euros",
    ],
)
def test_what_gives_no_quantity_or_asks_for_no_other_unit_is_none(task: str) -> None:
    assert not asks_conversion(task)


@pytest.mark.parametrize("task", ["How many seconds are there in 3.5 hours?", "How many minutes are in 2.25 days?"])
def test_a_converter_is_found_for_units_that_it_does_not_name(task: str) -> None:
    run = Run(context=Context(), catalog=load_catalog("demo"), bound={})
    plainly = [hit.api.id for hit in run.catalog.candidates(task, 10, 10)]
    first, *_ = asyncio.run(run.hits(task))
    assert first.api.id == "units/unit_converter_pro/convert_units"
    assert first.api.id not in plainly
