"""The part of a long conversation that fits into a model's sight."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

_LEFT_OUT = "(Left out here, because it is long ago. Call again to see it.)"
_TURNS_LEFT_OUT = "(Earlier turns are left out here. What they put into the pool is still there.)"
_PROMPT = 2  # messages that a conversation begins with, which are never left out


def shown(
    messages: Sequence[AnyMessage],
    window: int,
    *,
    begins: int = _PROMPT,
    result: str = _LEFT_OUT,
    turns: str = _TURNS_LEFT_OUT,
) -> list[AnyMessage]:
    """The conversation in at most about `window` characters after what it `begins` with, the newest parts first.

    The results of earlier calls are left out first, each with a word on it (`result`), then the turns themselves, with
    a word on them (`turns`); a call always stands with its results, the newest turn whole, and what the agent was told
    in between stays, such as why its pool did not suffice.
    """
    rest = list(messages[begins:])
    length = sum(map(_length, rest))
    newest = max((place for place, message in enumerate(rest) if isinstance(message, AIMessage)), default=len(rest))
    for place, message in enumerate(rest[:newest]):
        if length <= window:
            break
        if isinstance(message, ToolMessage) and len(message.text) > len(result):
            rest[place] = ToolMessage(result, tool_call_id=message.tool_call_id, status=message.status)
            length += _length(rest[place]) - _length(message)
    starts = [place for place, message in enumerate(rest) if isinstance(message, AIMessage)]
    start = 0
    for turn in starts[1:]:
        if length <= window:
            break
        length -= sum(map(_length, rest[start:turn]))
        start = turn
    told = {message.text: message for message in rest[:start] if isinstance(message, HumanMessage)}
    note = [HumanMessage(turns)] if start else []
    return [*messages[:begins], *note, *told.values(), *rest[start:]]


def _length(message: AnyMessage) -> int:
    return len(message.text) + len(str(getattr(message, "tool_calls", "")))
