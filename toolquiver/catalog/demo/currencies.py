"""Currencies: ISO 4217 and how locales write them."""

from datetime import date
from decimal import Decimal
from typing import Annotated

import pycountry
from babel import Locale, UnknownLocaleError
from babel.numbers import (
    format_currency,
    get_currency_name,
    get_currency_precision,
    get_currency_symbol,
    get_territory_currencies,
)
from langchain_core.tools import ToolException
from pycountry.db import Data
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, find_country, parse_date, refused

CATEGORY = "Currency"
TOOL = "Currency Reference"

Code = Annotated[str, Field(description="ISO 4217 code of the currency (three letters)")]


class Currency(TypedDict):
    """A currency in ISO 4217."""

    code: str
    name: str
    numeric_code: str
    minor_units: int


class Tender(TypedDict):
    """The currencies of a country at one time."""

    country: str
    currencies: list[str]


class Amount(TypedDict):
    """A sum of money as text."""

    text: str


class Symbol(TypedDict):
    """How a currency is written."""

    code: str
    symbol: str
    name: str


class MinorUnits(TypedDict):
    """A sum in the smallest unit of its currency."""

    code: str
    minor_units: int


def _currency(code: str) -> Data:
    found: Data | None = pycountry.currencies.get(alpha_3=code.strip().upper())
    if found is None:
        raise ToolException(f"unknown currency code {code!r}: an ISO 4217 code is needed")
    return found


def _code(code: str) -> str:
    return _currency(code).alpha_3


def _locale(name: str) -> Locale:
    with refused(f"unknown locale {name!r}", UnknownLocaleError, ValueError):
        return Locale.parse(name.strip().replace("-", "_"))


def get_currency_by_code(code: Code) -> Currency:
    """Name, numeric code and number of minor units (decimal places) of a currency."""
    found = _currency(code)
    return {
        "code": found.alpha_3,
        "name": found.name,
        "numeric_code": found.numeric,
        "minor_units": get_currency_precision(found.alpha_3),
    }


def get_currency_of_country(
    country: Annotated[str, Field(description="Name or ISO 3166-1 code of the country")],
    on: Annotated[str, Field(description="Date (YYYY-MM-DD) if not the present")] = "",
) -> Tender:
    """Which currency is legal tender in a country? Works for past dates as well."""
    found = find_country(country)
    when = parse_date(on) if on else date.max
    codes = get_territory_currencies(found.alpha_2, start_date=when, end_date=when)
    if not codes:
        raise ToolException(f"no currency is known for {found.name} at that time")
    return {"country": found.name, "currencies": codes}


def countries_using_currency(code: Code, limit: int = 40) -> list[str]:
    """List the countries in which a currency is legal tender today."""
    wanted = _code(code)
    names = [
        country.name
        for country in pycountry.countries
        if wanted in get_territory_currencies(country.alpha_2, start_date=date.max, end_date=date.max)
    ]
    return sorted(names)[: check_limit(limit)]


def format_money(
    amount: float,
    currency: Code,
    locale: Annotated[str, Field(description="language, or language and territory joined by an underscore")] = "en_US",
) -> Amount:
    """Write a sum of money the way it is written in a language and country."""
    return {"text": format_currency(Decimal(str(amount)), _code(currency), locale=_locale(locale))}


def currencySymbol(code: str, locale: str = "en") -> Symbol:
    """Currency symbol and its localised name."""
    found, where = _code(code), _locale(locale)
    return {
        "code": found,
        "symbol": get_currency_symbol(found, where),
        "name": get_currency_name(found, locale=where),
    }


def to_minor_units(amount: float, code: Code) -> MinorUnits:
    """Turn an amount of money into a whole number of the currency's minor units (cents and the like)."""
    found = _code(code)
    scaled = Decimal(str(amount)).scaleb(get_currency_precision(found))
    if scaled != scaled.to_integral_value():
        raise ToolException(f"{amount} has more decimal places than {found} has")
    return {"code": found, "minor_units": int(scaled)}


APIS = [
    get_currency_by_code,
    get_currency_of_country,
    countries_using_currency,
    format_money,
    currencySymbol,
    to_minor_units,
]
