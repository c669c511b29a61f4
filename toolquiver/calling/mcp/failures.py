"""What went wrong, as one of the kinds of failure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from secrets import token_hex
from typing import Any

import mcp_types as types
from mcp import MCPError
from pydantic import BaseModel, ValidationError

from toolquiver.calling.outcome import CallError, FailureKind

_KINDS: dict[int, FailureKind] = {
    types.CONNECTION_CLOSED: "network",
    types.REQUEST_TIMEOUT: "timeout",
    types.METHOD_NOT_FOUND: "unknown_api",
    types.INVALID_PARAMS: "invalid_arguments",
    types.INTERNAL_ERROR: "server_error",
    types.PARSE_ERROR: "server_error",
}
_INPUT = re.compile(r" *\[type=[\w.]+, input_value=.*, input_type=\w+\](?:\s+For further information visit \S+)?")
_LOST = ("Connection closed", "SSE stream")
_ENTRY = f"toolquiver {token_hex(16)}"  # which no server knows: it could claim that the user refused


class Told(BaseModel):
    """A failure that is told inside a message of the protocol.

    `over` when the session is of no use any more, `begun` unless it is certain that nothing was done.
    """

    kind: FailureKind
    retry_after: float | None = None
    over: bool = False
    begun: bool = True

    def data(self) -> dict[str, Any]:
        """It as the `data` of a JSON-RPC error."""
        return {_ENTRY: self.model_dump()}


def told(error: MCPError) -> Told:
    """The failure that an error of the protocol tells."""
    if _is_ours(error):
        try:
            return Told.model_validate(error.data[_ENTRY])
        except ValidationError:
            pass
    kind: FailureKind = _KINDS.get(error.code, "tool_error")
    # The SDK's code for a lost connection is also the first that servers may use for errors of their own, and the SDK's
    # for a message that is too large, or is not one.
    if kind == "network" and (not error.message.startswith(_LOST) or "SSE stream failed" in error.message):
        return Told(kind="tool_error")
    if kind == "invalid_arguments" and "unknown tool" in error.message.lower():
        kind = "unknown_api"
    return Told(kind=kind)


def failure(error: BaseException, label: str) -> CallError:
    """Why the server could not be reached or asked, out of whatever was raised."""
    causes = list(_leaves(error))
    for cause in causes:
        if isinstance(cause, CallError):
            return CallError(cause.kind, str(cause), retry_after=cause.retry_after)
    cause = causes[0]
    if isinstance(cause, MCPError):
        said = told(cause)
        message = one_line(without_inputs(cause.message))
        text = message if _is_ours(cause) else f"{label} says: {message}"
        return CallError(said.kind, text, retry_after=said.retry_after)
    if isinstance(cause, TimeoutError):
        return CallError("timeout", f"{label} took too long to start and to answer. If it may, raise connect_timeout.")
    why = one_line(without_inputs(str(cause)))
    return CallError("network", f"{label} cannot be talked to ({type(cause).__name__}: {why}).")


def _is_ours(error: MCPError) -> bool:
    return isinstance(error.data, dict) and _ENTRY in error.data


def without_inputs(text: str) -> str:
    """A text without what Pydantic repeats of its input: cut in the middle, a secret in it would not be known again."""
    return _INPUT.sub("", text)


def one_line(text: str) -> str:
    """A text on one line, whole: it may be cut only once the secrets are out of it."""
    return " ".join(text.split())


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
