"""Numbers in words, and in digits as other languages write them."""

from decimal import Decimal

import pytest

from toolquiver.nodes.texts.number_words import in_other_digits, in_words


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("thirty-three things", "33"),
        ("one hundred and twenty", "120"),
        ("Two thousand three hundred and four", "2304"),
        ("two and a half hours", "2.5"),
        ("three million", "3000000"),
        ("a dozen", "12"),
        ("the second of two", "2"),
        ("the thirteenth", "13"),
        ("the twenty-first prime", "21"),
        ("the ninetieth day", "90"),
        ("three quarters of it", "0.75"),
        ("a fifth", "0.2"),
    ],
)
def test_numbers_in_words_are_read(text, number):
    assert Decimal(number) in set(in_words(text))


def test_words_in_a_row_are_no_sum():
    assert set(in_words("five six fifty five")) == {Decimal(number) for number in (5, 6, 50, 55)}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1.234,56 euros", {"1234.56"}),
        ("1 234 567 people", {"1234567"}),
        ("1\N{NARROW NO-BREAK SPACE}234\N{NARROW NO-BREAK SPACE}567", {"1234567"}),
        ("on 05.03.2024", {"5", "3", "2024"}),
        ("on 5/3/24", {"5", "3", "24", "2024", "1924"}),
        ("3/4 of it", {"0.75"}),
        ("in 3.725", set()),
        ("version 1.2.3", set()),
        ("0/0 and 12/0 and 24/7", set()),
        ("1,234.5", set()),
        ("12,5 Kilometer sind wie viele Meilen?", {"12.5"}),
        ("12,50 \u20ac", {"12.5"}),
        ("ids 15,20", set()),
        ("1" * 20_000, set()),
        ("in 12,500", set()),
        ("1.500 Euro, wie viel ist das?", {"1500"}),
        ("1.500 euros", set()),
        ("2 1/2 cups", {"2.5", "0.5"}),
        ("2\u00bd cups", {"2.5"}),
        ("3 x 10^8 m/s", {"300000000"}),
        ("10**-3", {"0.001"}),
        ("3 \u00d7 10\u2078 m/s", {"300000000"}),
        ("10\u207b\u00b3 of 10 m\u00b2", {"0.001"}),
        ("1,50,000 rupees", {"150000"}),
        ("1'234.50 francs", {"1234.50"}),
    ],
)
def test_other_digits_are_read(text, numbers):
    assert set(in_other_digits(text)) == {Decimal(number) for number in numbers}
