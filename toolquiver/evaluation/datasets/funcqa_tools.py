"""FuncQA's thirteen functions, really computed, under the names that the data use.

The data only name them. What each does and takes is said here by its meaning, as in easytool.txt; not when it is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import Field
from typing_extensions import TypedDict

_MOST = 1_000  # things to choose from: more would give numbers of thousands of digits

Numbers = Annotated[list[float], Field(min_length=1, description="the numbers")]
WholeNumbers = Annotated[list[int], Field(min_length=1, description="the whole numbers")]
All = Annotated[int, Field(ge=0, le=_MOST, description="how many there are")]
Taken = Annotated[int, Field(ge=0, le=_MOST, description="how many are taken")]


class Result(TypedDict):
    """What was computed."""

    result: float


def add(numbers: Numbers) -> Result:
    """The sum of all the numbers."""
    return _result(math.fsum(numbers))


def subtract(
    a: Annotated[float, Field(description="what is taken from")],
    b: Annotated[float, Field(description="what is taken away")],
) -> Result:
    """The difference: a minus b."""
    return _result(a - b)


def multiply(numbers: Numbers) -> Result:
    """The product of all the numbers."""
    return _result(math.prod(numbers))


def divide(
    a: Annotated[float, Field(description="what is divided")], b: Annotated[float, Field(description="by what")]
) -> Result:
    """The quotient: a divided by b."""
    return _result(a / b)


def power(
    base: Annotated[float, Field(description="what is multiplied by itself")],
    exponent: Annotated[float, Field(description="how many times; 1/n, as a decimal number, for the n-th root")],
) -> Result:
    """The base raised to the power of the exponent."""
    return _result(base**exponent)


def sqrt(number: float) -> Result:
    """The square root of a number."""
    return _result(math.sqrt(number))


def log(number: float, base: Annotated[float, Field(description="10 unless another is named")] = 10) -> Result:
    """The logarithm of a number to a base: the exponent to which the base gives the number."""
    return _result(math.log10(number) if base == 10 else math.log(number, base))  # noqa: PLR2004


def ln(number: float) -> Result:
    """The natural logarithm of a number: the exponent to which e gives the number."""
    return _result(math.log(number))


def lcm(numbers: WholeNumbers) -> Result:
    """The least common multiple of all the numbers: the smallest number that each of them divides."""
    return _result(math.lcm(*numbers))


def gcd(numbers: WholeNumbers) -> Result:
    """The greatest common divisor of all the numbers: the largest number that divides each of them."""
    return _result(math.gcd(*numbers))


def remainder(
    dividend: Annotated[float, Field(description="what is divided")],
    divisor: Annotated[float, Field(description="by what")],
) -> Result:
    """What is left over when the dividend is divided by the divisor."""
    return _result(dividend % divisor)


def choose(n: All, r: Taken) -> Result:
    """In how many ways r of n things can be chosen when their order does not matter."""
    return _result(math.comb(n, r))


def permutate(n: All, r: Taken) -> Result:
    """In how many ways r of n things can be arranged, when their order matters."""
    return _result(math.perm(n, r))


FUNCTIONS: tuple[Callable[..., Result], ...] = (
    add,
    subtract,
    multiply,
    divide,
    power,
    sqrt,
    log,
    ln,
    lcm,
    gcd,
    remainder,
    choose,
    permutate,
)


def tools() -> list[BaseTool]:
    """The functions as LangChain tools; what cannot be computed is an error of the tool."""
    place = {"category": "Mathematics", "tool": "FuncQA"}
    return [
        StructuredTool.from_function(
            _refusing(function), name=function.__name__, description=function.__doc__, metadata=place
        )
        for function in FUNCTIONS
    ]


def _result(value: complex) -> Result:
    """Whole numbers stay exact, others have the fifteen digits that a float is good for."""
    if isinstance(value, int):
        return {"result": value}
    if isinstance(value, complex) or not math.isfinite(value):
        raise ToolException("There is no such real number.")
    return {"result": float(f"{value:.15g}")}


def _refusing(function: Callable[..., Result]) -> Callable[..., Result]:
    @wraps(function)
    def refusing(*arguments: Any, **named: Any) -> Result:
        try:
            return function(*arguments, **named)
        except (ArithmeticError, ValueError) as error:  # by zero, too large, or not defined there
            raise ToolException(f"{function.__name__} cannot compute this: {error}.") from error

    return refusing
