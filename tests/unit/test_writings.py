"""A number in digits, where it is to be written in words or as a Roman numeral."""

import pytest

from toolquiver.nodes.texts.kinds import OPEN, other_kind
from toolquiver.nodes.texts.writings import unwritten

WORDS, ROMAN = "Spell out in words the 12th prime number.", "What is the 12th prime in Roman numerals?"


@pytest.mark.parametrize(
    ("task", "answer", "left"),
    [
        (WORDS, "The 12th prime number is 37.", "37 in words"),
        (WORDS, "The 12th prime number is thirty-seven.", ""),
        (WORDS, "It is 37, or Thirty-seven.", ""),
        (WORDS, "It was not found.", ""),
        ("Write 1,204 out.", "1,204 is one thousand two hundred and four.", ""),
        ("How is the totient of 15 written in words?", "The totient of 15 is 8.", "8 in words"),
        (ROMAN, "It is 37.", "37 as a Roman numeral"),
        (ROMAN, "I found that it is 37.", "37 as a Roman numeral"),
        (ROMAN, "It is XXXVII.", ""),
        ("Write the first number as a Roman numeral.", "1 is I.", ""),
        ("Which number is XIV in Roman numerals?", "It is 14.", ""),
        ("What is the 12th prime?", "It is 37.", ""),
    ],
)
def test_a_number_in_digits_is_not_all_where_it_is_to_be_written_otherwise(task, answer, left):
    assert unwritten(task, answer) == left
    assert other_kind(task, answer) == (f"{OPEN} {left}" if left else "")
