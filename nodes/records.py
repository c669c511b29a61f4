"""What a run writes down: the steps that brought an answer, the calls, and what subtasks came to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NotRequired

from typing_extensions import TypedDict

from toolquiver.calling import Failure, FailureKind, Observation
from toolquiver.catalog import ApiId

_EMPTY = {"", "[]", "{}", "null", '""'}
NOT_ENDED: Mapping[str, Any] = MappingProxyType({"answer": "", "status": None, "reason": ""})
"""What a run says of its end before it has come to it: on a thread the end of the run before it stood there."""


class Step(TypedDict):
    """One think-choose-fill-call-answer-verify pass that brought an answer."""

    subtask: int
    thought: str
    api: ApiId
    arguments: dict[str, Any]
    observation: str
    answer: str


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


class Found(TypedDict):
    """What a subtask came to; it is `contested` where the answer stands though the verifier was not content."""

    question: str
    answer: str
    observation: str
    solved: bool
    contested: NotRequired[bool]


def is_empty(observation: str) -> bool:
    """Whether a response has nothing in it."""
    return observation.strip() in _EMPTY


def is_told(found: Found) -> bool:
    """Whether it is an answer, or there is a response behind it; else it only says why there is none."""
    return found["solved"] or not is_empty(found["observation"])
