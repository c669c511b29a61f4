"""Plain sums, one at a time."""

from math import isfinite, sqrt
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

CATEGORY = "Mathematics"
TOOL = "Calculator API"


class Result(TypedDict):
    """The result of a calculation."""

    result: float


class WholeDivision(TypedDict):
    """The result of a division without fractions."""

    quotient: int
    remainder: int


def _result(value: float) -> Result:
    if not isfinite(value):
        raise ToolException("the result is too large")
    return {"result": float(f"{value:.15g}")}


def add(a: float, b: float) -> Result:
    """Add two numbers."""
    return _result(a + b)


def subtract(a: float, b: float) -> Result:
    """Subtract b from a."""
    return _result(a - b)


def multiply(a: float, b: float) -> Result:
    """Multiply two numbers."""
    return _result(a * b)


def divide(a: float, b: float) -> Result:
    """Divide a by b."""
    if b == 0:
        raise ToolException("division by zero")
    return _result(a / b)


def power(base: float, exponent: float) -> Result:
    """Raise a number to a power."""
    try:
        value = base**exponent
    except (OverflowError, ZeroDivisionError) as error:
        raise ToolException(f"{base} to the power of {exponent} cannot be computed") from error
    if isinstance(value, complex):
        raise ToolException("a root of a negative number is not real")
    return _result(value)


def square_root(x: float) -> Result:
    """Square root."""
    if x < 0:
        raise ToolException("the square root of a negative number is not real")
    return _result(sqrt(x))


def percentOf(percent: float, number: float) -> Result:
    """Calculates a percentage of a number."""
    return _result(percent * number / 100)


def percent_change(
    old: Annotated[float, Field(description="value before")],
    new: Annotated[float, Field(description="value after")],
) -> Result:
    """By how many percent a value grew (positive) or shrank (negative)."""
    if old == 0:
        raise ToolException("a change from zero has no percentage")
    return _result((new - old) / abs(old) * 100)


def integer_division(dividend: int, divisor: int) -> WholeDivision:
    """Quotient and remainder of two whole numbers."""
    if divisor == 0:
        raise ToolException("division by zero")
    quotient, remainder = divmod(dividend, divisor)
    return {"quotient": quotient, "remainder": remainder}


def sum_list(numbers: list[float]) -> Result:
    """Add up a list of numbers."""
    return _result(sum(numbers))


APIS = [
    add,
    subtract,
    multiply,
    divide,
    power,
    square_root,
    percentOf,
    percent_change,
    integer_division,
    sum_list,
]
