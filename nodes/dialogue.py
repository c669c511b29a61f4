"""A conversation with an agent: the calls that a message asks for, what answers them, and reducers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, cast

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    MessageLikeRepresentation,
    ToolMessage,
    convert_to_messages,
)
from typing_extensions import TypedDict

from toolquiver.nodes.records import Call

C = TypeVar("C", bound=Call)


class CallRequest(TypedDict):
    """A call that the model wants made; `arguments` is None where what it wrote was no JSON."""

    id: str
    name: str
    arguments: dict[str, Any] | None


def added(said: Sequence[AnyMessage], new: Sequence[MessageLikeRepresentation]) -> list[AnyMessage]:
    """The reducer: a conversation followed by what is new, which a client of a server gives as JSON."""
    return [*said, *as_messages(new)]


def conversed(said: Sequence[AnyMessage], writes: Sequence[Sequence[MessageLikeRepresentation]]) -> list[AnyMessage]:
    """The reducer of a conversation of which checkpoints hold only what was added."""
    return [*said, *(message for write in writes for message in as_messages(write))]


def joined(calls: Sequence[C], writes: Sequence[Sequence[C]]) -> list[C]:
    """The reducer of calls of which checkpoints hold only what was added."""
    return [*calls, *(call for write in writes for call in write)]


def as_messages(said: Sequence[MessageLikeRepresentation]) -> list[AnyMessage]:
    """Messages, some of which may still be JSON: a server's clients write inputs, and edit states, as such."""
    return cast("list[AnyMessage]", convert_to_messages(said))


def requests_in(message: AIMessage) -> list[CallRequest]:
    """The calls of a message in order, those with broken arguments too."""
    good = [CallRequest(id=str(call["id"]), name=call["name"], arguments=call["args"]) for call in message.tool_calls]
    broken = message.invalid_tool_calls
    return good + [CallRequest(id=str(call["id"]), name=str(call["name"]), arguments=None) for call in broken]


def asked_for(requests: list[CallRequest]) -> list[tuple[str, object]]:
    """What makes two turns the same: the names and arguments of their calls, without the calls' ids."""
    return [(request["name"], request["arguments"]) for request in requests]


def answered(request: CallRequest, text: str, *, failed: bool = False) -> ToolMessage:
    """What came of a call, as the model sees it."""
    status: Literal["error", "success"] = "error" if failed else "success"
    return ToolMessage(text, tool_call_id=request["id"], status=status)
