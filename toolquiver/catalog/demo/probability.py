"""Chances and counting."""

from math import comb, factorial, perm
from statistics import NormalDist
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

CATEGORY = "Statistics"
TOOL = "Probability"

MAX_TRIALS = 1000

Chance = Annotated[float, Field(description="probability, 0 to 1")]


class Count(TypedDict):
    """A number of possibilities."""

    count: str


class Probability(TypedDict):
    """A chance between 0 and 1."""

    probability: float


def _natural(*numbers: int) -> None:
    if not all(0 <= number <= MAX_TRIALS for number in numbers):
        raise ToolException(f"the numbers must be between 0 and {MAX_TRIALS}")


def _chance(value: float) -> float:
    if not 0 <= value <= 1:
        raise ToolException(f"{value} is not a probability between 0 and 1")
    return value


def count_combinations(n: int, k: int) -> Count:
    """In how many ways k things can be chosen out of n when their order does not matter."""
    _natural(n, k)
    return {"count": str(comb(n, k))}


def count_permutations(n: int, k: int) -> Count:
    """In how many ways k things can be drawn out of n when their order matters."""
    _natural(n, k)
    return {"count": str(perm(n, k))}


def count_anagrams(word: str) -> Count:
    """Number of distinct arrangements of the letters of a word."""
    word = word.casefold()
    _natural(len(word))
    ways = factorial(len(word))
    for letter in set(word):
        ways //= factorial(word.count(letter))
    return {"count": str(ways)}


def binomialProbability(trials: int, successes: int, chance: Chance) -> Probability:
    """Chance of exactly this many successes in independent trials."""
    _natural(trials, successes)
    _chance(chance)
    value = comb(trials, successes) * chance**successes * (1 - chance) ** max(trials - successes, 0)
    return {"probability": float(f"{value:.10g}")}


def normal_below(value: float, mean: float = 0.0, deviation: float = 1.0) -> Probability:
    """Probability that a normally distributed quantity lies below a value."""
    if deviation <= 0:
        raise ToolException("the standard deviation must be positive")
    return {"probability": round(NormalDist(mean, deviation).cdf(value), 6)}


def bayes(prior: Chance, likelihood: Chance, false_positive_rate: Chance) -> Probability:
    """Posterior probability of a hypothesis after positive evidence (Bayes' theorem)."""
    true = _chance(prior) * _chance(likelihood)
    evidence = true + (1 - prior) * _chance(false_positive_rate)
    if not evidence:
        raise ToolException("the evidence is impossible")
    return {"probability": round(true / evidence, 6)}


APIS = [count_combinations, count_permutations, count_anagrams, binomialProbability, normal_below, bayes]
