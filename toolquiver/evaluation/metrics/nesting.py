"""A nested plan against the gold: exact match by level, and why it fails (reverse_chain.txt, 3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from math import isfinite
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from toolquiver.evaluation.metrics.plans import Plan, PlanCall, parse_plan, plan_level, renamed_plan

Cause = Literal["wrong final tool", "wrong API for an argument", "wrong value", "other"]
"""Why a plan is not the gold (reverse_chain.txt, 3.3, table 7). Of several the first of this order is named."""

CAUSES: tuple[Cause, ...] = get_args(Cause)

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)


class PlanScore(BaseModel):
    """What one plan is worth: `level` is that of the gold, `cause` is None where the two are the same."""

    model_config = ConfigDict(frozen=True)

    level: int
    cause: Cause | None

    @property
    def exact(self) -> bool:
        """Whether names and arguments are those of the gold."""
        return self.cause is None


def score_plan(text: str | None, gold: str, names: Mapping[str, str] | None = None) -> PlanScore:
    """A plan's text against the gold's; none, and one that cannot be read, fails for another reason.

    Values are the same as `same_value` says. The order of arguments does not count, nor that of outermost calls. Both
    plans are compared by what `names` has for their APIs, such as ids for function names.

    Raises:
        ValueError: the gold is no plan.
    """
    known = names or {}
    right = renamed_plan(parse_plan(gold), known)
    try:
        made = renamed_plan(parse_plan(text or ""), known)
    except ValueError:
        return PlanScore(level=plan_level(right), cause="other")
    return PlanScore(level=plan_level(right), cause=_worst(_differences(made, right)))


def _worst(found: Iterable[Cause]) -> Cause | None:
    return min(found, key=CAUSES.index, default=None)


def _differences(made: Plan, gold: Plan) -> Iterator[Cause]:
    if Counter(call.name for call in made) != Counter(call.name for call in gold):
        yield "wrong final tool"
        return
    rest, unmatched = list(made), []
    for right in gold:
        if same := [one for one in rest if same_value(one, right)]:
            rest.remove(same[0])
        else:
            unmatched.append(right)
    for right in unmatched:
        match = next(one for one in rest if one.name == right.name)
        rest.remove(match)
        yield from _in_arguments(match, right)


def _in_arguments(made: PlanCall, gold: PlanCall) -> Iterator[Cause]:
    for name, right in gold.arguments.items():
        if isinstance(right, PlanCall):
            yield from _in_call(made.arguments.get(name), right)
        elif name not in made.arguments:
            yield "other"
        elif not same_value(value := made.arguments[name], right):
            yield "other" if isinstance(value, PlanCall) else "wrong value"
    if made.arguments.keys() - gold.arguments.keys():
        yield "other"


def _in_call(made: Any, gold: PlanCall) -> Iterator[Cause]:
    if isinstance(made, PlanCall) and made.name == gold.name:
        yield from _in_arguments(made, gold)
    else:
        yield "wrong API for an argument"


def same_value(one: Any, other: Any) -> bool:
    """Whether two arguments count as the same: by their text, numbers and truth values by value.

    A text is a number only where it is written as a plain one: `02134`, `+49301234567` and `12e3` are names of things.
    """
    return bool(_plain(one) == _plain(other)) or str(one).strip() == str(other).strip()


def _plain(value: Any) -> Any:
    """A value in a form that is equal where two values count as the same."""
    if isinstance(value, PlanCall):
        return (value.name, _plain(dict(value.arguments)))
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    text = str(value).strip()
    if text.lower() in {"true", "false"}:
        return text.lower()
    if isinstance(value, float) and isfinite(value):  # 1e+22 is how Python writes it
        return Decimal(text)
    return Decimal(text) if _NUMBER.fullmatch(text) else text
