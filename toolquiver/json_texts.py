"""JSON that others wrote: it may not be JSON at all, or be nested deeper than what goes through it can follow."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

_DEEPEST = 200  # what goes through data calls itself at each level, and Python lets it do so about 1,000 times


def parsed(text: str | bytes) -> Any:
    """The data that a JSON text holds.

    Raises:
        ValueError: it is no JSON, or has more than 200 levels.
    """
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if _is_deep(data):
        raise ValueError("it is nested too deeply")
    return data


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value of JSON is a number; true and false are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_deep(data: Any) -> bool:
    level = [data]
    for _ in range(_DEEPEST + 1):
        if not level:
            return False
        level = [part for one in level for part in _parts(one)]
    return True


def _parts(data: Any) -> list[Any]:
    found = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    return [part for part in found if isinstance(part, dict | list)]
