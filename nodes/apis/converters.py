"""Which tools can make the conversion that a hint asks for, as far as the names of their inputs tell."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from toolquiver.catalog import API, Parameter
from toolquiver.json_texts import is_number, parsed
from toolquiver.nodes.texts.units import units_in_name

_HINT = re.compile(r"^Convert\b.*?\bfrom (?P<units>.+?) to ")


def is_conversion(hint: str) -> bool:
    """Whether a hint says that something is to be converted."""
    return bool(_HINT.match(hint))


def converters(apis: Iterable[API], hint: str) -> list[API]:
    """Of these the APIs that convert what the hint says: by the name of an input, or because the unit is an input."""
    asked = _HINT.match(hint)
    have = units_in_name(asked["units"]) if asked else set[str]()
    return [api for api in apis if asked and any(_names(one, have) for one in api.parameter_list())]


def takes(api: API, hint: str) -> bool:
    """Whether the API may take what the hint says is to be converted.

    One whose required inputs are named by units, and by others alone, cannot: a small model would call Celsius what is
    kelvin, to have a tool that makes Fahrenheit of it.
    """
    asked = _HINT.match(hint)
    if not asked:
        return True
    have = units_in_name(asked["units"])
    named = [units for one in api.parameter_list() if one.required and (units := units_in_name(one.name))]
    return not named or any(units & have for units in named)


def only_number(observation: str) -> int | float | None:
    """The one number among the fields of a response, or None."""
    try:
        data = parsed(observation)
    except ValueError:
        return None
    fields = [*data.values()] if isinstance(data, dict) else [data]
    numbers = [field for field in fields if is_number(field)]
    numbers = [number for number in numbers if isinstance(number, int) or math.isfinite(number)]  # JSON may say NaN
    return numbers[0] if len(numbers) == 1 else None


def _names(parameter: Parameter, units: set[str]) -> bool:
    return bool(units_in_name(parameter.name) & units) or "unit" in parameter.name.lower()
