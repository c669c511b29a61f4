"""Conversion between units of measure."""

import re
from contextlib import suppress
from functools import cache
from typing import Annotated

import pint
from langchain_core.tools import ToolException
from pint.facets.plain import PlainQuantity
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit, refused

CATEGORY = "Units"
TOOL = "Unit Converter Pro"

_POWER = re.compile(r"\b([a-zA-Z]+)([23])$")
_NEEDLESS = re.compile(r"^(?:US_(?=gallon|pint|quart|cup|fl)|degrees?_(?=[cfkr]))", re.IGNORECASE)
_TWICE = re.compile(r"^(?:cubic|square|sq)[ _](?=[a-zA-Z]+[23]$)", re.IGNORECASE)
_SIGN = 3  # letters: in such short ones large and small letters are different units
_SHORT = {"fl_oz": "fluid_ounce", "fl._oz.": "fluid_ounce"}

Unit = Annotated[str, Field(description="Name or symbol of the unit; products, quotients and powers are fine")]


class Quantity(TypedDict):
    """A number with its unit."""

    value: float
    unit: str


class UnitFacts(TypedDict):
    """What a unit measures."""

    unit: str
    symbol: str
    dimension: str


class Comparable(TypedDict):
    """Whether two units measure the same."""

    compatible: bool


@cache
def _registry() -> pint.UnitRegistry[float]:
    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True, cache_folder=None)


def _unit(text: str) -> pint.Unit:
    """The unit as people and models write it too: light-years, degrees Celsius, fl oz, m2, square_miles, square km2."""
    written = _POWER.sub(r"\1^\2", _TWICE.sub("", " ".join(text.split())))
    name = _NEEDLESS.sub("", re.sub("[ -]", "_", written))
    words = written.replace("_", " ")
    for known in (_SHORT.get(name.lower(), name), written, words, name.lower() if len(name) > _SIGN else name):
        with suppress(Exception):  # whatever a parser of formulas says of what is none
            return _registry().Unit(known)
    raise ToolException(f"unknown unit {text!r}")


def _quantity(found: PlainQuantity[float]) -> Quantity:
    return {"value": float(f"{found.magnitude:.10g}"), "unit": str(found.units)}


def convert_units(value: float, from_unit: Unit, to_unit: Unit) -> Quantity:
    """Convert a value from one unit of measure to another: length, mass, temperature, energy and more."""
    start, end = _unit(from_unit), _unit(to_unit)
    with refused(f"{from_unit} cannot be converted to {to_unit}", pint.DimensionalityError):
        return _quantity(_registry().Quantity(value, start).to(end))


def to_base_units(value: float, unit: Unit) -> Quantity:
    """Express a quantity in SI base units."""
    return _quantity(_registry().Quantity(value, _unit(unit)).to_base_units())


def describe_unit(unit: Unit) -> UnitFacts:
    """Full name, symbol and physical dimension of a unit."""
    found = _unit(unit)
    return {"unit": str(found), "symbol": f"{found:~}", "dimension": str(found.dimensionality)}


def unitsCompatible(unit1: str, unit2: str) -> Comparable:
    """Can these be converted into each other?"""
    return {"compatible": _unit(unit1).dimensionality == _unit(unit2).dimensionality}


def list_units_for(unit: Unit, limit: int = 20) -> list[str]:
    """Names of other units that measure the same physical quantity as the one given."""
    names = sorted(str(other) for other in _registry().get_compatible_units(_unit(unit).dimensionality))
    if not names:
        raise ToolException(f"no other unit measures the same as {unit!r}")
    return names[: check_limit(limit)]


def add_quantities(value1: float, unit1: Unit, value2: float, unit2: Unit) -> Quantity:
    """Add two quantities that may have different units; the sum is in the first one's unit."""
    first, second = _unit(unit1), _unit(unit2)
    with refused(f"{unit1} and {unit2} cannot be added", pint.DimensionalityError, pint.OffsetUnitCalculusError):
        return _quantity(_registry().Quantity(value1, first) + _registry().Quantity(value2, second))


APIS = [convert_units, to_base_units, describe_unit, unitsCompatible, list_units_for, add_quantities]
