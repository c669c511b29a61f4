"""Gold sequences of calls, whose arguments refer to earlier results, as nested plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolquiver.evaluation.metrics import PlanCall, render_plan

Reference = Callable[[str], int | None]
"""The place in the sequence of the call that a text refers to; None for ordinary text.

Raises:
    LookupError: it refers to something in a way that a nested call cannot say.
"""


@dataclass(frozen=True)
class Step:
    """One call of the sequence."""

    name: str
    arguments: Mapping[str, Any]


def nested_plan(steps: Sequence[Step], refers: Reference) -> str | None:
    """The calls whose results no other takes, each with those inside that give its arguments, as a plan's text.

    Which field of a result is taken is not said, as in reverse_chain.txt. None where the sequence cannot be said so: a
    reference inside of other text, to no call, or in a circle.
    """
    try:
        used = {place for step in steps for value in step.arguments.values() for place in _places(value, refers)}
        roots = [place for place in range(len(steps)) if place not in used]
        plan = tuple(_call(steps, place, refers, ()) for place in roots)
    except (LookupError, RecursionError):
        return None
    return render_plan(plan) if plan else None


def _places(value: Any, refers: Reference) -> list[int]:
    if isinstance(value, str):
        place = refers(value)
        return [] if place is None else [place]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [place for one in inner for place in _places(one, refers)]


def _call(steps: Sequence[Step], place: int, refers: Reference, above: tuple[int, ...]) -> PlanCall:
    if place in above or place not in range(len(steps)):
        raise LookupError(place)
    step, path = steps[place], (*above, place)
    return PlanCall(step.name, {name: _value(steps, value, refers, path) for name, value in step.arguments.items()})


def _value(steps: Sequence[Step], value: Any, refers: Reference, path: tuple[int, ...]) -> Any:
    if isinstance(value, str):
        place = refers(value)
        return value if place is None else _call(steps, place, refers, path)
    if isinstance(value, list):
        return [_value(steps, one, refers, path) for one in value]
    if isinstance(value, dict):
        return {name: _value(steps, one, refers, path) for name, one in value.items()}
    return value
