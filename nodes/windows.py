"""The part of a long conversation that fits into a model's sight."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

_LEFT_OUT = "(Left out here, because it is long ago. Call again to see it.)"
_PROMPT = 2  # messages that a conversation begins with, which are never left out


def shown(messages: Sequence[AnyMessage], window: int) -> list[AnyMessage]:
    """The conversation in at most about `window` characters behind the prompt, the newest parts first.

    The results of earlier calls are left out first, each with a word on it, then the turns themselves; a call always
    stands with its results.
    """
    rest = list(messages[_PROMPT:])
    for place, message in enumerate(rest):
        if _length(rest) <= window:
            break
        if isinstance(message, ToolMessage) and place < len(rest) - 1 and len(message.text) > len(_LEFT_OUT):
            rest[place] = ToolMessage(_LEFT_OUT, tool_call_id=message.tool_call_id)
    while _length(rest) > window and (turn := _second_turn(rest)):
        rest = rest[turn:]
    return [*messages[:_PROMPT], *rest]


def _second_turn(messages: Sequence[AnyMessage]) -> int:
    """Where the second turn of these begins; 0 where there is none."""
    turns = [place for place, message in enumerate(messages) if isinstance(message, AIMessage)]
    return turns[1] if len(turns) > 1 else 0


def _length(messages: Sequence[AnyMessage]) -> int:
    return sum(len(message.text) + len(str(getattr(message, "tool_calls", ""))) for message in messages)
