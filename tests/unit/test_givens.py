"""Numbers that a task gives and no call took are found, and those said in passing are not."""

import pytest

from toolquiver.nodes.texts.givens import passed_over_for_another, untaken


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
        ("Is the IBAN DE89 3704 0044 0532 0130 00 valid?", {"iban": "DE89370400440532013000"}, []),
        ("Is 4242 4242 4242 4242 valid?", {"card": "4242424242424242"}, []),
        ("Is 4242 4242 4242 4242 valid?", {"card": "4242424242424241"}, ["4242"]),
        ("Who has +41 31 123 45 67?", {"number": "+41311234567"}, []),
        ("What are $250k, 2.5 million and 3B?", {"amounts": [250000, 2500000, 3e9]}, []),
        ("What are $250k and 2.7 million?", {"amounts": [250_000, 2_600_000]}, ["2.7"]),
        ("Der Zug um 14.30 Uhr, le train de 18h45", {"at": ["14:30", "18:45"]}, []),
        ("Der Zug um 14.30 Uhr", {"at": "14:35"}, ["14.30"]),
        ("Set a timer for 45 minutes.", {"seconds": 2700}, []),
        ("Set a timer for 1 hour and 30 minutes.", {"minutes": 90}, []),
        ("Set a timer for 45 minutes.", {"seconds": 2800}, ["45"]),
        ("Which songs of the 80s are there?", {"from_year": 1980, "to_year": 1989}, []),
        ("Set a timer for 90 minutes, for 2 people.", {"seconds": 5400, "people": 2}, []),
        ("Find a hotel in Rome for 14 days for 2 people.", {"guests": 2}, ["14"]),
        ("Find a hotel in Rome for 14 days (2 weeks).", {"weeks": 2}, []),
        ("How much does parking for 120 minutes cost in zone 2?", {"zone": 2}, ["120"]),
        ("What do 40 hours of work at 24 euros cost?", {"rate": 24}, ["40"]),
        ("What are 1.234,56 euros of 1 234 567?", {"amount": 1234.56, "of": 1234567}, []),
    ],
)
def test_numbers_that_no_call_took(task, arguments, found):
    assert untaken(task, [a_step(**arguments)]) == found


def test_a_number_may_be_taken_in_any_step_or_come_back():
    steps = [a_step(inches=71), a_step('{"year": 2044}')]
    assert untaken("He is 71 inches tall and weighs 196 pounds in 2044.", steps) == ["196"]
    assert untaken("He is 71 inches tall and weighs 196 pounds in 2044.", []) == ["71", "196", "2044"]


LIVE = "How many people live in Nairobi?"
WRONG = "There are 29 people living in Nairobi."


@pytest.mark.parametrize(
    ("task", "arguments", "observation", "answer", "found"),
    [
        (LIVE, {"country": "Kenya"}, '{"country": "Kenya", "cities": 29}', WRONG, ["Nairobi"]),
        (LIVE, {"country": "Kenya"}, '{"largest": "Nairobi"}', WRONG, []),
        (LIVE, {"country": "KE"}, '{"cities": 29}', WRONG, []),
        (LIVE, {"name": "Nairobi", "country": "Kenya"}, "{}", WRONG, []),
        ("How many people live in Nairobi, Kenya?", {"country": "Kenya"}, "{}", WRONG, []),
        ("How many people live here?", {"country": "Kenya"}, "{}", WRONG, []),
        ("Is it noon in Nairobi?", {"timezone": "Africa/Nairobi"}, "{}", "Nairobi", []),
        ("How many people live in the capital of Kenya?", {"city": "Nairobi"}, "{}", "4 million in Kenya", []),
        ("Which currency does the UK use?", {"country": "United Kingdom"}, "{}", "The UK uses GBP.", []),
        ("What is the population of the German capital?", {"city": "Berlin"}, "{}", "It is 3.7 million.", []),
        ("Find a hotel near the Eiffel Tower.", {"city": "Paris"}, "{}", "Near the Eiffel Tower: Ibis.", []),
        ("Thanks! Please show the weather in Graz.", {"city": "Graz", "country": "Austria"}, "{}", "Graz: sun", []),
        ("Thanks! Please show the weather here.", {"city": "Graz"}, "{}", "Please wait.", []),
    ],
)
def test_a_name_passed_over_for_another_one_is_found(task, arguments, observation, answer, found):
    step = a_step(observation, **arguments) | {"answer": answer}
    assert passed_over_for_another(task, step) == found
    assert not passed_over_for_another(task, step, "Nairobi is in Kenya")
