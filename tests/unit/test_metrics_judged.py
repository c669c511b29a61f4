"""Pass rates, success rate and win rate against values worked out by hand."""

import pytest

from toolquiver.evaluation.metrics import pass_rate_eq1, pass_rate_eq2, success_rate, win_rate


def test_non_solvable_questions_pass_by_equation_1_only():
    assert pass_rate_eq1(non_solvable=5, solved=3, unsolved=2) == 0.8  # (5 + 3) / 10
    assert pass_rate_eq2(solved=3, unsolved=2) == 0.6  # 3 / 5


def test_a_retriever_that_finds_nothing_fits_passes_by_equation_1():
    assert pass_rate_eq1(non_solvable=99, solved=0, unsolved=1) == 0.99
    assert pass_rate_eq2(solved=0, unsolved=1) == 0.0


def test_no_questions_have_no_rate():
    assert pass_rate_eq1(0, 0, 0) is pass_rate_eq2(0, 0) is success_rate(0, 0, 0) is win_rate([]).rate is None


def test_an_unsure_judge_is_no_success():
    assert success_rate(2, 1, 1) == 0.5


@pytest.mark.parametrize(
    ("shown_first", "shown_second", "counted"),
    [
        ("first", "second", "wins"),
        ("second", "first", "losses"),
        ("first", "first", "ties"),  # a judge that likes the first place
        ("second", "second", "ties"),
        ("tie", "tie", "ties"),
        ("first", "tie", "ties"),
        ("tie", "first", "ties"),
    ],
)
def test_a_win_must_stand_in_both_orders(shown_first, shown_second, counted):
    rate = win_rate([(shown_first, shown_second)])
    assert {"wins": rate.wins, "losses": rate.losses, "ties": rate.ties} == {
        "wins": 0,
        "losses": 0,
        "ties": 0,
        counted: 1,
    }


def test_a_tie_is_half_a_win():
    rate = win_rate([("first", "second"), ("first", "second"), ("tie", "tie"), ("second", "first")])
    assert rate.rate == 2.5 / 4
