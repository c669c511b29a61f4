"""The units of measure, by everything that they are called: `km`, `kilometre` and `kilometers`."""

from __future__ import annotations

import re
from typing import NamedTuple

# A dimension a line; its units are separated by `|`, the spellings of one by commas, the first as it is shown.
_TABLE = """
metres, metre, meters, meter, m | kilometres, kilometre, kilometers, kilometer, km | feet, foot, ft | inches, inch |
miles, mile, mi | nautical miles, nautical mile, nmi | yards, yard | centimetres, centimetre, centimeters, centimeter,
cm | millimetres, millimetre, millimeters, millimeter, mm | astronomical units, astronomical unit, au | light years,
light year, light-years, light-year | parsecs, parsec | furlongs, furlong | fathoms, fathom
degrees Celsius, celsius, °c | degrees Fahrenheit, fahrenheit, °f | kelvin, kelvins, k
grams, gram, g | kilograms, kilogram, kilos, kg | milligrams, milligram, mg | pounds, pound, lb, lbs | ounces, ounce,
oz | stones, stone | tonnes, tonne, metric tons, metric ton, tons, ton | carats, carat
kilocalories, kilocalorie, kcal, calories | kilojoules, kilojoule, kj
pounds per square inch, psi | pascals, pascal | hectopascals, hectopascal, hpa | kilopascals, kilopascal, kpa | bars,
bar | millibars, millibar, mbar
square kilometres, square kilometre, square kilometers, square kilometer, km2, km², km^2 | square miles, square mile |
hectares, hectare | acres, acre | square metres, square metre, square meters, square meter, m2, m², m^2 | square feet,
square foot, sq ft, ft2, ft², ft^2
litres, litre, liters, liter | millilitres, millilitre, milliliters, milliliter, ml | centilitres, centilitre,
centiliters, centiliter, cl | gallons, gallon | quarts, quart | pints, pint | cups, cup | fluid ounces, fluid ounce,
fl oz | tablespoons, tablespoon, tbsp | teaspoons, teaspoon, tsp | cubic metres, cubic metre, cubic meters, cubic meter,
m3, m³, m^3 | cubic feet, cubic foot, ft3, ft³, ft^3
moles, mole, mol
"""


class Unit(NamedTuple):
    """A unit of a dimension."""

    dimension: int
    name: str


def _spellings() -> dict[str, Unit]:
    lines = re.sub(r"([|,])\n", r"\1 ", _TABLE).strip().splitlines()
    found = dict[str, Unit]()
    for dimension, line in enumerate(lines):
        for unit in line.split("|"):
            names = [name.strip() for name in unit.split(",")]
            found |= {name.lower(): Unit(dimension, names[0]) for name in names}
    return found


UNITS = _spellings()
"""The units by their names and signs, in small letters."""

NAMED = UNITS | {"c": UNITS["celsius"], "f": UNITS["fahrenheit"], "l": UNITS["litres"]}
"""The same with the letters that are units only where nothing else can stand."""

END = r"(?![\w^²³])"
"""A pattern of what stands behind a unit: a power of it is another one."""


def spelled(shortest: int = 1) -> str:
    """A pattern of the names and signs that have so many characters at least."""
    return "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True) if len(name) >= shortest)
