"""How sure a mean is: bootstrap intervals, and two systems on the same questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np
from pydantic import BaseModel, ConfigDict

_RESAMPLES = 10_000
_AT_ONCE = 2_000_000  # numbers drawn at a time


class Interval(BaseModel):
    """A mean of `n` questions, and between which values it lies with the confidence asked for."""

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
    values: Sequence[float], *, seed: int = 0, confidence: float = 0.95, resamples: int = _RESAMPLES
) -> Interval | None:
    """The mean with its percentile bootstrap interval (Efron 1979); None of no values.

    The same values, seed and resamples give the same interval. Of equal values the interval has no width, however few
    they are: look at `n`.
    """
    if not values:
        return None
    low, high = np.quantile(_means(np.asarray(values, float), seed, resamples), _tails(confidence))
    return Interval(mean=float(np.mean(values)), low=float(low), high=float(high), n=len(values))


def paired(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    *,
    seed: int = 0,
    confidence: float = 0.95,
    resamples: int = _RESAMPLES,
) -> Difference | None:
    """The first system's values minus the second's, by question; None where they share no question.

    Questions are drawn, so that what makes a question hard for both does not widen the interval.
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


def _means(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], seed: int, resamples: int) -> np.ndarray:
    chance = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // len(values))
    parts = [
        values[chance.integers(0, len(values), (min(step, resamples - start), len(values)))].mean(axis=1)
        for start in range(0, resamples, step)
    ]
    return np.concatenate(parts)


def _tails(confidence: float) -> tuple[float, float]:
    return (1 - confidence) / 2, (1 + confidence) / 2


def _sign_test(better: int, worse: int) -> float:
    n = better + worse
    tail: float = sum(comb(n, k) for k in range(min(better, worse) + 1)) / 2**n
    return min(1.0, 2 * tail)
