"""The kind of answer a question asks for; the tools that take the day it names."""

import pytest

from toolquiver.catalog import API, api_id
from toolquiver.nodes.apis.dated import taking_its_day
from toolquiver.nodes.texts.kinds import counts_other, left_open, other_kind

WHEN = "What time is it in Lima when clocks in Graz show 8:20 in the evening on 3 April 2031?"


@pytest.mark.parametrize(
    ("task", "answer", "wrong"),
    [
        (WHEN, "It is 13:20 in Lima.", ""),
        (WHEN, "It is 1:20 pm.", ""),
        (WHEN, "At 2031-04-03T20:20 they are -7 hours apart.", "time of day"),
        ("Which time zone has Lima?", "America/Lima", ""),
        ("What time of year is best to visit Japan?", "Spring is best.", ""),
        ("What time does the Louvre open on Tuesday?", "It is closed on Tuesday.", ""),
        ("What time does the Louvre open?", "It opens at 9 o'clock.", ""),
        ("What time does the Louvre open?", "At nine o'clock.", ""),
        ("What time does the Louvre open?", "It opens at half past eight.", ""),
        ("What time does the Louvre open?", "Elle ouvre \u00e0 15h30.", ""),
        ("What time does the Louvre open?", "Er macht um 9 Uhr auf.", ""),
        ("What time is it?", "It is five past nine.", ""),
        ("What time is it?", "It is twenty-five minutes to 9.", ""),
        ("What time is it?", "It is 9.05 in the morning.", ""),
        ("What time is it?", "Nine in the evening.", ""),
        ("In what time was the race won?", "In less than ever.", ""),
        ("What time difference is there between Rome and Lima?", "Hours.", ""),
        ("Which time travel films are there?", "Primer.", ""),
        ("Which time-tracking tools are there?", "Toggl.", ""),
        ("What time slot is free?", "The first.", ""),
        ("What time of day is best?", "Morning.", ""),
        ("What time are they open?", "It is in Tokyo.", "time of day"),
        ("What time were you born", "It is in Tokyo.", "time of day"),
        ("What time today does the moon rise?", "It is in Tokyo.", "time of day"),
        ("Find out what time sunrise is.", "It is in Tokyo.", "time of day"),
        ("What time UTC is it?", "It is in Tokyo.", "time of day"),
        ("What time exactly is it?", "It is in Tokyo.", "time of day"),
        ("What time flight BA1 leaves?", "It is in Tokyo.", "time of day"),
        ("I need the sunset: at what time?", "In the west.", "time of day"),
        ("Tell me what time it is in Rome.", "Rome is big.", "time of day"),
        ("How many times has Uruguay won?", "Uruguay has won twice.", ""),
        ("How many times was he married?", "He was never married.", ""),
        ("How many live there?", "Hundreds.", ""),
        ("How high is the pollen level in Berlin?", "It is very high.", ""),
        ("How high is the pollen count in Berlin?", "It is very high.", ""),
        ("How heavy is the rain in Berlin?", "Moderate.", ""),
        ("How heavy will snowfall be?", "Moderate.", ""),
        ("How heavy is the traffic", "Moderate.", ""),
        ("How high are the counts of birch pollen today?", "High.", ""),
        ("How high is Snowdon?", "It is very high.", "number"),
        ("How high is Mount Rainier?", "It is very high.", "number"),
        ("How heavy is the snow leopard?", "It is very heavy.", "number"),
        ("How high is the count's castle?", "It is very high.", "number"),
        ("How heavy is the stone?", "It is very heavy.", "number"),
        ("How far along is my parcel?", "It is in Oslo.", ""),
        ("How high is the tower?", "It is very high.", "number"),
        ("Which public holidays has Norway in May 2027?", "Norway has 11 public holidays in May 2027.", "holidays"),
        ("List the neighbours of Peru.", "There are five neighbours in total.", "neighbours"),
        ("What is 7 plus 5?", "7 plus 5 is 12.", ""),
        ("What is 30 euros in dollars?", "30 euros is 32.5 dollars.", ""),
        ("What was 6 times 7?", "6 times 7 was 42.", ""),
        ("What are the two roots of x^2 - 5x + 6?", "The two roots are 2 and 3.", ""),
        ("What are the divisors of 6?", "6 has four divisors: 1, 2, 3 and 6.", ""),
        ("Which buses go to the airport?", "The 12 and 14 buses go to the airport.", ""),
        ("Which bus goes to the airport?", "The 12 bus goes to the airport.", ""),
        ("Which flights are there to Oslo?", "There are 0 flights to Oslo.", ""),
        ("What are the prime factors of 12?", "The prime factors of 12 are 2 and 3.", ""),
        ("What are the coordinates of Oslo?", "The coordinates of Oslo are 59.91, 10.75.", ""),
        ("Which planets have 2 moons?", "Mars has 2 moons.", ""),
        ("Which holidays has Norway?", "Norway has 2 holidays: Christmas and Easter.", ""),
        ("What opening hours has the shop?", "The shop has 24 hours.", ""),
        ("What is the total of all apples?", "There are 12 apples in total.", ""),
        ("Which years are leap years after 2027?", "2028 and 2032 are leap years.", ""),
        ("Which countries border Spain and how many?", "5 countries border Spain.", ""),
        ("Combien de saisons y a-t-il, how many?", "Il y a deux saisons, qui sont longues.", ""),
        (WHEN, "It is 9 pm there.", ""),
        (WHEN, "It is noon in Lima.", ""),
        ("What time does the sun set?", "The sun does not set there.", ""),
        ("What time does the sun set?", "It never sets.", ""),
        ("What time does the sun set?", "The time is not known.", "time of day"),
        ("What time does the sun set?", "It isn't given.", "time of day"),
        ("What time does the sun set?", "It could not be determined.", "time of day"),
        ("What time is it in Rome?", "I was not able to get the time.", "time of day"),
        ("What time is it in Rome?", "Rome is in Italy, not in France.", "time of day"),
        ("How many people live in Oslo?", "Nothing was found.", "number"),
        ("How far is it from Oslo to Bergen?", "I could not find any distance for these.", "number"),
        ("How high is K2?", "Feel free to ask again.", "number"),
        ("How much does it cost?", "Feel free to ask again.", "number"),
        ("What time does the sun set?", "The response does not say it.", "time of day"),
        ("What time is it in Rome when it is 14:00 in Berlin?", "14:00 in Berlin is 14:00 in Rome.", ""),
        ("What time is it in Rome when it is 14:00 in Berlin?", "It is 14:00 in Berlin.", "time of day"),
        ("What time is it in Rome when it is 14:00 in Berlin?", "It is 14:00:00+02:00 in Rome.", ""),
        ("What time is it in Rome when it is 14:00:00 in Berlin?", "It is 14:00:00 in Berlin.", "time of day"),
        ("What time is it in Rome when it is 14:00 in Berlin?", "At 2031-07-01T14:00:00 they agree.", "time of day"),
        ("What time is 2:00 PM in 24-hour format?", "It is 14:00.", ""),
        ("What time is 2:00 PM in Berlin in Tokyo?", "It is 14:00.", "time of day"),
        ("How many moons does Venus have?", "Venus does not have any moons.", ""),
        ("How many are there?", "Thirteen.", ""),
        ("How many are there?", "About a hundred.", ""),
        ("How much does it cost?", "It is free.", ""),
        ("How much is the ticket?", "Free.", ""),
        ("How much is the ticket?", "Feel free to ask again.", "number"),
        ("How much of Malta is wood?", "A third.", ""),
        ("How much of Malta is wood?", "Most of it.", ""),
        ("How many people live there?", "It is uninhabited.", ""),
        ("How many people live there?", "It is unknown.", "number"),
        ("How much does it cost?", "Any price.", "number"),
        ("How many people live in Lima?", "A calculation", "number"),
        ("How many moons has Venus?", "None", ""),
        ("How high is it?", "6,768 m", ""),
        ("Who lives there?", "Nobody", ""),
        ("What is the sum of 70 and 2, and is it a prime?", "The sum is 72.", "say: is it a prime?"),
        ("What is the sum of 70 and 2, and is it a prime?", "72 is no prime number.", ""),
        ("What is the sum of 70 and 2, and is it a prime?", "The sum is 72, and it isn't.", ""),
        ("Who rules Alpha and was he elected?", "Bob rules it. Yes.", ""),
        ("Who rules Alpha and was he elected?", "Bob rules it.", "say: was he elected?"),
        ("Who rules Alpha, and is it?", "Bob", ""),
        ("What is 70 and 2, and is it a prime?", "72; false", ""),
        ("What is the rate and has it changed since May?", "4.5 percent, unchanged", ""),
        ("She runs 3 miles and does this 4 times a week for 5 weeks. How far does she run?", "60 miles", ""),
        ("If it rains and is it cold, what do I wear?", "A coat", ""),
        ("Track A1.", "The tool does not provide information on tracking.", "no answer"),
        ("Track A1.", "It is in Oslo. The result doesn't even mention a date.", ""),
        ("Who rules A1?", "The response doesn\u2019t tell the ruler. A1 rules.", "no answer"),
        ("Who lives at A1?", "The response does not say who lives at A1.", "no answer"),
        ("Who lives at A1?", "The tool doesn't know who lives at A1.", "no answer"),
        ("Is foo in the list?", "The result does not list foo.", ""),
        ("Check A1 for viruses.", "The response does not list any.", ""),
        ("Who sang A1?", "No, the result does not tell.", ""),
        ("Who sang A1?", "Bob, as a result. Call Me Maybe did not include others.", ""),
        ("Track A1.", "No details of the parcel were found.", "no answer"),
        ("Show A1.", "The tool A_Pictures(size=2) does not generate any.", "no answer"),
        ("Track A1.", "It does not move, and is in Oslo. No results.", ""),
    ],
)
def test_an_answer_of_another_kind_is_seen(task, answer, wrong):
    assert (wrong in other_kind(task, answer)) if wrong else other_kind(task, answer) == ""


def an_api(name, *inputs):
    properties = {one: {"type": "string", "description": said} for one, said in inputs}
    return API(
        id=api_id("tests", "tests", name),
        name=name,
        description="",
        parameters={"type": "object", "properties": properties},
        tool="tests",
        category="tests",
        source="tests",
    )


NOW, THEN = an_api("now", ("timezone", "an IANA time zone")), an_api("then", ("at", "an ISO moment"))


@pytest.mark.parametrize("task", [WHEN, "on April 3rd", "on 2031-04-03", "on the 3rd of April"])
def test_tools_that_take_a_day_are_told(task):
    assert taking_its_day([NOW, THEN], task) == [THEN]


@pytest.mark.parametrize("task", ["What time is it in Lima?", "It may rain 3 times", "room 2031"])
def test_a_task_without_a_day_leaves_all(task):
    assert taking_its_day([NOW, THEN], task) == []


BOTH = "Encode the word in Base64 and give its SHA-1 hash."


@pytest.mark.parametrize(
    ("task", "api", "observation", "answer", "left"),
    [
        (BOTH, "encoding/hash_encode/base64encode", '{"text": "cXVp"}', "It is cXVp.", "SHA-1 hash"),
        (BOTH, "a/b/sha1_hash", '{"text": "cXVp"}', "It is cXVp.", ""),
        (BOTH, "a/b/encode", "{}", "It is cXVp; the hash is 12ab.", ""),
        ("Look up Mount Everest and tell me its height.", "a/b/mountain", '{"elevation_m": 8849}', "8849 m", ""),
        ("Multiply 6 by 7 and give the answer.", "a/b/multiply", '{"result": 42}', "42", ""),
        ("Find the film Alien and tell me its year.", "a/b/film", '{"year": 1979}', "Alien, 1979", ""),
        ("Find the film Alien.", "a/b/film", "{}", "Alien", ""),
    ],
)
def test_what_an_order_wants_besides_may_be_left_open(task, api, observation, answer, left):
    step = {"subtask": 0, "thought": "", "api": api, "arguments": {}, "observation": observation, "answer": answer}
    assert left_open(task, step) == left


PEOPLE = "How many people live in Nairobi?"


@pytest.mark.parametrize(
    ("task", "observation", "answer", "counted"),
    [
        (
            PEOPLE,
            '{"country": "Kenya", "min_population": 100000, "cities": 29}',
            "29 people live in Nairobi.",
            "cities",
        ),
        (PEOPLE, '{"min_population": 100000, "cities": 29}', "29 cities of more than 100,000 people.", "cities"),
        (PEOPLE, '{"population": 4397073}', "4,397,073 people live there.", ""),
        (PEOPLE, '{"count": 29, "results": 29}', "29 people live there.", ""),
        (PEOPLE, '{"city": {"people": 29}}', "29 people live there.", ""),
        ("How many cities are in Kenya?", '{"cities": 29}', "29 cities.", ""),
        ("How many hours is that?", '{"minutes": 29}', "29 minutes.", ""),
        ("What is in Nairobi?", '{"cities": 29}', "29 cities.", ""),
        (PEOPLE, "29 of them", "29 people live there.", ""),
        (PEOPLE, '{"cities": 29}', "Nobody knows.", ""),
    ],
)
def test_what_a_response_counts_may_be_something_else(task, observation, answer, counted):
    step = {"api": "a/b/look", "arguments": {}, "observation": observation, "answer": answer}
    assert counts_other(task, step) == counted
