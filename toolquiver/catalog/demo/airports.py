"""Airports of the world by their IATA and ICAO codes."""

from functools import cache
from typing import Annotated

import airportsdata
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, check_point, find_country
from toolquiver.catalog.demo.geodesy import KM_PER_MILE, great_circle_km

CATEGORY = "Travel"
TOOL = "AirportFinder"


class Airport(TypedDict):
    """An airport."""

    iata: str
    icao: str
    name: str
    city: str
    country_code: str
    latitude: float
    longitude: float
    elevation_ft: float
    timezone: str


class AirportName(TypedDict):
    """An airport in a list."""

    iata: str
    name: str
    city: str


class NearAirport(TypedDict):
    """An airport and how far away it is."""

    iata: str
    name: str
    distance_km: float


class FlightDistance(TypedDict):
    """The great-circle distance between two airports."""

    origin: str
    destination: str
    kilometres: float
    miles: float


@cache
def _airports() -> dict[str, airportsdata.Airport]:
    return airportsdata.load("IATA")


@cache
def _by_icao() -> dict[str, airportsdata.Airport]:
    return airportsdata.load("ICAO")


def _find(code: str) -> airportsdata.Airport:
    code = code.strip().upper()
    found = _airports().get(code) or _by_icao().get(code)
    if found is None:
        raise ToolException(f"unknown airport code {code!r}: a 3-letter IATA or a 4-letter ICAO code is needed")
    return found


def v2_lookup_airport(
    code: Annotated[str, Field(description="IATA code (3 letters) or ICAO code (4 letters) of the airport")],
) -> Airport:
    """Name, city, country, coordinates, elevation and time zone of an airport."""
    row = _find(code)
    return {
        "iata": row["iata"],
        "icao": row["icao"],
        "name": row["name"],
        "city": row["city"],
        "country_code": row["country"],
        "latitude": row["lat"],
        "longitude": row["lon"],
        "elevation_ft": row["elevation"],
        "timezone": row["tz"],
    }


def v2_airports_in_city(
    city: str,
    country: Annotated[str, Field(description="Country name or ISO code, if the city name is ambiguous")] = "",
    limit: int = 10,
) -> list[AirportName]:
    """Find the airports that serve a city. Returns IATA codes and names."""
    wanted, code = city.strip().casefold(), find_country(country).alpha_2 if country else ""
    found: list[AirportName] = [
        {"iata": row["iata"], "name": row["name"], "city": row["city"]}
        for row in _airports().values()
        if row["city"].casefold() == wanted and code in ("", row["country"])
    ]
    if not found:
        raise ToolException(f"no airport is listed for the city {city!r}")
    return sorted(found, key=lambda row: row["iata"])[: check_limit(limit)]


def v2_nearestAirports(lat: float, lon: float, limit: int = 3) -> list[NearAirport]:
    """The airports closest to a point, with their distance in kilometres."""
    check_point(lat, lon)
    near: list[NearAirport] = [
        {
            "iata": row["iata"],
            "name": row["name"],
            "distance_km": round(great_circle_km(lat, lon, row["lat"], row["lon"]), 1),
        }
        for row in _airports().values()
    ]
    return sorted(near, key=lambda row: row["distance_km"])[: check_limit(limit)]


def v2_flight_distance(
    origin: Annotated[str, Field(description="Airport code of the departure")],
    destination: Annotated[str, Field(description="Airport code of the arrival")],
) -> FlightDistance:
    """Distance flown between two airports.

    Whether you plan your next holiday or collect miles, our fast and reliable endpoint gives you the shortest
    distance between any two of thousands of airports around the globe!
    """
    start, end = _find(origin), _find(destination)
    length = great_circle_km(start["lat"], start["lon"], end["lat"], end["lon"])
    return {
        "origin": start["name"],
        "destination": end["name"],
        "kilometres": round(length, 1),
        "miles": round(length / KM_PER_MILE, 1),
    }


APIS = [v2_lookup_airport, v2_airports_in_city, v2_nearestAirports, v2_flight_distance]
