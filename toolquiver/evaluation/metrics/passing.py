"""Shares of questions by what a judge says of them: pass rates, success rate, win rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

Preference = Literal["first", "second", "tie"]
"""Which of two answers a judge prefers, by the place in which each was shown."""


def pass_rate_eq1(non_solvable: int, solved: int, unsolved: int) -> float | None:
    """ToolLLM's pass rate: questions called non-solvable count as passed (anytool.txt, equation 1).

    Takes numbers of questions, gives a share; None of no questions. It rises as retrieval gets worse, so it is never
    shown without its number.
    """
    return _share(non_solvable + solved, non_solvable + solved + unsolved)


def pass_rate_eq2(solved: int, unsolved: int) -> float | None:
    """AnyTool's pass rate: solved of those solved and unsolved (anytool.txt, equation 2); None of no questions."""
    return _share(solved, solved + unsolved)


def success_rate(solved: int, unsolved: int, unsure: int) -> float | None:
    """The share of all questions whose answer a judge calls right (easytool.txt, 5.1); None of no questions.

    Takes numbers of questions. Those that the judge is not sure of count as not solved.
    """
    return _share(solved, solved + unsolved + unsure)


class WinRate(BaseModel):
    """How often one system is preferred to another: numbers of questions, and their share with a tie as half."""

    model_config = ConfigDict(frozen=True)

    wins: int
    losses: int
    ties: int

    @property
    def rate(self) -> float | None:
        """Wins and half the ties as a share of all; None of no questions."""
        return _share(self.wins + self.ties / 2, self.wins + self.losses + self.ties)


def win_rate(asked: Sequence[tuple[Preference, Preference]]) -> WinRate:
    """How often a system is preferred, each question judged in both orders (smurfs.txt, 4.1, table 3).

    A pair is the judge's word with this system's answer shown first, then with it shown second. It wins a question if
    it is preferred in both orders, and loses it if the other is; all else is a tie, so that a judge that always prefers
    the first place counts for nobody.
    """
    wins, losses = asked.count(("first", "second")), asked.count(("second", "first"))
    return WinRate(wins=wins, losses=losses, ties=len(asked) - wins - losses)


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None
