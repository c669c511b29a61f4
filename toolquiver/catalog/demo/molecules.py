"""Chemical formulas."""

from typing import Annotated

from langchain_core.tools import ToolException
from molmass import Formula, FormulaError
from pydantic import Field
from typing_extensions import TypedDict

from toolquiver.catalog.demo._checks import refused

CATEGORY = "Chemistry"
TOOL = "MolMass"

AVOGADRO = 6.02214076e23

Chemical = Annotated[str, Field(description="Chemical formula: symbols with counts, groups in parentheses")]


class MolarMass(TypedDict):
    """What one mole of a substance weighs."""

    formula: str
    grams_per_mole: float


class Part(TypedDict):
    """An element's share in a substance."""

    element: str
    count: int
    mass_percent: float


class Simplest(TypedDict):
    """A formula reduced to its smallest whole numbers."""

    formula: str
    empirical: str
    atoms: int


class Amount(TypedDict):
    """An amount of substance."""

    moles: float
    molecules: float


class Mass(TypedDict):
    """A mass."""

    grams: float


def _formula(text: str) -> Formula:
    with refused(f"{text!r} is not a chemical formula", FormulaError, ValueError):
        found = Formula(text.strip(), parse_groups=False)
        if found.atoms:
            return found
    raise ToolException("the formula is empty")


def molar_mass(formula: Chemical) -> MolarMass:
    """Molar mass (molecular weight) of a chemical formula in grams per mole."""
    found = _formula(formula)
    return {"formula": found.formula, "grams_per_mole": round(found.mass, 4)}


def mass_composition(formula: Chemical) -> list[Part]:
    """Elemental analysis: count and mass fraction of every element in a compound."""
    return [
        {"element": row.symbol, "count": row.count, "mass_percent": round(100 * row.fraction, 3)}
        for row in _formula(formula).composition().values()
    ]


def empiricalFormula(formula: str) -> Simplest:
    """Get empirical formula and number of atoms."""
    found = _formula(formula)
    return {"formula": found.formula, "empirical": found.empirical, "atoms": found.atoms}


def grams_to_moles(formula: Chemical, grams: float) -> Amount:
    """How many moles, and how many molecules, are in a mass of a substance."""
    if grams < 0:
        raise ToolException("a mass cannot be negative")
    moles = grams / _formula(formula).mass
    return {"moles": round(moles, 6), "molecules": float(f"{moles * AVOGADRO:.6g}")}


def moles_to_grams(formula: Chemical, moles: float) -> Mass:
    """Mass of an amount of substance."""
    if moles < 0:
        raise ToolException("an amount cannot be negative")
    return {"grams": round(moles * _formula(formula).mass, 4)}


APIS = [molar_mass, mass_composition, empiricalFormula, grams_to_moles, moles_to_grams]
