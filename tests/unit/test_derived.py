"""Numbers that may be worked out of what was found."""

from decimal import Decimal

import pytest

from toolquiver.nodes.answering.compose import mentions_all
from toolquiver.nodes.texts.derived import counts, difference, together

ROME, PARIS = ("How many live in Rome?", "It has 2755309 people."), ("How many live in Paris?", "2,102,650 people.")
MORE = "How many more people live in Rome than in Paris?"


def known(*found):
    return [{"question": question, "answer": answer, "observation": "", "solved": True} for question, answer in found]


@pytest.mark.parametrize(
    ("task", "observation", "found"),
    [
        ("List the tickets.", "[1, 2, 3]", ["3"]),
        ("How many are open?", '{"tickets": [{"tags": []}, {"tags": []}]}', ["0", "1", "2"]),
        ("How many are open?", '{"open": 5}', []),
        ("What is the flight number of the first flight?", "[1, 2, 3]", ["3"]),
        ("Wie viele sind offen?", "[1, 2, 3]", ["3"]),
        ("How many are open?", "[1, 2, ... [cut", []),
    ],
)
def test_the_items_of_a_list_may_be_counted(task, observation, found):
    assert counts(task, observation) == found


@pytest.mark.parametrize(
    ("query", "found", "told"),
    [
        (MORE, [ROME, PARIS], 652659),
        ("What is the difference between the populations of Rome and Paris?", [ROME, PARIS], 652659),
        ("How many people live in Rome and in Paris?", [ROME, PARIS], None),
        (MORE, [ROME, ("Where is Paris?", "In France.")], None),
        (MORE, [ROME], None),
        (
            "How much longer is A than B?",
            [("How long is A?", "It is 5 km long."), ("And B?", "B is 3.5 km long.")],
            1.5,
        ),
        ("How much longer is A than B?", [("How long is A?", "It is 5 km long."), ("And B?", "B is 2 miles.")], None),
        ("How much longer is A than B?", [("How long is A?", "5 km or 3.1 miles."), ("And B?", "It is 3 km.")], None),
    ],
)
def test_the_difference_of_two_answers_is_told_where_it_is_asked_for(query, found, told):
    assert difference(query, found) == (told and Decimal(str(told)))


def test_what_is_asked_of_answers_together_is_worked_out():
    made = together(MORE, [ROME, PARIS])
    assert made[Decimal(652659)] == {0, 1}
    assert Decimal(4857959) in made
    assert together("How many people live in Rome and in Paris?", [ROME, PARIS]) == {}
    assert together(MORE, [ROME, ("Where is Paris?", "In France.")]) == {}


def test_what_an_answer_has_itself_stands_for_no_other():
    points = known(("How many has Ada?", "Ada has 500 points."), ("How many has Bo?", "Bo has 1,000 points."))
    assert not mentions_all("Ada has 500 points.", points, "How many points have Ada and Bo, and who has more?")
    assert mentions_all("Together they have 1,500 points.", points, "How many have Ada and Bo together?")


@pytest.mark.parametrize(
    ("text", "query", "whole"),
    [
        ("Rome has 652,659 more people than Paris.", MORE, True),
        ("Rome has 652,000 more people than Paris.", MORE, False),
        ("Rome has 652,659 more people than Paris.", "Who lives in Rome and in Paris?", False),
        ("2755309 and 2102650", MORE, True),
        ("Rome has 2755309 people.", MORE, False),
    ],
)
def test_a_difference_stands_for_both_answers(text, query, whole):
    assert mentions_all(text, known(ROME, PARIS), query) is whole
