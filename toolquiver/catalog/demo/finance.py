"""The mathematics of money."""

from contextlib import AbstractContextManager
from math import log, log1p
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Finance"
TOOL = "FinCalc"

MONTHS = 12
TOTAL_LOSS = -100

Percent = Annotated[float, Field(description="annual interest rate in percent")]


class Growth(TypedDict):
    """A sum that earned interest."""

    final_amount: float
    interest: float


class Payment(TypedDict):
    """What a loan costs."""

    monthly_payment: float
    total_paid: float
    total_interest: float


class Worth(TypedDict):
    """What money in the future is worth at present."""

    present_value: float


class Years(TypedDict):
    """A time in years."""

    years: float


class Rate(TypedDict):
    """A rate in percent."""

    percent: float


def _positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if number <= 0:
            raise ToolException(f"{name} must be positive")


def _in_range(rate: float = 0.0) -> AbstractContextManager[None]:
    if rate <= TOTAL_LOSS:
        raise ToolException("the rate must be more than -100 percent")
    return refused("the result is out of range", OverflowError, ZeroDivisionError)


def compound_interest(
    principal: float,
    rate: Percent,
    years: float,
    times_per_year: Annotated[int, Field(description="how often interest is added in a year")] = 1,
) -> Growth:
    """Grow a sum of money by compound interest."""
    _positive(principal=principal, years=years, times_per_year=times_per_year)
    with _in_range(rate):
        final = principal * (1 + rate / 100 / times_per_year) ** (times_per_year * years)
        return {"final_amount": round(final, 2), "interest": round(final - principal, 2)}


def simple_interest(principal: float, rate: Percent, years: float) -> Growth:
    """Interest without interest on interest."""
    _positive(principal=principal, years=years)
    interest = principal * rate / 100 * years
    return {"final_amount": round(principal + interest, 2), "interest": round(interest, 2)}


def loanPayment(principal: float, rate: Percent, years: float) -> Payment:
    """Monthly payment of a loan or mortgage with constant instalments, and its total cost."""
    _positive(principal=principal, months=round(years * MONTHS))
    months, monthly = round(years * MONTHS), rate / 100 / MONTHS
    with _in_range(rate):
        payment = principal * monthly / (1 - (1 + monthly) ** -months) if monthly else principal / months
    return {
        "monthly_payment": round(payment, 2),
        "total_paid": round(payment * months, 2),
        "total_interest": round(payment * months - principal, 2),
    }


def present_value(future_amount: float, rate: Percent, years: float) -> Worth:
    """Discount a future amount to today."""
    _positive(years=years)
    with _in_range(rate):
        return {"present_value": round(future_amount / (1 + rate / 100) ** years, 2)}


def years_to_double(rate: Percent) -> Years:
    """How long money takes to double at a rate of interest."""
    _positive(rate=rate)
    with _in_range(rate):
        return {"years": round(log(2) / log1p(rate / 100), 3)}


def cagr(start_value: float, end_value: float, years: float) -> Rate:
    """CAGR."""
    _positive(start_value=start_value, end_value=end_value, years=years)
    with _in_range():
        return {"percent": round(((end_value / start_value) ** (1 / years) - 1) * 100, 4)}


APIS = [compound_interest, simple_interest, loanPayment, present_value, years_to_double, cagr]
