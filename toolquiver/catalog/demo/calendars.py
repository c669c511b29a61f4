"""Conversion of dates between the calendars of the world."""

from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal

from convertdate import coptic, french_republican, indian_civil, julian, mayan, persian
from hijridate import Gregorian, Hijri
from langchain_core.tools import ToolException
from pydantic import Field
from pyluach.dates import GregorianDate, HebrewDate
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import parse_date, refused

CATEGORY = "Calendar"
TOOL = "Calendar Converter"

Triple = tuple[int, int, int]
Day = Annotated[str, Field(description="Gregorian date, YYYY-MM-DD")]
Month = Annotated[int, Field(description="Number of the month")]
System = Literal["julian", "persian", "coptic", "indian", "french republican"]

FROM: dict[str, Callable[[int, int, int], Triple]] = {
    "julian": julian.from_gregorian,
    "persian": persian.from_gregorian,
    "coptic": coptic.from_gregorian,
    "indian": indian_civil.from_gregorian,
    "french republican": french_republican.from_gregorian,
}
TO: dict[str, Callable[[int, int, int], Triple]] = {
    "julian": julian.to_gregorian,
    "persian": persian.to_gregorian,
    "coptic": coptic.to_gregorian,
    "indian": indian_civil.to_gregorian,
    "french republican": french_republican.to_gregorian,
}


class OtherDate(TypedDict):
    """A date in another calendar."""

    calendar: str
    year: int
    month: int
    day: int


class NamedDate(TypedDict):
    """A date in another calendar, with the name of its month."""

    year: int
    month: int
    day: int
    month_name: str


class GregorianDay(TypedDict):
    """A date in the Gregorian calendar."""

    date: str


class HebrewHoliday(TypedDict):
    """A Jewish holiday, if the day is one."""

    date: str
    holiday: str | None


class LongCount(TypedDict):
    """A date in the Maya long count."""

    long_count: str


def gregorian_to_calendar(date: Day, calendar: System) -> OtherDate:
    """Convert a Gregorian date to the Julian, Persian, Coptic, Indian or French Republican calendar."""
    when = parse_date(date)
    with refused(f"{date} has no {calendar} date"):
        year, month, day = FROM[calendar](when.year, when.month, when.day)
    return {"calendar": calendar, "year": year, "month": month, "day": day}


def calendar_to_gregorian(calendar: System, year: int, month: Month, day: int) -> GregorianDay:
    """Convert a date of the Julian, Persian, Coptic, Indian or French Republican calendar to a Gregorian one."""
    with refused(f"there is no day {year}-{month}-{day} in the {calendar} calendar", ValueError, IndexError):
        found = TO[calendar](year, month, day)
        if tuple(FROM[calendar](*found)) != (year, month, day):
            raise ValueError
        return {"date": date(*found).isoformat()}


def gregorianToHebrew(date: str) -> NamedDate:
    """Gregorian to Hebrew date."""
    when = parse_date(date)
    found = GregorianDate(when.year, when.month, when.day).to_heb()
    return {"year": found.year, "month": found.month, "day": found.day, "month_name": found.month_name()}


def hebrewToGregorian(
    year: int, month: Annotated[int, Field(description="1 is Nisan, 7 is Tishrei")], day: int
) -> GregorianDay:
    """Hebrew to Gregorian date."""
    with refused(f"there is no day {year}-{month}-{day} in the Hebrew calendar"):
        return {"date": HebrewDate(year, month, day).to_pydate().isoformat()}


def jewish_holiday(date: Day) -> HebrewHoliday:
    """Which Jewish holiday or fast falls on a date, or null if none does."""
    when = parse_date(date)
    found = GregorianDate(when.year, when.month, when.day).to_heb().holiday(prefix_day=False)
    return {"date": when.isoformat(), "holiday": found}


def gregorian_to_hijri(date: Day) -> NamedDate:
    """Convert a Gregorian date to the Islamic (Hijri) calendar of Umm al-Qura, for dates from 1924 to 2077."""
    when = parse_date(date)
    with refused(f"{date} is outside the years that the Umm al-Qura calendar covers", OverflowError, ValueError):
        found = Gregorian.fromdate(when).to_hijri()
    return {"year": found.year, "month": found.month, "day": found.day, "month_name": found.month_name()}


def hijri_to_gregorian(year: int, month: Month, day: int) -> GregorianDay:
    """Convert an Islamic (Hijri) date of the Umm al-Qura calendar to a Gregorian one."""
    with refused(f"there is no day {year}-{month}-{day} in the Hijri calendar", OverflowError, ValueError):
        found = Hijri(year, month, day).to_gregorian()
    return {"date": found.isoformat()}


def maya_long_count(date: Day) -> LongCount:
    """The ancient Maya counted days - our API counts them for you. Converts a Gregorian date to the long count."""
    when = parse_date(date)
    found = mayan.from_gregorian(when.year, when.month, when.day)
    if found[0] < 0:
        raise ToolException(f"{date} lies before the long count")
    return {"long_count": ".".join(str(number) for number in found)}


APIS = [
    gregorian_to_calendar,
    calendar_to_gregorian,
    gregorianToHebrew,
    hebrewToGregorian,
    jewish_holiday,
    gregorian_to_hijri,
    hijri_to_gregorian,
    maya_long_count,
]
