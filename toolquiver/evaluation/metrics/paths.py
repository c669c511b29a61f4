"""The way of calls that a solution took, against the gold way."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def contains_path(path: Sequence[Hashable], gold: Sequence[Hashable]) -> bool:
    """Whether the gold is a subsequence of the path: in this order, with anything between.

    The share of questions for which it holds is the correct path rate (easytool.txt, 5.2, RestBench).
    """
    rest = iter(path)
    return all(step in rest for step in gold)


def overlap_f1(found: Sequence[Hashable], gold: Sequence[Hashable]) -> float:
    """The harmonic mean of precision and recall of `found` as a bag, whatever its order; two empty bags are equal.

    Of API names and of reference edges NESTFUL reports it.
    """
    if not found or not gold:
        return float(not found and not gold)
    rest = list(gold)
    for one in found:
        if one in rest:
            rest.remove(one)
    return 2 * (len(gold) - len(rest)) / (len(found) + len(gold))
