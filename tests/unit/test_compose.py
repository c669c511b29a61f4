"""The answer to a whole query loses nothing of its parts."""

import pytest

from toolquiver.nodes.answering.compose import mentions_all

BURNED = ("How many kilocalories did that burn?", "Running burned approximately 539.5 kilocalories.")
OVEN = ("What is 412 degrees Fahrenheit in Celsius?", "It is approximately 211.11 degrees.")


def found(*parts):
    return [{"question": question, "answer": answer, "observation": "", "solved": True} for question, answer in parts]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("It burned 539.5 kilocalories, and the oven is set to 211.11 degrees.", True),
        ("Running burned approximately 539.5 kilocalories.", False),
        ("The oven is set to approximately 211.11 degrees.", False),
    ],
)
def test_every_part_has_its_number_in_the_whole(text, whole):
    assert mentions_all(text, found(BURNED, OVEN)) is whole


def test_a_part_without_numbers_has_a_word_of_its_own_in_the_whole():
    parts = found(("What is the capital of Peru?", "Lima is the capital."), ("Who rules?", "Nobody."))
    assert mentions_all("Lima, and nobody.", parts)
    assert not mentions_all("Lima is the capital.", parts)


def test_a_part_that_tells_nothing_new_need_not_be_mentioned():
    assert mentions_all("", found(("Is it Lima?", "It is Lima.")))


@pytest.mark.parametrize(
    ("known", "said", "whole"),
    [("8,848 m", "8848 m", True), ("8.5 kg", "8.9 kg", False), ("8.52 kg", "8.5 kg", True), ("21:05", "9:05 pm", True)],
)
def test_a_number_is_mentioned_as_a_whole_however_it_is_written(known, said, whole):
    parts = found(("How much is it?", f"It is {known}."), ("Who rules?", "Nobody."))
    assert mentions_all(f"It is {said}, and nobody rules.", parts) is whole
