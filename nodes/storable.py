"""Whole numbers that no checkpoint can hold: they stand in the state as texts of digits, and are read back for a call.

LangGraph's checkpoints are msgpack, whose integers have 64 bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.types import Overwrite

from toolquiver.calling import problems
from toolquiver.catalog import API

_LEAST, _MOST = -(2**63), 2**64 - 1
_DIGITS = re.compile(r"-?[1-9][0-9]{18,3999}")


def storable(value: Any) -> Any:
    """What a node writes, with a text of its digits in place of each integer beyond 64 bits."""
    return _replaced(value, lambda part: str(part) if _is_beyond(part) else part) if _any(_is_beyond, value) else value


def read_back(api: API, arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as they were before `storable`: with integers where a text of digits does not fit the schema."""
    if not _any(_is_text_of_one, arguments):
        return arguments
    for name, value in arguments.items():
        read = arguments | {name: _replaced(value, lambda part: int(part) if _is_text_of_one(part) else part)}
        wrong = problems(api, arguments)
        if wrong and len(problems(api, read)) < len(wrong):
            arguments = read
    return arguments


def _is_beyond(value: Any) -> bool:
    return isinstance(value, int) and not _LEAST <= value <= _MOST


def _is_text_of_one(value: Any) -> bool:
    return isinstance(value, str) and _DIGITS.fullmatch(value) is not None and _is_beyond(int(value))


def _any(holds: Callable[[Any], bool], value: Any) -> bool:
    """Whether it holds of anything within; most updates have nothing of the kind, so nothing is copied here."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            left += part.values()
        elif isinstance(part, list | tuple):
            left += part
        elif isinstance(part, Overwrite):
            left.append(part.value)
        elif isinstance(part, AIMessage):
            left += part.tool_calls
        elif holds(part):
            return True
    return False


def _replaced(value: Any, new: Callable[[Any], Any]) -> Any:
    """The same with what `new` gives in place of each single value."""
    if isinstance(value, dict):
        return {name: _replaced(part, new) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(part, new) for part in value]
    if isinstance(value, Overwrite):
        return Overwrite(_replaced(value.value, new))
    if isinstance(value, AIMessage):
        return value.model_copy(update={"tool_calls": _replaced(value.tool_calls, new)})
    return new(value)
