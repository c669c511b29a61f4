"""The chemical elements."""

import re
from typing import Annotated

from langchain_core.tools import ToolException
from molmass import ELEMENTS
from molmass.elements import Element
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import check_limit

CATEGORY = "Chemistry"
TOOL = "Periodic Table"

Name = Annotated[str, Field(description="English name or symbol of the element")]


class ElementFacts(TypedDict):
    """A chemical element."""

    symbol: str
    name: str
    atomic_number: int
    atomic_mass: float
    group: int
    period: int


class Configuration(TypedDict):
    """The electrons of an atom."""

    symbol: str
    configuration: str
    shells: list[int]


class Isotope(TypedDict):
    """A natural isotope of an element."""

    mass_number: int
    mass: float
    abundance_percent: float


class Temperatures(TypedDict):
    """When an element melts and boils."""

    symbol: str
    melting_point_kelvin: float | None
    boiling_point_kelvin: float | None
    density_g_per_cm3: float


class Bonding(TypedDict):
    """How an atom holds on to electrons."""

    symbol: str
    electronegativity_pauling: float | None
    ionisation_energy_ev: float
    oxidation_states: list[str]


def _element(text: str) -> Element:
    wanted = text.strip().casefold()
    for element in ELEMENTS:
        if wanted in (element.symbol.casefold(), element.name.casefold()):
            return element
    raise ToolException(f"unknown chemical element {text!r}: an English name or a symbol is needed")


def _facts(element: Element) -> ElementFacts:
    return {
        "symbol": element.symbol,
        "name": element.name,
        "atomic_number": element.number,
        "atomic_mass": element.mass,
        "group": element.group,
        "period": element.period,
    }


def get_element(element: Name) -> ElementFacts:
    """Look up a chemical element: atomic number, atomic mass, group and period."""
    return _facts(_element(element))


def element_by_number(z: Annotated[int, Field(description="number of protons")]) -> ElementFacts:
    """The chemical element with a given atomic number."""
    for element in ELEMENTS:
        if element.number == z:
            return _facts(element)
    raise ToolException(f"no element with the atomic number {z} is listed")


def electronConfiguration(element: str) -> Configuration:
    """Electron configuration."""
    found = _element(element)
    return {
        "symbol": found.symbol,
        "configuration": found.eleconfig,
        "shells": list(found.eleshells),
    }


def element_isotopes(element: Name, limit: int = 12) -> list[Isotope]:
    """Isotopes of an element that occur in nature, the most abundant first."""
    rows = sorted(_element(element).isotopes.values(), key=lambda row: -row.abundance)
    return [
        {
            "mass_number": row.massnumber,
            "mass": round(row.mass, 6),
            "abundance_percent": round(100 * row.abundance, 4),
        }
        for row in rows[: check_limit(limit)]
    ]


def element_temperatures(element: Name) -> Temperatures:
    """Melting point, boiling point (both in kelvin) and density of a chemical element."""
    found = _element(element)
    return {
        "symbol": found.symbol,
        "melting_point_kelvin": found.tmelt or None,
        "boiling_point_kelvin": found.tboil or None,
        "density_g_per_cm3": found.density,
    }


def element_bonding(element: Name) -> Bonding:
    """Electronegativity, first ionisation energy and oxidation states."""
    found = _element(element)
    return {
        "symbol": found.symbol,
        "electronegativity_pauling": found.eleneg or None,
        "ionisation_energy_ev": found.ionenergy[0],
        "oxidation_states": re.findall(r"[-+]?\d+", found.oxistates),
    }


APIS = [
    get_element,
    element_by_number,
    electronConfiguration,
    element_isotopes,
    element_temperatures,
    element_bonding,
]
