"""What several demo APIs check in the same way: dates, places on Earth, countries."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pycountry
from langchain_core.tools import ToolException

if TYPE_CHECKING:
    from pycountry.db import Country

MAX_LATITUDE = 90
MAX_LONGITUDE = 180


@contextmanager
def refused(message: str, *errors: type[Exception]) -> Iterator[None]:
    """Turns the library's own errors (`ValueError` unless told) into a failure of the API."""
    kinds = errors or (ValueError,)
    try:
        yield
    except kinds as error:
        raise ToolException(message) from error


def parse_date(text: str) -> date:
    """Reads an ISO 8601 date."""
    with refused(f"{text!r} is not a valid date: write YYYY-MM-DD"):
        return date.fromisoformat(text.strip())


def parse_time(text: str) -> datetime:
    """Reads an ISO 8601 date with or without a time."""
    with refused(f"{text!r} is not a valid date and time: write YYYY-MM-DDTHH:MM"):
        return datetime.fromisoformat(text.strip())


def parse_zone(name: str) -> ZoneInfo:
    """Finds a time zone by its IANA name."""
    with refused(
        f"unknown time zone {name!r}: an IANA name is needed, Area/City",
        ZoneInfoNotFoundError,
        ValueError,
        OSError,
    ):
        return ZoneInfo(name.strip())


def check_point(latitude: float, longitude: float) -> None:
    """Refuses coordinates that are not on Earth."""
    if not -MAX_LATITUDE <= latitude <= MAX_LATITUDE:
        raise ToolException(f"latitude {latitude} is not between -90 and 90")
    if not -MAX_LONGITUDE <= longitude <= MAX_LONGITUDE:
        raise ToolException(f"longitude {longitude} is not between -180 and 180")


def check_limit(limit: int) -> int:
    """Refuses a list length that is not positive."""
    if limit < 1:
        raise ToolException(f"limit must be at least 1, not {limit}")
    return limit


def find_country(text: str) -> "Country":
    """Finds a country by its English name or any of its ISO 3166-1 codes."""
    with refused(f"unknown country {text!r}: an English name or an ISO 3166 code is needed", LookupError):
        found: Country = pycountry.countries.lookup(text.strip())
        return found
