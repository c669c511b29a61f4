"""What was found out before, put into a later task."""

import pytest

from toolquiver.nodes.texts.substitution import with_answers

TASK = "How far is the capital of Kenya from the capital of Peru?"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (
            [
                ("What is the capital of Kenya?", "Nairobi"),
                ("What's the capital of Peru?", "The capital of Peru is Lima."),
            ],
            "How far is the capital of Kenya (Nairobi) from the capital of Peru (Lima)?",
        ),
        ([("What is the Capital of Kenya?", "It is Nairobi, the largest city of the country.")], TASK),
        ([("What is the capital of Chile?", "Santiago")], TASK),
        ([("How large is the capital of Kenya?", "Huge")], TASK),
        ([("What is the capital of Kenya?", "")], TASK),
        ([], TASK),
    ],
)
def test_a_short_answer_stands_behind_what_it_answers(found, expected):
    assert with_answers(TASK, found) == expected


def test_what_is_said_already_is_not_said_again():
    task = "How many people live in the capital of Kenya, Nairobi?"
    assert with_answers(task, [("What is the capital of Kenya?", "Nairobi")]) == task


def test_a_thing_is_whole_words():
    assert (
        with_answers("the capital of Kenyans", [("What is the capital of Kenya?", "Nairobi")])
        == "the capital of Kenyans"
    )
