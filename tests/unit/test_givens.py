"""Numbers that a task gives and no call took are found, and those said in passing are not."""

import pytest

from toolquiver.nodes.texts.givens import untaken


def a_step(observation="{}", **arguments):
    return {
        "subtask": 0,
        "thought": "",
        "api": "a/b/c",
        "arguments": arguments,
        "observation": observation,
        "answer": "",
    }


@pytest.mark.parametrize(
    ("task", "arguments", "found"),
    [
        ("How far ahead of UTC is 31.55 S, 159.08 E on 20 July 2031?", {"at": "2031-07-20"}, ["31.55", "159.08"]),
        ("How far ahead of UTC is 31.55 S, 159.08 E?", {"lat": -31.55, "lon": 159.08}, []),
        ("What are 1,250 euros less 15 percent?", {"amount": 1250, "share": 0.15}, []),
        ("When does the sun set at 9 in the evening of the 24th?", {"at": "21:00"}, ["24"]),
        ("Which 13-digit EAN, CRC-32 and ISO 15924 code has 2001:db8:40::1f and C8H10N4O2?", {}, []),
        ("the 24th day of the tenth month", {"month": 12}, ["24"]),
        ("Name the 3 largest, to 2 decimals.", {}, []),
        ("Is 1.5 more than 1.5?", {}, ["1.5"]),
        ("Is the pharmacy open 24/7?", {}, []),
        ("Wie viele Meilen sind 12,5 Kilometer?", {"km": 12.5}, []),
        ("What is the sum of 1500,2500?", {"numbers": [1500, 2500]}, []),
        ("Who lived there on 15.3.2024?", {"day": "2024-03-15"}, []),
        ("Who lived there on 15.3.2024?", {"day": "2024-03-16"}, ["15.3"]),
        ("What are 1.234,56 euros of 1 234 567?", {"amount": 1234.56, "of": 1234567}, []),
    ],
)
def test_numbers_that_no_call_took(task, arguments, found):
    assert untaken(task, [a_step(**arguments)]) == found


def test_a_number_may_be_taken_in_any_step_or_come_back():
    steps = [a_step(inches=71), a_step('{"year": 2044}')]
    assert untaken("He is 71 inches tall and weighs 196 pounds in 2044.", steps) == ["196"]
    assert untaken("He is 71 inches tall and weighs 196 pounds in 2044.", []) == ["71", "196", "2044"]
