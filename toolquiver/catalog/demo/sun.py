"""The sun above any place on Earth."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated

from astral import Depression, Observer, SunDirection
from astral.sun import azimuth, dawn, dusk, elevation, golden_hour, noon, sunrise, sunset
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_point, parse_date, parse_time, parse_zone, refused

CATEGORY = "Astronomy"
TOOL = "Sunrise & Sunset"

Latitude = Annotated[float, Field(description="Latitude of the place in degrees, north positive")]
Longitude = Annotated[float, Field(description="Longitude of the place in degrees, east positive")]
Day = Annotated[str, Field(description="Date (YYYY-MM-DD)")]
Zone = Annotated[str, Field(description="IANA time zone in which to give the time")]


class SunEvent(TypedDict):
    """A moment of the sun's day."""

    time: str


class DayLength(TypedDict):
    """How long the sun is up."""

    hours: float


class Twilight(TypedDict):
    """When a twilight begins in the morning and ends in the evening."""

    dawn: str
    dusk: str


class GoldenHour(TypedDict):
    """The time of low sun that photographers like."""

    start: str
    end: str


class SunPosition(TypedDict):
    """Where the sun stands."""

    elevation_degrees: float
    azimuth_degrees: float


def _observer(latitude: float, longitude: float) -> Observer:
    check_point(latitude, longitude)
    return Observer(latitude, longitude)


def _event(event: Callable[..., datetime], latitude: float, longitude: float, day: str, timezone: str) -> SunEvent:
    when, zone = parse_date(day), parse_zone(timezone)
    with refused(f"at latitude {latitude} the sun does not do this on {day}"):
        moment = event(_observer(latitude, longitude), date=when, tzinfo=zone)
    return {"time": moment.isoformat(timespec="seconds")}


def get_sunrise(latitude: Latitude, longitude: Longitude, date: Day, timezone: Zone = "UTC") -> SunEvent:
    """Time of sunrise at a place on a date. Fails in polar day and polar night."""
    return _event(sunrise, latitude, longitude, date, timezone)


def get_sunset(latitude: Latitude, longitude: Longitude, date: Day, timezone: Zone = "UTC") -> SunEvent:
    """Time of sunset at a place on a date. Fails in polar day and polar night."""
    return _event(sunset, latitude, longitude, date, timezone)


def solar_noon(latitude: Latitude, longitude: Longitude, date: Day, timezone: Zone = "UTC") -> SunEvent:
    """The moment when the sun is highest."""
    return _event(noon, latitude, longitude, date, timezone)


def day_length(lat: float, lon: float, date: Day) -> DayLength:
    """Hours of daylight between sunrise and sunset."""
    when, place = parse_date(date), _observer(lat, lon)
    with refused(f"at latitude {lat} the sun does not rise and set on {date}"):
        length = sunset(place, date=when) - sunrise(place, date=when)
    return {"hours": round(length % timedelta(days=1) / timedelta(hours=1), 3)}


def twilight_times(
    latitude: Latitude,
    longitude: Longitude,
    date: Day,
    kind: Annotated[str, Field(description="civil, nautical or astronomical")] = "civil",
    timezone: Zone = "UTC",
) -> Twilight:
    """Begin of the morning twilight and end of the evening twilight."""
    if kind.upper() not in Depression.__members__:
        raise ToolException(f"unknown kind of twilight {kind!r}")
    below, when, zone = Depression[kind.upper()], parse_date(date), parse_zone(timezone)
    place = _observer(latitude, longitude)
    with refused(f"at latitude {latitude} there is no {kind} twilight on {date}"):
        first = dawn(place, date=when, depression=below, tzinfo=zone)
        last = dusk(place, date=when, depression=below, tzinfo=zone)
    return {"dawn": first.isoformat(timespec="seconds"), "dusk": last.isoformat(timespec="seconds")}


def goldenHour(lat: float, lon: float, date: str, evening: bool = True) -> GoldenHour:
    """Make every shot count! Gives the golden hour (UTC), the magic window of soft light you love."""
    when, place = parse_date(date), _observer(lat, lon)
    direction = SunDirection.SETTING if evening else SunDirection.RISING
    with refused(f"at latitude {lat} there is no golden hour on {date}"):
        start, end = golden_hour(place, date=when, direction=direction)
    return {"start": start.isoformat(timespec="seconds"), "end": end.isoformat(timespec="seconds")}


def sun_position(
    latitude: Latitude,
    longitude: Longitude,
    time: Annotated[str, Field(description="date and time in ISO 8601, local to the time zone given")],
    timezone: Zone = "UTC",
) -> SunPosition:
    """Elevation above the horizon and azimuth (clockwise from north) of the sun at a moment."""
    moment, place = parse_time(time).replace(tzinfo=parse_zone(timezone)), _observer(latitude, longitude)
    return {
        "elevation_degrees": round(elevation(place, moment), 2),
        "azimuth_degrees": round(azimuth(place, moment), 2),
    }


APIS = [get_sunrise, get_sunset, solar_noon, day_length, twilight_times, goldenHour, sun_position]
