"""What a run writes down: its calls, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from typing_extensions import TypedDict

from toolquiver.calling import Failure, FailureKind, Observation
from toolquiver.catalog import ApiId

NOT_ENDED: Mapping[str, Any] = MappingProxyType({"answer": "", "status": None, "reason": ""})
"""What a run says of its end before it has come to it: on a thread the end of the run before it stood there."""


class Call(TypedDict):
    """One call made or refused, in the order of the run. `failure` is None when `ok`."""

    subtask: int
    api: ApiId
    arguments: dict[str, Any]
    ok: bool
    failure: FailureKind | None
    message: str


def call_record(subtask: int, api: ApiId, arguments: dict[str, Any] | None, outcome: Observation | Failure) -> Call:
    """The record of a call that was made, or refused, with this outcome."""
    failure = outcome if isinstance(outcome, Failure) else None
    return Call(
        subtask=subtask,
        api=api,
        arguments=arguments or {},
        ok=failure is None,
        failure=failure.kind if failure else None,
        message=failure.message if failure else "",
    )
