"""Public holidays of the countries of the world."""

from datetime import date
from typing import Annotated

import holidays
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, find_country, parse_date, refused

CATEGORY = "Calendar"
TOOL = "Public Holidays"

Country = Annotated[str, Field(description="Name of the country or its ISO 3166-1 code")]
Region = Annotated[str, Field(description="State or province (the part of its ISO 3166-2 code after the hyphen)")]


class Holiday(TypedDict):
    """A public holiday."""

    date: str
    name: str


class HolidayCheck(TypedDict):
    """Whether a day is a public holiday."""

    date: str
    is_holiday: bool
    names: list[str]


class HolidayCount(TypedDict):
    """The number of public holidays of a year."""

    country: str
    year: int
    holidays: int


def calendar_of(country: str, *years: int, region: str = "") -> holidays.HolidayBase:
    """The public holidays of a country, with English names where they are known."""
    found = find_country(country)
    with refused(f"no holidays are known for {found.name} {region}".strip(), NotImplementedError):
        plain = holidays.country_holidays(found.alpha_2, subdiv=region or None, years=years)
        if "en_US" not in plain.supported_languages:
            return plain
        return holidays.country_holidays(found.alpha_2, region or None, years, language="en_US")


def _in_year(country: str, year: int, region: str) -> list[Holiday]:
    if not date.min.year < year < date.max.year:
        raise ToolException(f"year {year} is out of range")
    days = calendar_of(country, year, region=region)
    return [{"date": day.isoformat(), "name": name} for day, name in sorted(days.items())]


def list_public_holidays(country: Country, year: int, region: Region = "", limit: int = 20) -> list[Holiday]:
    """List the public holidays of a country in a year, optionally with those of one state or province."""
    return _in_year(country, year, region)[: check_limit(limit)]


def is_public_holiday(
    country: Country, day: Annotated[str, Field(description="Date, YYYY-MM-DD")], region: Region = ""
) -> HolidayCheck:
    """Check if a given day is a public holiday in a country."""
    when = parse_date(day)
    names = calendar_of(country, when.year, region=region).get_list(when)
    return {"date": when.isoformat(), "is_holiday": bool(names), "names": names}


def nextHoliday(country: str, after: Annotated[str, Field(description="YYYY-MM-DD")]) -> Holiday:
    """First public holiday after a date."""
    when = parse_date(after)
    for year in (when.year, when.year + 1):
        for row in _in_year(country, year, ""):
            if row["date"] > when.isoformat():
                return row
    raise ToolException(f"no public holiday is known within a year after {after}")


def find_holiday_by_name(
    country: Country, year: int, name: Annotated[str, Field(description="English name or a part of it")]
) -> list[Holiday]:
    """On which date(s) is the named public holiday celebrated in this year?"""
    found = [row for row in _in_year(country, year, "") if name.strip().casefold() in row["name"].casefold()]
    if not found:
        raise ToolException(f"no public holiday of {country} in {year} is called {name!r}")
    return found


def count_public_holidays(country: Country, year: int) -> HolidayCount:
    """How many public holidays a country has in a year (weekends included)."""
    return {"country": find_country(country).name, "year": year, "holidays": len(_in_year(country, year, ""))}


APIS = [
    list_public_holidays,
    is_public_holiday,
    nextHoliday,
    find_holiday_by_name,
    count_public_holidays,
]
