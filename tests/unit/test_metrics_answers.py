"""Numbers, short texts and ways of calls against values worked out by hand."""

import pytest

from toolquiver.evaluation.metrics import (
    contains_path,
    exact_match,
    final_number_is,
    has_number,
    is_close,
    numbers_in,
    overlap_f1,
    word_f1,
)


@pytest.mark.parametrize(
    ("value", "right"), [(1001, True), (999, True), (1001.1, False), (998.9, False), (-1000, False)]
)
def test_a_number_may_be_a_thousandth_off(value, right):
    assert is_close(value, 1000) is right


def test_nothing_but_zero_is_close_to_zero():
    assert is_close(0, 0)
    assert not is_close(1e-12, 0)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The area is 43.57 cm.", [(43.57,)]),
        ("about 1,699,458.29 people", [(1699458.29,)]),
        ("x = −0.1393", [(-0.1393,)]),  # noqa: RUF001 - a minus sign as models write it
        (r"\(-0.1393\)", [(-0.1393,)]),
        ("3-5", [(3,), (5,)]),
        ("2.78 × 10^-5 or 2.78e-05", [(2.78e-5,), (2.78e-5,)]),  # noqa: RUF001
        ("3.23%", [(3.23, 0.0323)]),
        ("$12.50.", [(12.5,)]),
        ("version v2", []),
        ("43.57 cm^2 or 43.57 \\text{cm}^{2}, as x^2 - 5", [(43.57,), (43.57,), (5,)]),
        ("2^3 = 8", [(2,), (3,), (8,)]),
        ("1\u00a0234\u00a0567 or 1\u202f234.5 or 12\u2009345", [(1234567,), (1234.5,), (12345,)]),
        ("120 130 140", [(120,), (130,), (140,)]),
        ("10 20 or 2031 100 or 1 2345", [(10,), (20,), (2031,), (100,), (1,), (2345,)]),
        ("about 5.4 million, -2 Billion", [(5.4e6, 5.4), (-2e9, -2)]),
        ("13 millionaires", [(13,)]),
        ("1.5×10³ and 2 x 10⁻⁵ m³", [(1500,), (2e-5,)]),  # noqa: RUF001
        ("1e999", []),  # no number that a float has
    ],
)
def test_numbers_are_read_as_people_write_them(text, numbers):
    assert numbers_in(text) == [pytest.approx(number) for number in numbers]


@pytest.mark.parametrize("answer", ["It is 43.57 cm^2.", r"It is $43.57\ \mathrm{cm}^{2}$.", "It is 43.57 cm³."])
def test_the_power_of_a_unit_is_not_the_answer(answer):
    assert final_number_is(answer, 43.57)
    assert not has_number(answer, 2)


def test_the_last_number_that_is_not_the_questions_counts():
    asked = "By how much does it grow by 2% a year in 31 years?"
    assert final_number_is("It grows 1.8476 times in 31 years.", 1.8476, asked=asked)
    assert not final_number_is("1.8476 was wrong, it is 1.9.", 1.8476, asked=asked)
    assert not final_number_is("It grows.", 1.8476, asked=asked)
    assert final_number_is("31", 31, asked=asked)


def test_any_number_counts_in_the_lenient_reading():
    assert has_number("1.8476 was wrong, it is 1.9.", 1.8476)
    assert not has_number("It is 1.9.", 1.8476)


@pytest.mark.parametrize(
    ("answer", "gold", "exact", "f1"),
    [
        ("The Beatles!", "beatles", True, 1.0),
        ("John Winston Lennon", "John Lennon", False, 0.8),  # precision 2/3, recall 2/2
        ("Paul", "John Lennon", False, 0.0),
        ("yes", "Yes.", True, 1.0),
        ("yes, he did", "yes", False, 0.0),  # a closed answer stands alone
        ("", "John", False, 0.0),
    ],
)
def test_short_answers_are_compared_as_hotpotqa_does(answer, gold, exact, f1):
    assert exact_match(answer, gold) is exact
    assert word_f1(answer, gold) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("path", "gold", "right"),
    [("abc", "ac", True), ("ca", "ac", False), ("aa", "aaa", False), ("a", "", True), ("", "a", False)],
)
def test_the_gold_path_must_be_a_subsequence(path, gold, right):
    assert contains_path(path, gold) is right


@pytest.mark.parametrize(
    ("found", "gold", "f1"),
    [("ab", "ba", 1.0), ("aab", "ab", 0.8), ("ab", "cd", 0.0), ("", "", 1.0), ("", "a", 0.0)],  # 2 * 2 / (3 + 2)
)
def test_overlap_counts_repetitions(found, gold, f1):
    assert overlap_f1(found, gold) == pytest.approx(f1)
