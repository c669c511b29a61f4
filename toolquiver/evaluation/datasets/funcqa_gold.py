"""FuncQA's golds that arithmetic shows to be wrong, with what is right and why.

Only what anybody can check is here: a slip in the data's own calculation, a number or unit other than the question's,
an answer that is not of the kind asked for, and a gold rounded by more than the 0.1 percent that answers may be off. A
question that has no right answer, or whose formula can be argued about, is kept as it is.
"""

from __future__ import annotations

from typing import NamedTuple


class Correction(NamedTuple):
    """The gold of the row with this id: what the data say, what is right, and why."""

    id: int
    given: float
    right: float
    reason: str


ONE_HOP = (
    Correction(26, 59508, 1_190_160, "684 minutes are 41,040 seconds; lcm(783, 41040) = 1190160"),
    Correction(44, 5040, 2520, "two of the seven letters are the same: 7! / 2! = 2520"),
    Correction(56, 3, 9, "1899 = 18 * 105 + 9; the gold divides by 24"),
)

MULTI_HOP = (
    Correction(5, 8.7824, 8.7724, "2.41 * 3.64 = 8.7724, as in the data's own calculation"),
    Correction(13, 10.5034, 10.51627, "4.8 ** 1.5 = 10.51627; the gold takes the rounded root 2.19"),
    Correction(17, 3.18, 4, "a whole number is asked for: 0.0010101 * 18 ** 3 = 5.9 and 0.0010101 * 18 ** 4 = 106"),
    Correction(23, 21, 20, "ln(2) / 0.034 = 20.39, to the nearest integer 20"),
    Correction(25, 0.48, 0.4816352, "ln(2222) / 16 = 0.4816352; the gold is rounded by 0.3 percent"),
    Correction(30, 393610, 39368, "lcm(5624, 4921) = 39368; the gold has a digit too many"),
    Correction(31, 12502, 595, "(798 + 987) / 3 = 595; the gold takes the least common multiple"),
    Correction(35, 128, 129, "138.24 * 182.32 = 25203.92, and 128 tiles of 196.8731 cover 25199.76"),
    Correction(41, 0.0222, 0.02222222, "23 / 1035 = 0.02222; the gold is rounded by just over 0.1 percent"),
    Correction(43, 0.000028, 0.00002780868, "1 / 35960 = 0.00002780868; the gold is rounded by 0.7 percent"),
    Correction(46, 15.04, 15, "a whole number is asked for: ln(27134) + 4.83 = 15.04"),
    Correction(50, 537214360, 53721360, "22 * 21 * 20 * 19 * 18 * 17 = 53721360; the gold has a digit too many"),
    Correction(67, 118773.6, 1187.691, "in centimetres 3.14 * 0.538 ** 2 * 10.8 * 121 = 1187.691"),
)
