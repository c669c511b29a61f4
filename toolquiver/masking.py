"""Secrets out of what is written down: an agent of others may repeat its key in an error."""

from __future__ import annotations

import json
import os
import re
from typing import Any

_SECRET = re.compile(r"(?i)(key|token|secret|passw(or)?d|credential)")
_OF_OTHERS = frozenset({"arguments", "trace"})  # fields in which models and tools say what things are called
_SHORTEST = 8  # a shorter value may stand in ordinary words
MASK = "[hidden]"


def masked(text: str) -> str:
    """`text` without the values of environment variables whose names say that they are secret, plain or in JSON."""
    return _without(_secrets(), text)


def masked_values(data: Any) -> Any:
    """JSON data whose texts are `masked`; numbers and our own fields' names stay, so that it keeps its shape."""
    return _values_without(_secrets(), data)


def _secrets() -> list[str]:
    """The longest first: it may begin with another."""
    found = [value for name, value in os.environ.items() if _SECRET.search(name) and len(value) >= _SHORTEST]
    return sorted(found, key=len, reverse=True)


def _without(secrets: list[str], text: str) -> str:
    for secret in secrets:
        text = text.replace(json.dumps(secret, ensure_ascii=False)[1:-1], MASK).replace(secret, MASK)
    return text


def _values_without(secrets: list[str], data: Any, *, names: bool = False) -> Any:
    if isinstance(data, dict):
        return {
            _without(secrets, name) if names else name: _values_without(
                secrets, value, names=names or name in _OF_OTHERS
            )
            for name, value in data.items()
        }
    if isinstance(data, list):
        return [_values_without(secrets, value, names=names) for value in data]
    return _without(secrets, data) if isinstance(data, str) else data
