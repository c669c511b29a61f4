"""The moon and the seasons."""

from collections.abc import Callable
from typing import Annotated, Literal

import ephem
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_point, parse_date, refused

CATEGORY = "Astronomy"
TOOL = "MoonCalendar"

YEARS = range(1000, 3001)
NAMES = [
    "new moon",
    "waxing crescent",
    "first quarter",
    "waxing gibbous",
    "full moon",
    "waning gibbous",
    "last quarter",
    "waning crescent",
]
PHASES: dict[str, Callable[[str], ephem.Date]] = {
    "new": ephem.next_new_moon,
    "first quarter": ephem.next_first_quarter_moon,
    "full": ephem.next_full_moon,
    "last quarter": ephem.next_last_quarter_moon,
}
SEASONS: dict[str, Callable[[str], ephem.Date]] = {
    "march equinox": ephem.next_vernal_equinox,
    "june solstice": ephem.next_summer_solstice,
    "september equinox": ephem.next_autumn_equinox,
    "december solstice": ephem.next_winter_solstice,
}

Day = Annotated[str, Field(description="Date, YYYY-MM-DD")]


class MoonPhase(TypedDict):
    """How the moon looks."""

    phase: str
    illuminated_percent: float
    age_days: float


class Moment(TypedDict):
    """A moment in universal time."""

    utc: str


class MoonTimes(TypedDict):
    """When the moon rises and sets, in universal time."""

    moonrise: str
    moonset: str


class MoonDistance(TypedDict):
    """How far away the moon is."""

    kilometres: int


def _moment(found: ephem.Date) -> Moment:
    return {"utc": found.datetime().isoformat(timespec="minutes") + "Z"}


def moon_phase(date: Day) -> MoonPhase:
    """Phase of the moon at noon UTC of a date, with its illuminated part and its age since new moon."""
    noon = ephem.Date(f"{_day(date)} 12:00")
    before, after = ephem.previous_new_moon(noon), ephem.next_new_moon(noon)
    cycle = (noon - before) / (after - before)
    return {
        "phase": NAMES[round(cycle * 8) % 8],
        "illuminated_percent": round(ephem.Moon(noon).phase, 1),
        "age_days": round(noon - before, 1),
    }


def next_moon_phase(
    after: Day,
    phase: Annotated[
        Literal["new", "first quarter", "full", "last quarter"], Field(description="wanted phase")
    ] = "full",
) -> Moment:
    """When the moon is next full (or new, or half) after a date. Universal time."""
    return _moment(PHASES[phase](_day(after)))


def season_start(
    year: int,
    event: Annotated[
        Literal["march equinox", "june solstice", "september equinox", "december solstice"],
        Field(description="which of the four"),
    ],
) -> Moment:
    """Moment of an equinox or a solstice in a year (UTC), when the astronomical seasons begin."""
    return _moment(SEASONS[event](_day(f"{year:04}-01-01")))


def moonrise_moonset(latitude: float, longitude: float, date: Day) -> MoonTimes:
    """First rise and first set of the moon after midnight UTC of a date at a place."""
    check_point(latitude, longitude)
    place = ephem.Observer()
    place.lat, place.lon, place.date = str(latitude), str(longitude), _day(date)
    with refused(f"the moon does not rise or set there on {date}", ephem.CircumpolarError):
        rise, fall = place.next_rising(ephem.Moon()), place.next_setting(ephem.Moon())
    return {"moonrise": _moment(rise)["utc"], "moonset": _moment(fall)["utc"]}


def moonDistance(date: str) -> MoonDistance:
    """Earth-Moon distance."""
    return {"kilometres": round(ephem.Moon(_day(date)).earth_distance * ephem.meters_per_au / 1000)}


def _day(text: str) -> str:
    day = parse_date(text)
    if day.year not in YEARS:
        raise ToolException("the years 1000 to 3000 can be computed")
    return f"{day:%Y/%m/%d}"


APIS = [moon_phase, next_moon_phase, season_start, moonrise_moonset, moonDistance]
