"""Whole numbers."""

from math import gcd, lcm
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from sympy import divisors, factorial, factorint, fibonacci, isprime, nextprime, prime, totient
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit

CATEGORY = "Mathematics"
TOOL = "NumberTheory"

LARGEST = 10**15
MAX_INDEX = 10_000
MAX_FACTORIAL = 200
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

Whole = Annotated[int, Field(description="positive whole number")]


class Prime(TypedDict):
    """Whether a number is prime."""

    number: int
    is_prime: bool


class PrimePower(TypedDict):
    """A prime and how often it divides a number."""

    prime: int
    exponent: int


class Number(TypedDict):
    """A whole number."""

    result: int


class LargeNumber(TypedDict):
    """A whole number that may be too large for some programs, as text."""

    result: str


class Digits(TypedDict):
    """A number in another base."""

    digits: str


def _checked(number: int, low: int = 1, high: int = LARGEST) -> int:
    if not low <= number <= high:
        raise ToolException(f"{number} is not between {low} and {high}")
    return number


def is_prime(n: Whole) -> Prime:
    """Test whether a number is prime."""
    return {"number": n, "is_prime": isprime(_checked(n))}


def prime_factors(n: Whole) -> list[PrimePower]:
    """Factor a whole number into primes, with their exponents."""
    found = factorint(_checked(n, 2))
    return [{"prime": int(factor), "exponent": int(power)} for factor, power in sorted(found.items())]


def next_prime(n: int) -> Number:
    """Smallest prime greater than n."""
    return {"result": int(nextprime(_checked(n, 0)))}


def nth_prime(n: Annotated[int, Field(description="1 for the first prime")]) -> Number:
    """The n-th prime number, up to the ten thousandth."""
    return {"result": int(prime(_checked(n, 1, MAX_INDEX)))}


def list_divisors(n: Whole, limit: int = 100) -> list[int]:
    """All numbers that divide n, in ascending order."""
    return [int(number) for number in divisors(_checked(n))[: check_limit(limit)]]


def greatestCommonDivisor(numbers: list[int]) -> Number:
    """GCD."""
    return {"result": gcd(*numbers)}


def least_common_multiple(numbers: Annotated[list[int], Field(description="whole numbers")]) -> Number:
    """Least common multiple of a list of whole numbers."""
    return {"result": lcm(*numbers)}


def euler_phi(n: Whole) -> Number:
    """Euler's totient: how many numbers up to n have no factor in common with it."""
    return {"result": int(totient(_checked(n)))}


def fibonacci_number(n: Annotated[int, Field(description="index, 0 to 1000")]) -> LargeNumber:
    """The n-th Fibonacci number, counted from zero."""
    return {"result": str(fibonacci(_checked(n, 0, 1000)))}


def nFactorial(n: int) -> LargeNumber:
    """Factorial of n, at most 200."""
    return {"result": str(factorial(_checked(n, 0, MAX_FACTORIAL)))}


def convert_base(
    digits: Annotated[str, Field(description="the number, in the base it is in")],
    from_base: Annotated[int, Field(description="2 to 36")],
    to_base: Annotated[int, Field(description="2 to 36")],
) -> Digits:
    """Convert a whole number between binary, octal, decimal, hexadecimal and any other base up to 36."""
    _checked(from_base, 2, 36)
    _checked(to_base, 2, 36)
    try:
        number = int(digits, from_base)
    except ValueError as error:
        raise ToolException(f"{digits!r} is not a whole number in base {from_base}") from error
    rest, found = abs(number), ""
    while rest:
        rest, digit = divmod(rest, to_base)
        found = DIGITS[digit] + found
    return {"digits": ("-" if number < 0 else "") + (found or "0")}


APIS = [
    is_prime,
    prime_factors,
    next_prime,
    nth_prime,
    list_divisors,
    greatestCommonDivisor,
    least_common_multiple,
    euler_phi,
    fibonacci_number,
    nFactorial,
    convert_base,
]
