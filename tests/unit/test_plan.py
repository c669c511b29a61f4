"""What of a plan is kept is told by the request's own words."""

import pytest

from toolquiver.nodes.plan import Subtask, forgets, names_more, needed, touching

CAPITALS = ["What is the capital of Kenya?", "What is the capital of Peru?"]


@pytest.mark.parametrize(
    ("request_", "questions", "touched"),
    [
        ("How far is Nairobi from Lima?", ["Where is Nairobi?", "Where is Lima?", "Is it so?"], [True, True, False]),
        ("I weigh 78 kg. How fat am I?", ["What is the weight?", "How fat is he?"], [False, True]),
        ("How high is Mont Blanc?", ["How high is Mont Blanc?", "Where is Mont Blanc?"], [True, False]),
        ("A coin lands at 0.55. How likely are 12 heads?", ["How likely are 12 heads?", "55% of 12?"], [True, False]),
        ("Add 5 to the age of Ann", ["How old is Ann?", "What is that plus 5?"], [True, True]),
    ],
)  # fmt: skip
def test_a_question_touches_what_none_before_it_has(request_, questions, touched):
    assert touching(questions, request_) == touched


@pytest.mark.parametrize(
    ("request_", "questions", "forgotten"),
    [
        ("How far is the capital of Kenya from that of Peru as the crow flies?", CAPITALS, True),
        ("Which are the capitals of Kenya and Peru?", CAPITALS, False),
        ("I own a red barn. How many metres high is it?", ["How many metres high is the barn?"], False),
    ],
)
def test_what_no_question_asks_is_forgotten(request_, questions, forgotten):
    assert forgets(questions, request_) is forgotten


def test_a_question_that_names_nothing_more_needs_those_before_it():
    assert names_more(CAPITALS[1], CAPITALS[:1], "How far is Kenya from Peru?")
    assert not names_more("How far is it?", CAPITALS, "How far is Kenya from Peru?")


STEPS = [
    ("How wide is a circle of 7.45 cm?", "divide"),
    ("What is its square?", "power"),
    ("And with 3.14?", "multiply"),
]


@pytest.mark.parametrize(
    ("computing", "steps", "rest"),
    [({"divide", "power", "multiply"}, [0, 1, 2], [3]), (set(), [0, 2], [3])],
)
def test_what_is_computed_in_between_stays(computing, steps, rest):
    plan = [Subtask(question=question, tool=tool) for question, tool in [*STEPS, ("Is it so?", "power")]]
    found = needed(plan, "How big is a circle of 7.45 cm, with 3.14?", computing)
    assert found == ([plan[place] for place in steps], [plan[place] for place in rest])
