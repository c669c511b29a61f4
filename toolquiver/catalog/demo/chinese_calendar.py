"""The Chinese calendar."""

from datetime import date
from typing import Annotated

from langchain_core.tools import ToolException
from lunar_python import Lunar, Solar
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import parse_date, refused

CATEGORY = "Calendar"
TOOL = "Lunar Calendar (Nongli)"

YEARS = range(1600, 2201)
ANIMALS = [
    "Rat",
    "Ox",
    "Tiger",
    "Rabbit",
    "Dragon",
    "Snake",
    "Horse",
    "Goat",
    "Monkey",
    "Rooster",
    "Dog",
    "Pig",
]
ELEMENTS = ["Wood", "Fire", "Earth", "Metal", "Water"]


class LunarDate(TypedDict):
    """A date of the Chinese calendar."""

    year: int
    month: int
    day: int
    leap_month: bool


class GregorianDay(TypedDict):
    """A date in the Gregorian calendar."""

    date: str


class Zodiac(TypedDict):
    """The animal and the element of a Chinese year."""

    animal: str
    element: str


def gregorian_to_chinese(day: Annotated[str, Field(description="YYYY-MM-DD, years 1600 to 2200")]) -> LunarDate:
    """Convert a Gregorian date to the traditional Chinese calendar."""
    when = parse_date(day)
    if when.year not in YEARS:
        raise ToolException("the years 1600 to 2200 can be converted")
    found = Solar.fromYmd(when.year, when.month, when.day).getLunar()
    month = found.getMonth()
    return {"year": found.getYear(), "month": abs(month), "day": found.getDay(), "leap_month": month < 0}


def chinese_to_gregorian(year: int, month: int, day: int, leap_month: bool = False) -> GregorianDay:
    """Convert a date of the Chinese calendar to a Gregorian one; a leap month repeats the number before it."""
    if year not in YEARS:
        raise ToolException("the years 1600 to 2200 can be converted")
    with refused("there is no such day in the Chinese calendar", Exception):
        found = Lunar.fromYmd(year, -month if leap_month else month, day).getSolar()
    return {"date": date(found.getYear(), found.getMonth(), found.getDay()).isoformat()}


def chineseNewYear(year: int) -> GregorianDay:
    """Get CNY date."""
    return chinese_to_gregorian(year, 1, 1)


def chinese_zodiac(
    year: Annotated[int, Field(description="Gregorian year in which the Chinese year begins")],
) -> Zodiac:
    """Animal and element of a year in the Chinese zodiac."""
    if year < 1:
        raise ToolException("the year must be positive")
    return {"animal": ANIMALS[(year - 4) % 12], "element": ELEMENTS[(year - 4) % 10 // 2]}


APIS = [gregorian_to_chinese, chinese_to_gregorian, chineseNewYear, chinese_zodiac]
