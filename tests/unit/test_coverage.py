"""What of a plan is kept is told by the request's own words."""

import subprocess
import sys

import pytest

from toolquiver.nodes.texts.coverage import forgets, names_more, passed_over, touching

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


TUNGSTEN = "What is the atomic mass of tungsten, and how many protons does it have?"


@pytest.mark.parametrize(
    ("request_", "texts", "count"),
    [
        (TUNGSTEN, ["What is the atomic mass of tungsten?"], 1),
        (TUNGSTEN, ["What is the atomic mass of tungsten?", "How many protons does tungsten have?"], 0),
        (TUNGSTEN, [], 2),
        ("Who is Ann, and who is it?", ["Who is Ann?"], 0),  # a question without words of its own
        ("The barn is red. Where is it?", [], 0),
    ],
)
def test_a_question_of_the_request_that_no_text_has_a_word_of_is_passed_over(request_, texts, count):
    assert passed_over(texts, request_) == count


LONG = """
from toolquiver.catalog.question import Question
from toolquiver.nodes.texts.coverage import touching
word = "x" * 200_000
assert Question(f"Is 7 {word} b2?").meanings[0].split() == ["Is", word]
assert touching(["How high is it?"], f"How high is {word}?") == [True]
"""


def test_a_pasted_text_without_a_blank_is_read_once_and_not_from_each_of_its_letters():
    subprocess.run([sys.executable, "-c", LONG], check=True, timeout=60)  # it took many minutes
