"""Arithmetic with dates of the Gregorian calendar."""

from calendar import isleap, monthrange
from datetime import MAXYEAR, date
from typing import Annotated, Literal

from convertdate import holidays
from dateutil.relativedelta import relativedelta
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import parse_date, refused

CATEGORY = "Date"
TOOL = "DateTools"

Day = Annotated[str, Field(description="Date in ISO 8601 format (YYYY-MM-DD)")]
Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


class WeekdayOf(TypedDict):
    """The day of the week."""

    date: str
    weekday: str


class Days(TypedDict):
    """The time between two dates."""

    days: int
    weeks: float


class NewDate(TypedDict):
    """A date."""

    date: str


class Week(TypedDict):
    """A week of the ISO calendar."""

    iso_year: int
    week: int
    day_of_week: int


class DayOfYear(TypedDict):
    """The number of a day in its year."""

    day_of_year: int
    days_left: int


class Leap(TypedDict):
    """Whether a year has 366 days."""

    year: int
    is_leap: bool


class Age(TypedDict):
    """An age in whole years, months and days."""

    years: int
    months: int
    days: int


def day_of_week(date: Day) -> WeekdayOf:
    """Returns the weekday of a date."""
    when = parse_date(date)
    return {"date": when.isoformat(), "weekday": WEEKDAYS[when.weekday()]}


def days_between(start: Day, end: Day) -> Days:
    """Number of days from one date to another (negative if the second comes first)."""
    days = (parse_date(end) - parse_date(start)).days
    return {"days": days, "weeks": round(days / 7, 3)}


def dateAdd(date: Day, years: int = 0, months: int = 0, weeks: int = 0, days: int = 0) -> NewDate:
    """Add years, months, weeks and days to a date; negative numbers subtract. Short months are respected."""
    start = parse_date(date)
    with refused("the result is out of the range of the calendar", OverflowError, ValueError):
        moved = start + relativedelta(years=years, months=months, weeks=weeks, days=days)
    return {"date": moved.isoformat()}


def iso_week(date: str) -> Week:
    """ISO week number."""
    year, week, day = parse_date(date).isocalendar()
    return {"iso_year": year, "week": week, "day_of_week": day}


def day_of_year(date: Day) -> DayOfYear:
    """Which day of its year a date is, and how many are left."""
    when = parse_date(date)
    number = when.timetuple().tm_yday
    return {"day_of_year": number, "days_left": 365 + isleap(when.year) - number}


def is_leap_year(year: int) -> Leap:
    """Check for leap year."""
    return {"year": _year(year), "is_leap": isleap(year)}


def nth_weekday_of_month(
    year: int,
    month: Annotated[int, Field(description="1 to 12")],
    weekday: Weekday,
    n: Annotated[int, Field(description="Which one: 1 is the first, -1 the last")] = 1,
) -> NewDate:
    """Date of the first, second ... or last Monday, Tuesday ... of a month."""
    with refused(f"there is no month {month}"):
        length = monthrange(_year(year), month)[1]
    every = [day for number in range(length) if f"{(day := date(year, month, number + 1)):%A}" == weekday]
    if n == 0 or abs(n) > len(every):
        raise ToolException(f"there is no {weekday} number {n} in that month")
    return {"date": every[n - 1 if n > 0 else n].isoformat()}


def age_on(birth_date: Day, on: Day) -> Age:
    """How old somebody is on a given date, in years, months and days."""
    born, when = parse_date(birth_date), parse_date(on)
    if when < born:
        raise ToolException("the date of birth must not be later than the other date")
    age = relativedelta(when, born)
    return {"years": age.years, "months": age.months, "days": age.days}


def easter_date(year: int, tradition: Literal["western", "orthodox"] = "western") -> NewDate:
    """Date of Easter Sunday, of the western or the orthodox churches, in the Gregorian calendar."""
    found = holidays.easter(_year(year), "western" if tradition == "western" else "eastern")
    return {"date": date(*found).isoformat()}


def _year(year: int) -> int:
    if not 1 <= year <= MAXYEAR:
        raise ToolException(f"year {year} is not between 1 and {MAXYEAR}")
    return year


APIS = [
    day_of_week,
    days_between,
    dateAdd,
    iso_week,
    day_of_year,
    is_leap_year,
    nth_weekday_of_month,
    age_on,
    easter_date,
]
