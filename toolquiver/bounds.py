"""What the settings of a run may be: their choices, and the values below and above which they make no sense."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Literal, get_args

from toolquiver.calling import Approval
from toolquiver.catalog.shown import Documentation
from toolquiver.errors import InputError
from toolquiver.registration import Delivery, Listing, Mode

if TYPE_CHECKING:
    from toolquiver.context import Context

DecisionMethod = Literal["auto", "json_schema", "function_calling", "prompt"]
ActionForm = Literal["auto", "native", "written"]
Unsure = Literal["solved", "unsolved"]
CompletionMode = Literal["auto", "at_once", "one_by_one", "three_step"]
Retriever = Literal["hierarchy", "flat", "plain", "embedding"]
Searchers = Literal["hierarchy", "flat"]
PlainDetail = Literal["names", "descriptions", "details"]
Solver = Literal["dfsdt", "react"]
Examples = Literal["never", "reading", "all"]
Described = Literal["needed", "all"]
Reactivated = Literal["none", "tools", "categories", "all"]
Judging = Literal["in_doubt", "always", "never"]
_CHOICES = {
    "decision_method": get_args(DecisionMethod),
    "action_form": get_args(ActionForm),
    "registration": get_args(Mode),
    "listing": get_args(Listing),
    "delivery": get_args(Delivery),
    "approval": get_args(Approval),
    "unsure": get_args(Unsure),
    "completion": get_args(CompletionMode),
    "retriever": get_args(Retriever),
    "plain_detail": get_args(PlainDetail),
    "solver": get_args(Solver),
    "reactivated": get_args(Reactivated),
    "judging": get_args(Judging),
    "documentation": get_args(Documentation),
    "try_examples": get_args(Examples),
    "describe": get_args(Described),
}
MOST = {
    "branches": 100,
    "max_depth": 1_000,
    "lookups": 10,
    "votes": 99,
    "tools_per_agent": 64,
    "parallel_agents": 1_000,
    "max_reflections": 100,
    "max_repairs": 10,
    "call_timeout": 3_600,
    "call_retries": 10,
}
"""Above these nothing gets better, or a form was filled in by mistake."""
_MAY_BE_NONE = ("call_retries", "least_pool", "lookups", "max_reflections", "max_repairs")


def check(settings: Context) -> None:
    """Check the settings.

    Raises:
        InputError: a limit is below its least sensible value or above its greatest, or no choice has this name.
    """
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        least = 0 if setting.name in _MAY_BE_NONE else 1
        if isinstance(value, int) and not isinstance(value, bool) and value < least:
            raise InputError(f"{setting.name} is {value}; it must be at least {least}.")
        if setting.name in MOST and isinstance(value, int | float) and value > MOST[setting.name]:
            raise InputError(f"{setting.name} is {value:g}; it must be at most {MOST[setting.name]:,}.")
    timeout = settings.call_timeout
    if not timeout > 0:  # nor is NaN
        raise InputError(f"call_timeout is {timeout:g} seconds; it must be more than 0.")
    for name in ("retrieval_part", "try_part"):
        part = getattr(settings, name)
        if not 0 < part <= 1:
            raise InputError(f"{name} is {part:g}; it must be more than 0 and at most 1.")
    for name, choices in _CHOICES.items():
        if getattr(settings, name) not in choices:
            raise InputError(f"{name} is {getattr(settings, name)!r}; it must be one of: {', '.join(choices)}.")
