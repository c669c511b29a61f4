"""Numbers that a formula brings along, though nobody has said them: the 2 of a square, the 60 of minutes, pi.

Only what an API computes with may be such a number. A measure, such as a latitude or a price, must be known.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from toolquiver.catalog import API, Parameter
from toolquiver.nodes.texts.grounding import is_count, numbers_of, unknown_numbers

_PLACES = set("a b c x y n k r base exponent number numbers term terms factor factors dividend divisor".split())
"""The names that inputs have where they are places in a formula, and nothing else."""
_USUAL = {Decimal(number) for number in (24, 30, 52, 60, 100, 180, 360, 365, 1_000, 1_440, 3_600, 86_400, 1_000_000)}
_SMALLER = _USUAL | {Decimal(7), Decimal(12)}  # days of a week, months of a year, and all of those
NAMED = {"e": Decimal("2.71828182845905"), "pi": Decimal("3.14159265358979")}
_NUMERIC = {"number", "integer"}
_SHORTEST = 2  # decimals and digits by which a rounded number is known again
_PRECISE, _ROUNDABLE = 15, 10**12  # beyond, rounding would need more digits than a Decimal keeps
_NEAR = 3
_LARGEST_PART, _MOST_PARTS = 4, 12  # three quarters and four thirds, not seven elevenths


def computes(api: API) -> bool:
    """Whether an API only computes: of nothing but numbers, named as places in a formula, it makes one number."""
    needed = api.required_list()
    return bool(needed) and all(_is_place(parameter) for parameter in needed) and _gives_a_number(api)


def is_constant(number: Decimal, sources: Iterable[str]) -> bool:
    """Whether a number, without its sign, may be a formula's own, or one that it makes of a number of the sources.

    Those are small counts and their simplest ratios, how many hours a day has and the like, pi and e; of known numbers
    one plus or minus a share (1.02 for 2 percent more), the reciprocal (the exponent of a 31st root), whole numbers
    near a whole one (31 and 30 after 32), and so many units in a smaller one (the 28 days of 4 weeks).
    """
    sources = list(sources)
    return number.is_finite() and (
        is_count(number)
        or number in _USUAL
        or any(_is_rounded(number, named) for named in NAMED.values())
        or any(_is_rounded(number, ratio) for ratio in _RATIOS)
        or (0 < abs(number - 1) < 1 and not unknown_numbers(f"{abs(number - 1):f}", sources, counts=False))
        or any(_is_made_of(known, number) for known in numbers_of(sources) if known)
    )


def _is_made_of(known: Decimal, number: Decimal) -> bool:
    return _is_rounded(number, 1 / known) or _is_near(number, known) or any(number == known * one for one in _SMALLER)


def _gives_a_number(api: API) -> bool:
    fields = list((api.output or {}).get("properties", {}).values())
    return len(fields) == 1 and _is_of(fields[0], _NUMERIC)


def _is_place(parameter: Parameter) -> bool:
    schema = parameter.schema_
    one = schema.get("items", {}) if _is_of(schema, {"array"}) else schema
    return parameter.name.lower() in _PLACES and _is_of(one, _NUMERIC)


def _is_of(schema: object, kinds: set[str]) -> bool:
    """Whether a schema is of these types, or null."""
    said = schema.get("type") if isinstance(schema, dict) else None
    named = set(said if isinstance(said, list) else [said]) - {"null"}
    return bool(named) and named <= kinds


def _ratios() -> list[Decimal]:
    parts = {Fraction(part, of) for of in range(2, _MOST_PARTS + 1) for part in range(1, _LARGEST_PART + 1)}
    return [Decimal(part.numerator) / Decimal(part.denominator) for part in sorted(parts)]


_RATIOS = _ratios()


def _is_near(number: Decimal, known: Decimal) -> bool:
    return abs(number - known) <= _NEAR and all(one == one.to_integral_value() for one in (number, known))


def _is_rounded(number: Decimal, value: Decimal) -> bool:
    places = max(0, -int(number.as_tuple().exponent))
    known_again = min(places, len(number.as_tuple().digits)) >= _SHORTEST and places <= _PRECISE and value < _ROUNDABLE
    return number == value or (known_again and abs(value - number) <= Decimal(5).scaleb(-places - 1))
