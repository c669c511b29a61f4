"""Statistics of lists of numbers."""

import statistics
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Statistics"
TOOL = "StatBox"

Numbers = Annotated[list[float], Field(description="the data, a list of numbers")]


class Value(TypedDict):
    """A computed number."""

    value: float


class Summary(TypedDict):
    """A list of numbers in short."""

    count: int
    mean: float
    median: float
    minimum: float
    maximum: float


class Spread(TypedDict):
    """How far numbers are spread."""

    standard_deviation: float
    variance: float


class Line(TypedDict):
    """A straight line fitted to points."""

    slope: float
    intercept: float


def _data(numbers: list[float], least: int = 1) -> list[float]:
    if len(numbers) < least:
        raise ToolException(f"at least {least} numbers are needed")
    return numbers


def mean(numbers: Numbers) -> Value:
    """Arithmetic mean."""
    return {"value": round(statistics.fmean(_data(numbers)), 10)}


def median(numbers: Numbers) -> Value:
    """The middle value of the data."""
    return {"value": statistics.median(_data(numbers))}


def mode_values(numbers: Numbers) -> list[float]:
    """The value or values that occur most often."""
    return statistics.multimode(_data(numbers))


def standardDeviation(numbers: Numbers, sample: bool = True) -> Spread:
    """Standard deviation and variance of a sample, or of a whole population."""
    _data(numbers, 2)
    variance = statistics.variance(numbers) if sample else statistics.pvariance(numbers)
    return {"standard_deviation": round(variance**0.5, 10), "variance": round(variance, 10)}


def describe_data(numbers: Numbers) -> Summary:
    """Count, mean, median, minimum and maximum of the data in one call."""
    return {
        "count": len(_data(numbers)),
        "mean": round(statistics.fmean(numbers), 10),
        "median": statistics.median(numbers),
        "minimum": min(numbers),
        "maximum": max(numbers),
    }


def correlation(x: list[float], y: list[float]) -> Value:
    """Pearson's correlation coefficient of two series of equal length."""
    with refused("two series of one length that are not constant are needed", statistics.StatisticsError):
        return {"value": round(statistics.correlation(x, y), 10)}


def linear_regression(x: list[float], y: list[float]) -> Line:
    """Fit a straight line through points by least squares."""
    with refused("two series of one length that are not constant are needed", statistics.StatisticsError):
        slope, intercept = statistics.linear_regression(x, y)
    return {"slope": round(slope, 10), "intercept": round(intercept, 10)}


APIS = [mean, median, mode_values, standardDeviation, describe_data, correlation, linear_regression]
