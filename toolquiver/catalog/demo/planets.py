"""Planets, stars and constellations."""

from math import degrees
from typing import Annotated, Literal

import ephem
import ephem.stars
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import MAX_LATITUDE, check_point, parse_time, refused

CATEGORY = "Astronomy"
TOOL = "Sky Ephemeris"

HOURS = 24
LIGHT_MINUTES_PER_AU = 8.3167464

Planet = Literal["Mercury", "Venus", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune", "Pluto"]
Moment = Annotated[str, Field(description="Date, or date and time, in ISO 8601; universal time")]


class SkyPosition(TypedDict):
    """Where a body stands among the stars."""

    body: str
    constellation: str
    right_ascension_hours: float
    declination_degrees: float
    magnitude: float


class PlanetDistance(TypedDict):
    """How far away a planet is."""

    planet: str
    from_earth_au: float
    from_sun_au: float
    light_minutes: float


class Horizon(TypedDict):
    """Where a body stands above the horizon."""

    altitude_degrees: float
    azimuth_degrees: float
    visible: bool


class Constellation(TypedDict):
    """A constellation."""

    abbreviation: str
    name: str


class RiseSet(TypedDict):
    """When a body rises and sets, in universal time."""

    rises: str
    sets: str


class Separation(TypedDict):
    """The angle between two bodies in the sky."""

    degrees: float


def _date(text: str) -> ephem.Date:
    return ephem.Date(parse_time(text).replace(tzinfo=None))


def _planet(name: Planet, moment: str) -> ephem.Planet:
    body = getattr(ephem, name)()
    body.compute(_date(moment))
    return body


def _observer(latitude: float, longitude: float, moment: str) -> ephem.Observer:
    check_point(latitude, longitude)
    place = ephem.Observer()
    place.lat, place.lon, place.date = str(latitude), str(longitude), _date(moment)
    return place


def _position(name: str, body: ephem.Body) -> SkyPosition:
    return {
        "body": name,
        "constellation": ephem.constellation(body)[1],
        "right_ascension_hours": round(degrees(body.ra) * HOURS / 360, 4),
        "declination_degrees": round(degrees(body.dec), 4),
        "magnitude": round(body.mag, 2),
    }


def planet_position(planet: Planet, at: Moment) -> SkyPosition:
    """In which constellation a planet stands at a moment, its right ascension, declination and brightness."""
    return _position(planet, _planet(planet, at))


def planet_distance(planet: Planet, at: Moment) -> PlanetDistance:
    """Distance of a planet from the Earth and from the Sun, in astronomical units."""
    body = _planet(planet, at)
    return {
        "planet": planet,
        "from_earth_au": round(body.earth_distance, 4),
        "from_sun_au": round(body.sun_distance, 4),
        "light_minutes": round(body.earth_distance * LIGHT_MINUTES_PER_AU, 2),
    }


def planet_above_horizon(planet: Planet, at: Moment, latitude: float, longitude: float) -> Horizon:
    """Altitude and azimuth of a planet seen from a place, and whether it is above the horizon."""
    body = getattr(ephem, planet)(_observer(latitude, longitude, at))
    return {
        "altitude_degrees": round(degrees(body.alt), 2),
        "azimuth_degrees": round(degrees(body.az), 2),
        "visible": body.alt > 0,
    }


def planetRiseSet(planet: Planet, at: Moment, latitude: float, longitude: float) -> RiseSet:
    """Next rising and setting."""
    place, body = _observer(latitude, longitude, at), getattr(ephem, planet)()
    with refused(f"{planet} does not rise or set there at that time", ephem.CircumpolarError):
        rise, fall = place.next_rising(body), place.next_setting(body)
    return {
        "rises": rise.datetime().isoformat(timespec="minutes") + "Z",
        "sets": fall.datetime().isoformat(timespec="minutes") + "Z",
    }


def star_info(name: Annotated[str, Field(description="Proper name of a bright star")]) -> SkyPosition:
    """Constellation, coordinates (epoch 2000) and magnitude of a bright star."""
    with refused(f"no bright star is called {name!r}", KeyError):
        star = ephem.star(name.strip().title())
    star.compute("2000/1/1", epoch="2000")
    return _position(star.name, star)


def constellation_at(
    right_ascension_hours: Annotated[float, Field(description="0 to 24")],
    declination_degrees: Annotated[float, Field(description="-90 to 90")],
) -> Constellation:
    """The constellation which contains a point of the sky."""
    if not 0 <= right_ascension_hours <= HOURS or abs(declination_degrees) > MAX_LATITUDE:
        raise ToolException("right ascension is 0 to 24 hours, declination -90 to 90 degrees")
    point = ephem.readdb(f"point,f,{right_ascension_hours},{declination_degrees},1")
    point.compute("2000/1/1")
    short, name = ephem.constellation(point)
    return {"abbreviation": short, "name": name}


def angular_separation(planet1: Planet, planet2: Planet, at: Moment) -> Separation:
    """How far apart two planets appear in the sky."""
    apart = ephem.separation(_planet(planet1, at), _planet(planet2, at))
    return {"degrees": round(degrees(apart), 3)}


APIS = [
    planet_position,
    planet_distance,
    planet_above_horizon,
    planetRiseSet,
    star_info,
    constellation_at,
    angular_separation,
]
