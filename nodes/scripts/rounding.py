"""Rounding to whole numbers, which is code's where no tool does it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from toolquiver.nodes.apis.converters import only_number
from toolquiver.nodes.state import Computed, Number, Operation, Rounding, Term

ROUNDING: dict[str, Rounding] = {"ceil": "up", "floor": "down", "round": "nearest"}
"""What Python calls each."""
_EXACT = 9  # decimals; what a float lacks to a whole number is not rounded


def rounded(number: Number, way: Rounding) -> int:
    """The whole number above, below or next."""
    if isinstance(number, int):
        return number
    near = round(number, _EXACT)
    return math.ceil(near) if way == "up" else math.floor(near if way == "down" else near + 0.5)


def to_whole(term: Term, way: Rounding) -> Term:
    """A term of a formula, rounded: at once, or as soon as it is computed."""
    return rounded(term, way) if isinstance(term, int | float) else Computed(result=term["result"], rounding=way)


def rounded_result(calls: Sequence[Operation], observation: str) -> str:
    """The response to the last call of a formula, its number rounded where the formula says so."""
    way, number = calls[-1].get("rounding") if calls else None, only_number(observation)
    if way is None or number is None:
        return observation
    return json.dumps({"result": rounded(number, way), f"rounded {way} from": number})
