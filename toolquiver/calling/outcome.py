"""What comes out of a call: an observation, or a typed failure."""

from __future__ import annotations

from typing import Any, Literal, Protocol, get_args

from pydantic import BaseModel, ConfigDict

from toolquiver.catalog.records import API

FailureKind = Literal[
    "unknown_api",
    "invalid_arguments",
    "unauthorized",
    "forbidden",
    "not_found",
    "rate_limited",
    "timeout",
    "server_error",
    "network",
    "blocked",
    "tool_error",
    "not_recorded",
]
"""Why a call gave nothing. `blocked`: refused by our guard; `tool_error`: the tool itself says so;
`not_recorded`: calls are replayed, and this one was never recorded."""

FAILURE_KINDS: tuple[FailureKind, ...] = get_args(FailureKind)

MENDABLE: frozenset[FailureKind] = frozenset(["invalid_arguments", "not_found", "tool_error"])
"""Failures that other arguments may mend; the others say nothing about the arguments."""

PASSING: frozenset[FailureKind] = frozenset(["rate_limited", "timeout", "network"])
"""Failures of the moment: the same call may succeed later."""

NOT_ITS_FAULT: frozenset[FailureKind] = PASSING | {"invalid_arguments", "unauthorized", "forbidden", "blocked"}
"""Failures that say nothing against the API: of the moment, of the arguments, of a key, or of who may call it."""


class Observation(BaseModel):
    """What a call returned, as text for a model, at most as long as the limit.

    `omitted` is the number of characters that were cut from the end; 0 when nothing was.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    omitted: int = 0


class Failure(BaseModel):
    """Why a call returned nothing that can be used."""

    model_config = ConfigDict(frozen=True)

    kind: FailureKind
    message: str


class CallError(Exception):
    """Raised by callers: the call failed, of this kind. `retry_after` is in seconds, where the server said.

    Raises:
        ValueError: there is no such kind.
    """

    def __init__(self, kind: FailureKind, message: str, *, retry_after: float | None = None) -> None:
        if kind not in FAILURE_KINDS:
            raise ValueError(f"There is no kind of failure {kind!r}. It is one of: {', '.join(FAILURE_KINDS)}.")
        super().__init__(message)
        self.kind: FailureKind = kind
        self.retry_after = retry_after


class Caller(Protocol):
    """Something that can call the APIs of one source."""

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """Call `api` with arguments that fit its schema.

        Raises:
            CallError: the call failed.
        """
        ...
