"""Telephone numbers."""

from typing import Annotated

import phonenumbers
from langchain_core.tools import ToolException
from phonenumbers import PhoneNumber, PhoneNumberFormat, PhoneNumberType, carrier, geocoder, timezone
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import find_country, refused

CATEGORY = "Telephony"
TOOL = "PhoneValidator"

Number = Annotated[str, Field(description="Telephone number, with + and country code unless the country is given")]
Country = Annotated[str, Field(description="Country from which a national number is dialled")]


class Validity(TypedDict):
    """Whether a telephone number can exist."""

    valid: bool
    possible: bool
    type: str


class Formats(TypedDict):
    """The ways to write a telephone number."""

    e164: str
    international: str
    national: str


class Origin(TypedDict):
    """Where a telephone number belongs."""

    country_code: str
    location: str
    timezones: list[str]


class Carrier(TypedDict):
    """The operator to whom a mobile number was first given."""

    carrier: str


class ExampleNumber(TypedDict):
    """A number made up for documentation."""

    number: str


def _number(text: str, country: str) -> PhoneNumber:
    region = find_country(country).alpha_2 if country else None
    with refused(f"{text!r} is not a telephone number", phonenumbers.NumberParseException):
        return phonenumbers.parse(text, region)


def validate_phone_number(number: Number, country: Country = "") -> Validity:
    """Check that a telephone number is valid in its country's numbering plan, and of which type it is."""
    found = _number(number, country)
    return {
        "valid": phonenumbers.is_valid_number(found),
        "possible": phonenumbers.is_possible_number(found),
        "type": PhoneNumberType.to_string(phonenumbers.number_type(found)).lower(),
    }


def format_phone_number(number: Number, country: Country = "") -> Formats:
    """Write a telephone number in E.164, international and national format."""
    found = _number(number, country)
    return {
        "e164": phonenumbers.format_number(found, PhoneNumberFormat.E164),
        "international": phonenumbers.format_number(found, PhoneNumberFormat.INTERNATIONAL),
        "national": phonenumbers.format_number(found, PhoneNumberFormat.NATIONAL),
    }


def phoneOrigin(number: str) -> Origin:
    """Where is this number from?"""
    found = _number(number, "")
    region = phonenumbers.region_code_for_number(found)
    if not region:
        raise ToolException(f"{number!r} belongs to no country")
    return {
        "country_code": region,
        "location": geocoder.description_for_number(found, "en"),
        "timezones": list(timezone.time_zones_for_number(found)),
    }


def phone_carrier(number: Number) -> Carrier:
    """Mobile operator to which a number was allocated; empty for fixed lines."""
    return {"carrier": carrier.name_for_number(_number(number, ""), "en")}


def example_phone_number(country: str) -> ExampleNumber:
    """A well-formed sample number of a country, in international format, for tests and documentation."""
    found = phonenumbers.example_number(find_country(country).alpha_2)
    if found is None:
        raise ToolException(f"{country} has no numbering plan of its own")
    return {"number": phonenumbers.format_number(found, PhoneNumberFormat.INTERNATIONAL)}


APIS = [validate_phone_number, format_phone_number, phoneOrigin, phone_carrier, example_phone_number]
