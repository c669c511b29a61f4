"""Working days: neither weekends nor public holidays."""

from datetime import date, timedelta
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import parse_date
from toolquiver.catalog.demo.public_holidays import calendar_of

CATEGORY = "Calendar"
TOOL = "WorkdayCalc"

SATURDAY = 5
MAX_DAYS = 3660

Start = Annotated[str, Field(description="First day, YYYY-MM-DD")]
Country = Annotated[str, Field(description="Country whose public holidays are days off; empty: weekends only")]


class BusinessDays(TypedDict):
    """A number of working days."""

    business_days: int


class BusinessDay(TypedDict):
    """A day and whether people work on it."""

    date: str
    weekday: str
    is_business_day: bool


def _works(day: date, country: str) -> bool:
    if day.weekday() >= SATURDAY:
        return False
    return not country or day not in calendar_of(country, day.year)


def _described(day: date, *, works: bool) -> BusinessDay:
    return {"date": day.isoformat(), "weekday": f"{day:%A}", "is_business_day": works}


def count_business_days(
    start: Start,
    end: Annotated[str, Field(description="Last day (counted too), YYYY-MM-DD")],
    country: Country = "",
) -> BusinessDays:
    """Count the working days from one date to another, both included."""
    first, last = parse_date(start), parse_date(end)
    if not 0 <= (last - first).days <= MAX_DAYS:
        raise ToolException("the last day must come after the first, and within ten years of it")
    off = calendar_of(country, *range(first.year, last.year + 1)) if country else {}
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return {"business_days": sum(day.weekday() < SATURDAY and day not in off for day in days)}


def add_business_days(
    start: Start,
    days: Annotated[int, Field(description="How many working days later; negative for earlier")],
    country: Country = "",
) -> BusinessDay:
    """The date that lies a number of working days after (or before) another."""
    day, step = parse_date(start), 1 if days > 0 else -1
    if abs(days) > MAX_DAYS:
        raise ToolException(f"at most {MAX_DAYS} days can be added")
    off = calendar_of(country, day.year) if country else {}
    left = abs(days)
    while left:
        day += timedelta(days=step)
        left -= day.weekday() < SATURDAY and day not in off
    return _described(day, works=_works(day, country))


def is_business_day(day: Annotated[str, Field(description="YYYY-MM-DD")], country: Country = "") -> BusinessDay:
    """Tells whether a date is a working day."""
    when = parse_date(day)
    return _described(when, works=_works(when, country))


APIS = [count_business_days, add_business_days, is_business_day]
