"""The conversions that people ask for most."""

from langchain_core.tools import ToolException
from typing_extensions import TypedDict

CATEGORY = "Units"
TOOL = "quick-convert"

ABSOLUTE_ZERO_CELSIUS = -273.15
KM_PER_MILE = 1.609344
KG_PER_POUND = 0.45359237
CM_PER_INCH = 2.54
INCHES_PER_FOOT = 12
LITRES_PER_US_GALLON = 3.785411784


class Converted(TypedDict):
    """The value after conversion."""

    result: float


class FeetAndInches(TypedDict):
    """A height as it is told in the United States."""

    feet: int
    inches: float


class FuelUse(TypedDict):
    """How much fuel a car uses."""

    litres_per_100_km: float


def c2f(celsius: float) -> Converted:
    """Celsius to Fahrenheit."""
    if celsius < ABSOLUTE_ZERO_CELSIUS:
        raise ToolException("nothing is colder than absolute zero")
    return {"result": round(celsius * 9 / 5 + 32, 4)}


def f2c(fahrenheit: float) -> Converted:
    """Fahrenheit to Celsius."""
    celsius = (fahrenheit - 32) * 5 / 9
    if celsius < ABSOLUTE_ZERO_CELSIUS:
        raise ToolException("nothing is colder than absolute zero")
    return {"result": round(celsius, 4)}


def miles2km(miles: float) -> Converted:
    """Statute miles to kilometres."""
    return {"result": round(miles * KM_PER_MILE, 4)}


def km2miles(km: float) -> Converted:
    """Kilometres to statute miles."""
    return {"result": round(km / KM_PER_MILE, 4)}


def pounds2kg(pounds: float) -> Converted:
    """Pounds to kilograms."""
    return {"result": round(pounds * KG_PER_POUND, 4)}


def cm2feet(centimetres: float) -> FeetAndInches:
    """Converts a height in centimetres to feet and inches."""
    if centimetres < 0:
        raise ToolException("a height cannot be negative")
    feet, inches = divmod(round(centimetres / CM_PER_INCH, 1), INCHES_PER_FOOT)
    return {"feet": int(feet), "inches": round(inches, 1)}


def mpg2metric(miles_per_us_gallon: float) -> FuelUse:
    """Fuel economy: from miles per US gallon to litres per 100 kilometres."""
    if miles_per_us_gallon <= 0:
        raise ToolException("miles per gallon must be positive")
    return {"litres_per_100_km": round(100 * LITRES_PER_US_GALLON / (miles_per_us_gallon * KM_PER_MILE), 3)}


APIS = [c2f, f2c, miles2km, km2miles, pounds2kg, cm2feet, mpg2metric]
