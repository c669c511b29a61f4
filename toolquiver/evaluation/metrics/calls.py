"""Errors in the calls that a system made."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from toolquiver.evaluation.metrics.intervals import Interval, bootstrap_ratio
from toolquiver.evaluation.records import Result


class ErrorRates(BaseModel):
    """Errors of each kind, and all failed calls, as shares of all calls, and how many those are; None of no calls."""

    model_config = ConfigDict(frozen=True)

    name: Interval | None
    parameter: Interval | None
    failed: Interval | None
    calls: int


def name_errors(result: Result) -> int:
    """The calls of a tool that is not there (easytool.txt, 5.1, error analysis)."""
    return sum(call.failure == "unknown_api" for call in result.calls)


def parameter_errors(result: Result) -> int:
    """The calls with arguments that the tool does not take (easytool.txt, 5.1, error analysis)."""
    return sum(call.failure == "invalid_arguments" for call in result.calls)


def error_rates(results: Iterable[Result]) -> ErrorRates:
    """Both kinds of errors relative to the number of all calls (easytool.txt, figure 4), a result a question."""
    results = list(results)
    calls = [len(result.calls) for result in results]
    return ErrorRates(
        name=bootstrap_ratio([name_errors(result) for result in results], calls),
        parameter=bootstrap_ratio([parameter_errors(result) for result in results], calls),
        failed=bootstrap_ratio([sum(not call.ok for call in result.calls) for result in results], calls),
        calls=sum(calls),
    )


def has_tool_error(result: Result) -> bool:
    """Whether one call at least failed; the share of questions is FuncQA's error rate (easytool.txt, 5.3, table 6)."""
    return any(not call.ok for call in result.calls)
