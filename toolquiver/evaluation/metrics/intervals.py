"""How sure a mean or a share is: bootstrap intervals, and two systems on the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

_RESAMPLES = 10_000
_CONFIDENCE = 0.95
_AT_ONCE = 2_000_000  # numbers drawn at a time


class Interval(BaseModel):
    """A mean or share of `n` questions, and between which values it lies with the confidence asked for."""

    model_config = ConfigDict(frozen=True)

    mean: float
    low: float
    high: float
    n: int


class Difference(BaseModel):
    """How much better the first of two systems is, on the `n` questions that both have a value for.

    `better`, `worse` and `equal` count questions. `p` is that of the two-sided sign test: how likely so uneven counts
    are if neither is better.
    """

    model_config = ConfigDict(frozen=True)

    mean: float
    low: float
    high: float
    n: int
    better: int
    worse: int
    equal: int
    p: float


def bootstrap(
    values: Sequence[float], *, seed: int = 0, confidence: float = _CONFIDENCE, resamples: int = _RESAMPLES
) -> Interval | None:
    """The mean with its percentile bootstrap interval (Efron 1979); None of no values.

    The same values, seed and resamples give the same interval. Of equal values the interval has no width, however few
    they are: look at `n`.
    """
    if not values:
        return None
    each = np.asarray(values, float)
    means = [each[drawn].mean(axis=1) for drawn in _draws(len(values), seed, resamples)]
    return _interval(float(np.mean(values)), np.concatenate(means), len(values), confidence)


def bootstrap_rate(rate: Callable[..., float | None], counts: Sequence[int]) -> Interval | None:
    """What `rate` makes of numbers of questions by kind, with its interval; None of no questions.

    To draw questions is to draw their kinds, by how many there are of each (a multinomial).
    """
    n = sum(counts)
    if not n or (mean := rate(*counts)) is None:
        return None
    drawn = np.random.default_rng(0).multinomial(n, np.asarray(counts) / n, _RESAMPLES).tolist()
    return _interval(mean, np.asarray([found for one in drawn if (found := rate(*one)) is not None]), n)


def bootstrap_ratio(parts: Sequence[int], wholes: Sequence[int]) -> Interval | None:
    """The sum of the parts over that of the wholes, both by question, with its interval; None where that is of nothing.

    Questions are drawn, not what is counted in them: the calls of one question tend to fail together.
    """
    if not sum(wholes):
        return None
    part, whole = np.asarray(parts, float), np.asarray(wholes, float)
    sums = [(part[drawn].sum(axis=1), whole[drawn].sum(axis=1)) for drawn in _draws(len(wholes), 0, _RESAMPLES)]
    ratios = [above[below > 0] / below[below > 0] for above, below in sums]
    return _interval(sum(parts) / sum(wholes), np.concatenate(ratios), len(wholes))


def paired(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    *,
    seed: int = 0,
    confidence: float = _CONFIDENCE,
    resamples: int = _RESAMPLES,
) -> Difference | None:
    """The first system's values minus the second's, by question; None where they share no question.

    The interval is the paired bootstrap's: questions are drawn, so that what makes one hard for both does not widen it.
    `p` is that of the sign test, which leaves out questions on which both are equal. Both are standard; no paper of
    ours has them.
    """
    shared = [(a, b) for name in first if (a := first[name]) is not None and (b := second.get(name)) is not None]
    gains = [a - b for a, b in shared]
    found = bootstrap(gains, seed=seed, confidence=confidence, resamples=resamples)
    if found is None:
        return None
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    return Difference(
        **found.model_dump(),
        better=better,
        worse=worse,
        equal=len(gains) - better - worse,
        p=_sign_test(better, worse),
    )


def _draws(n: int, seed: int, resamples: int) -> Iterator[np.ndarray[Any, np.dtype[np.int64]]]:
    """The places of the questions in each resample, a row each, as many rows at a time as memory has room for."""
    chance = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // n)
    for start in range(0, resamples, step):
        yield chance.integers(0, n, (min(step, resamples - start), n))


def _interval(
    mean: float, drawn: np.ndarray[Any, np.dtype[np.float64]], n: int, confidence: float = _CONFIDENCE
) -> Interval:
    low, high = np.quantile(drawn, ((1 - confidence) / 2, (1 + confidence) / 2))
    return Interval(mean=mean, low=float(low), high=float(high), n=n)


def _sign_test(better: int, worse: int) -> float:
    """The two-sided sign test, exact: the binomial's tails at a half."""
    n = better + worse
    tail: float = sum(comb(n, k) for k in range(min(better, worse) + 1)) / 2**n
    return min(1.0, 2 * tail)
