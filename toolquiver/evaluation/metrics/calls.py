"""Errors in the calls that a system made."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from toolquiver.evaluation.records import Result


class ErrorRates(BaseModel):
    """Errors of each kind as a share of all calls, and how many calls that are; None of no calls."""

    model_config = ConfigDict(frozen=True)

    name: float | None
    parameter: float | None
    calls: int


def name_errors(result: Result) -> int:
    """The calls of a tool that is not there (easytool.txt, 5.1, error analysis)."""
    return sum(call.failure == "unknown_api" for call in result.calls)


def parameter_errors(result: Result) -> int:
    """The calls with arguments that the tool does not take (easytool.txt, 5.1, error analysis)."""
    return sum(call.failure == "invalid_arguments" for call in result.calls)


def error_rates(results: Iterable[Result]) -> ErrorRates:
    """Both kinds of errors relative to the number of all calls (easytool.txt, figure 4)."""
    results = list(results)
    calls = sum(len(result.calls) for result in results)
    return ErrorRates(
        name=sum(name_errors(result) for result in results) / calls if calls else None,
        parameter=sum(parameter_errors(result) for result in results) / calls if calls else None,
        calls=calls,
    )


def has_tool_error(result: Result) -> bool:
    """Whether one call at least failed; the share of questions is FuncQA's error rate (easytool.txt, 5.3, table 6)."""
    return any(not call.ok for call in result.calls)
