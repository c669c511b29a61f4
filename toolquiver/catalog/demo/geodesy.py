"""Reckoning on the sphere of the Earth."""

from math import asin, atan2, cos, degrees, hypot, radians, sin
from typing import Annotated

from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_point

CATEGORY = "Navigation"
TOOL = "GeoMath"

EARTH_RADIUS_KM = 6371.0088
KM_PER_MILE = 1.609344
KM_PER_NAUTICAL_MILE = 1.852
GEOHASH_DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz"
MAX_GEOHASH = 12

Latitude = Annotated[float, Field(description="Latitude in decimal degrees, negative in the south")]
Longitude = Annotated[float, Field(description="Longitude in decimal degrees, negative in the west")]


class Distance(TypedDict):
    """A length in three units."""

    kilometres: float
    miles: float
    nautical_miles: float


class Bearing(TypedDict):
    """A direction of the compass."""

    degrees: float
    compass_point: str


class Point(TypedDict):
    """A place on Earth."""

    latitude: float
    longitude: float


class Geohash(TypedDict):
    """A geohash."""

    geohash: str


def great_circle_km(latitude1: float, longitude1: float, latitude2: float, longitude2: float) -> float:
    """Length of the shortest way between two points on the sphere."""
    north1, north2 = radians(latitude1), radians(latitude2)
    half = sin((north2 - north1) / 2) ** 2
    half += cos(north1) * cos(north2) * sin(radians(longitude2 - longitude1) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(min(1.0, half**0.5))


def geo_distance(latitude1: Latitude, longitude1: Longitude, latitude2: Latitude, longitude2: Longitude) -> Distance:
    """Great-circle distance between two points given by their coordinates, as the crow flies."""
    check_point(latitude1, longitude1)
    check_point(latitude2, longitude2)
    length = great_circle_km(latitude1, longitude1, latitude2, longitude2)
    return {
        "kilometres": round(length, 3),
        "miles": round(length / KM_PER_MILE, 3),
        "nautical_miles": round(length / KM_PER_NAUTICAL_MILE, 3),
    }


def geo_bearing(lat1: float, lon1: float, lat2: float, lon2: float) -> Bearing:
    """Initial bearing."""
    check_point(lat1, lon1)
    check_point(lat2, lon2)
    north1, north2, east = radians(lat1), radians(lat2), radians(lon2 - lon1)
    ahead = cos(north1) * sin(north2) - sin(north1) * cos(north2) * cos(east)
    angle = degrees(atan2(sin(east) * cos(north2), ahead)) % 360
    points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    return {"degrees": round(angle, 2), "compass_point": points[round(angle / 45) % 8]}


def geo_midpoint(latitude1: Latitude, longitude1: Longitude, latitude2: Latitude, longitude2: Longitude) -> Point:
    """The point half-way between two others along the great circle."""
    check_point(latitude1, longitude1)
    check_point(latitude2, longitude2)
    north1, north2, east = radians(latitude1), radians(latitude2), radians(longitude2 - longitude1)
    x, y = cos(north2) * cos(east), cos(north2) * sin(east)
    north = atan2(sin(north1) + sin(north2), hypot(cos(north1) + x, y))
    return _point(degrees(north), longitude1 + degrees(atan2(y, cos(north1) + x)))


def geo_destination(
    latitude: Latitude,
    longitude: Longitude,
    bearing: Annotated[float, Field(description="Direction of travel in degrees clockwise from north")],
    distance_km: Annotated[float, Field(description="Length of the way in kilometres")],
) -> Point:
    """Where you arrive when you leave a point in a given direction and go a given distance straight on."""
    check_point(latitude, longitude)
    north, course, angle = radians(latitude), radians(bearing), distance_km / EARTH_RADIUS_KM
    new_north = asin(sin(north) * cos(angle) + cos(north) * sin(angle) * cos(course))
    east = atan2(sin(course) * sin(angle) * cos(north), cos(angle) - sin(north) * sin(new_north))
    return _point(degrees(new_north), longitude + degrees(east))


def geo_antipode(latitude: Latitude, longitude: Longitude) -> Point:
    """The point on the opposite side of the globe."""
    check_point(latitude, longitude)
    return _point(-latitude, longitude + 180)


def geohash_encode(
    latitude: float, longitude: float, length: Annotated[int, Field(description="characters, 1 to 12")] = 7
) -> Geohash:
    """Encode coordinates as a geohash."""
    check_point(latitude, longitude)
    if not 1 <= length <= MAX_GEOHASH:
        raise ToolException(f"length must be between 1 and {MAX_GEOHASH}, not {length}")
    ranges = [[-180.0, 180.0], [-90.0, 90.0]]
    code = 0
    for bit in range(5 * length):
        low, high = ranges[bit % 2]
        middle, value = (low + high) / 2, (longitude, latitude)[bit % 2]
        code = 2 * code + (value >= middle)
        ranges[bit % 2] = [middle, high] if value >= middle else [low, middle]
    digits = [GEOHASH_DIGITS[code >> 5 * place & 31] for place in reversed(range(length))]
    return {"geohash": "".join(digits)}


def _point(latitude: float, longitude: float) -> Point:
    return {"latitude": round(latitude, 6), "longitude": round((longitude + 180) % 360 - 180, 6)}


APIS = [geo_distance, geo_bearing, geo_midpoint, geo_destination, geo_antipode, geohash_encode]
