"""Everyday words of a question, and what APIs call it."""

import pytest

from toolquiver.catalog.everyday import in_nouns


@pytest.mark.parametrize(
    ("asked", "noun"),
    [
        ("How many people live in Ghana?", "population in Ghana?"),
        ("How many inhabitants does Uruguay have?", "population Uruguay have?"),
        ("how far is it from Porto to Riga", "distance far is it from Porto to Riga"),
        ("How much does a litre of milk cost in Oslo?", "price cost a litre of milk in Oslo?"),
        ("What does 'saudade' mean?", "definition meaning 'saudade'?"),
        ("In which compass direction is Leeds?", "In bearing direction is Leeds?"),
        ("Do I need an umbrella in Bergen?", "Do I weather forecast in Bergen?"),
    ],
)
def test_what_is_asked_for_is_put_as_apis_call_it(asked, noun):
    assert in_nouns(asked) == noun


@pytest.mark.parametrize(
    "text",
    [
        "How many people can sit in the stadium?",
        "How far along is my order?",
        "How highly is the film rated?",
        "Population of Ghana",
        "The direction of the film",
        "I weigh 70 kg. What is my BMI?",
        "How much is 3 plus 4? The cost does not matter.",
    ],
)
def test_what_asks_for_something_else_stays(text):
    assert in_nouns(text) == text
