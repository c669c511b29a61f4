"""Lines without any text of the data or of an answer, for journals of data that may not be passed on."""

from __future__ import annotations

import re

from pydantic import JsonValue

from toolquiver.calling import FAILURE_KINDS
from toolquiver.evaluation.lines import Line
from toolquiver.evaluation.metrics import figures, knows_usage
from toolquiver.evaluation.records import Called, Question, Result
from toolquiver.models import Usage, add_usage

_NAME = re.compile(r"[\w./:-]{1,120}")
_KEPT_LABELS = {"level", "stable_solvable", "steps", "type"}
_UNKNOWN = "unknown_api"
_OTHER = "other"


def figures_only(line: Line) -> Line:
    """What a line says in numbers and names: nothing that was asked, answered, given to a call or known to be right.

    Of labels it keeps those by which reports are split. Names that a system made up may be any text, and are not kept.
    """
    question, result = line.question, line.result
    labels = {name: value for name, value in question.labels.items() if _is_harmless(name, value)}
    steps: dict[str, JsonValue] = {} if question.steps is None else {"steps": question.steps}
    return Line(
        question=Question(id=question.id, query="", group=question.group, labels={**labels, **steps}),
        result=Result(
            question=question.id,
            outcome=result.outcome,
            calls=tuple(_named(call) for call in result.calls),
            usage=_by_name(result.usage),
            tells_usage=knows_usage(result),
            simulated=_by_name(result.simulated),
            seconds=result.seconds,
        ),
        scores=line.scores,
        unscored=line.unscored.partition(":")[0],
        attempts=line.attempts,
        figures=figures(result),
    )


def _is_harmless(name: str, value: JsonValue) -> bool:
    return name in _KEPT_LABELS and (isinstance(value, bool | int | float) or _is_name(value))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(_NAME.fullmatch(value))


def _by_name(usage: Usage) -> Usage:
    """Usage by role, roles with names that may be any text together."""
    kept: Usage = {}
    for role, spent in usage.items():
        kept = add_usage(kept, {role if _is_name(role) else _OTHER: spent})
    return kept


def _named(call: Called) -> Called:
    """A call without its arguments; a name that no API has, and a failure of a system's own, may be any text."""
    api = call.api if _is_name(call.api) and call.failure != _UNKNOWN else _UNKNOWN
    failure = call.failure if call.failure is None or call.failure in FAILURE_KINDS else _OTHER
    return Called(api=api, arguments={}, ok=call.ok, failure=failure)
