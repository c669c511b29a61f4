"""Time zones of the IANA database."""

from datetime import MAXYEAR, UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Annotated

import tzfpy
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, check_point, find_country, parse_time, parse_zone

CATEGORY = "Time"
TOOL = "TimeZone Service"

Zone = Annotated[str, Field(description="IANA time zone name, Area/City")]
Moment = Annotated[str, Field(description="Local date and time, ISO 8601 (YYYY-MM-DDTHH:MM)")]


class Offset(TypedDict):
    """What a time zone's clocks show."""

    timezone: str
    utc_offset: str
    abbreviation: str
    daylight_saving: bool


class LocalTime(TypedDict):
    """A moment as the clocks of a time zone show it."""

    timezone: str
    local_time: str


class ZoneName(TypedDict):
    """A time zone."""

    timezone: str


class Difference(TypedDict):
    """How far apart the clocks of two time zones are."""

    hours: float


class ClockChange(TypedDict):
    """A change of the clocks."""

    at_utc: str
    from_offset: str
    to_offset: str


@cache
def _zones() -> list[tuple[str, str]]:
    """Country code and name of every time zone."""
    lines = (files("tzdata.zoneinfo") / "zone.tab").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(row[0], row[2]) for row in rows]


def _offset(moment: datetime) -> str:
    return moment.isoformat()[-6:]


def tz_offset(timezone: Zone, at: Moment) -> Offset:
    """UTC offset of a time zone at a local time, and whether daylight saving time is in force."""
    moment = parse_time(at).replace(tzinfo=parse_zone(timezone))
    return {
        "timezone": timezone,
        "utc_offset": _offset(moment),
        "abbreviation": moment.tzname() or "",
        "daylight_saving": bool(moment.dst()),
    }


def convert_time_between_zones(time: Moment, from_timezone: Zone, to_timezone: Zone) -> LocalTime:
    """Convert a local time in one time zone to the local time in another."""
    there = parse_time(time).replace(tzinfo=parse_zone(from_timezone)).astimezone(parse_zone(to_timezone))
    return {"timezone": to_timezone, "local_time": there.isoformat()}


def tz_at(lat: float, lon: float) -> ZoneName:
    """Get tz."""
    check_point(lat, lon)
    return {"timezone": tzfpy.get_tz(lon, lat)}


def timezones_of_country(country: str, limit: int = 30) -> list[str]:
    """IANA names of the time zones in use in a country."""
    found = find_country(country)
    zones = [zone for code, zone in _zones() if code == found.alpha_2]
    if not zones:
        raise ToolException(f"{found.name} has no time zone")
    return zones[: check_limit(limit)]


def tz_difference(timezone1: Zone, timezone2: Zone, at: Moment) -> Difference:
    """By how many hours clocks in the second zone are ahead of those in the first (negative: behind)."""
    first = parse_time(at).replace(tzinfo=parse_zone(timezone1))
    second = first.astimezone(parse_zone(timezone2))
    gap = (second.utcoffset() or timedelta()) - (first.utcoffset() or timedelta())
    return {"hours": gap / timedelta(hours=1)}


def clock_changes(timezone: Zone, year: int) -> list[ClockChange]:
    """When the clocks go forward and back in a time zone during a year. Empty where they never change."""
    zone = parse_zone(timezone)
    if not 1 < year < MAXYEAR:
        raise ToolException(f"year {year} is out of range")
    hour, changes = datetime(year, 1, 1, tzinfo=UTC), list[ClockChange]()
    while hour.year == year:
        following = hour + timedelta(hours=1)
        before, after = _offset(hour.astimezone(zone)), _offset(following.astimezone(zone))
        if before != after:
            changes.append({"at_utc": following.isoformat(), "from_offset": before, "to_offset": after})
        hour = following
    return changes


def current_time(timezone: Annotated[str, Field(description="IANA time zone name")] = "UTC") -> LocalTime:
    """Tells what time it is now."""
    return {
        "timezone": timezone,
        "local_time": datetime.now(parse_zone(timezone)).isoformat(timespec="seconds"),
    }


APIS = [
    tz_offset,
    convert_time_between_zones,
    tz_at,
    timezones_of_country,
    tz_difference,
    clock_changes,
    current_time,
]
