"""The registers of ISO 3166: countries and their subdivisions."""

import re
from typing import Annotated

import pycountry
from langchain_core.tools import ToolException
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, find_country

CATEGORY = "Geography"
TOOL = "ISO 3166 Codes"


class CountryCodes(TypedDict):
    """A country in ISO 3166-1."""

    name: str
    official_name: str
    alpha_2: str
    alpha_3: str
    numeric: str
    flag: str


class Subdivision(TypedDict):
    """A state, province or region in ISO 3166-2."""

    code: str
    name: str
    type: str
    country_code: str


class FormerCountry(TypedDict):
    """A country that no longer exists."""

    name: str
    alpha_4: str
    withdrawn: str


def v1_country_codes(
    q: Annotated[str, Field(description="name of the country, or one of its codes (2 or 3 letters, or 3 digits)")],
) -> CountryCodes:
    """Look a country up in ISO 3166-1: alpha-2, alpha-3 and numeric code, official name, flag emoji."""
    country = find_country(q)
    return {
        "name": country.name,
        "official_name": getattr(country, "official_name", country.name),
        "alpha_2": country.alpha_2,
        "alpha_3": country.alpha_3,
        "numeric": country.numeric,
        "flag": country.flag,
    }


def v1_subdivisions(
    country: Annotated[str, Field(description="country name or ISO 3166-1 code")],
    kind: Annotated[str, Field(description="keep only this kind of subdivision, as the standard names it")] = "",
    limit: int = 20,
) -> list[Subdivision]:
    """States, provinces, departments etc. of a country with their ISO 3166-2 codes, by code."""
    found = find_country(country)
    rows = [
        row
        for row in pycountry.subdivisions
        if row.country_code == found.alpha_2 and kind.casefold() in ("", row.type.casefold())
    ]
    if not rows:
        raise ToolException(f"no subdivision of {found.name} matches {kind!r}")
    return [_subdivision(row.code) for row in sorted(rows, key=lambda row: row.code)[: check_limit(limit)]]


def v1_subdivision_by_code(
    code: Annotated[str, Field(description="ISO 3166-2 code: two letters, a hyphen, one to three characters")],
) -> Subdivision:
    """Resolve an ISO 3166-2 code to the name and type of the subdivision."""
    return _subdivision(code.strip().upper())


def v1_former_country(name: str) -> FormerCountry:
    """Look up a country that was withdrawn from the standard (ISO 3166-3), with the date it was."""
    for row in pycountry.historic_countries:
        if name.strip().casefold() in (row.alpha_4.casefold(), *re.findall(r"\w+", row.name.casefold())):
            return {"name": row.name, "alpha_4": row.alpha_4, "withdrawn": row.withdrawal_date}
    raise ToolException(f"no former country is called {name!r}")


def _subdivision(code: str) -> Subdivision:
    row = next((row for row in pycountry.subdivisions if row.code == code), None)
    if row is None:
        raise ToolException(f"unknown subdivision code {code!r}")
    return {"code": row.code, "name": row.name, "type": row.type, "country_code": row.country_code}


APIS = [v1_country_codes, v1_subdivisions, v1_subdivision_by_code, v1_former_country]
