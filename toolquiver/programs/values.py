"""Values: what a call returned as a program has it, its parts by their paths, and a program's own as JSON has them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from toolquiver.catalog import JsonSchema
from toolquiver.catalog.records import without_null
from toolquiver.json_texts import parsed

_PATHS = 30  # values of a result that are offered by their paths
# How the sandbox hands over what has no value outside of it: as texts that begin so.
_COROUTINE = "<coroutine "
_OF_PYTHON = ("<function '", "<class '", "<module '")
_NO_JSON = "{value} cannot stand here: it is no text, number, list or dict."


def value_of(text: str, output: JsonSchema | None = None) -> Any:
    """What a call returned as a program has it: parsed where it is JSON; a text where its API returns a text."""
    if output and without_null(output).get("type") == "string" and not text.startswith('"'):
        return text
    try:
        return parsed(text)
    except (ValueError, RecursionError):
        return text


def values_in(result: Any, path: str = "result") -> list[tuple[str, Any]]:
    """Every value in a result with its path, such as `result["places"][0]["id"]`, up to a limit."""
    found: list[tuple[str, Any]] = []
    for one in _walk(result, path):
        if len(found) == _PATHS:
            break
        found.append(one)
    return found


def _walk(result: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, result
    if isinstance(result, dict):
        for key, value in result.items():
            yield from _walk(value, f"{path}[{json.dumps(key, ensure_ascii=False)}]")
    elif isinstance(result, list):
        for place, value in enumerate(result):
            yield from _walk(value, f"{path}[{place}]")


def plain(value: Any) -> Any:
    """A value of a program as JSON has it: dates as ISO texts, tuples and sets as lists, decimals and times as texts.

    Raises:
        TypeError: JSON has no such value.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset | range | deque):
        return [plain(part) for part in value]
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Decimal | timedelta):
        return str(value)
    if isinstance(value, str) and value.startswith(_COROUTINE):
        raise TypeError(f"{value} is no value yet. Await it first.")
    if isinstance(value, float) and not isfinite(value):
        raise TypeError(_NO_JSON.format(value=value))
    if value is None or (isinstance(value, str | int | float) and not str(value).startswith(_OF_PYTHON)):
        return value
    raise TypeError(_NO_JSON.format(value="UNKNOWN" if value is ... else value))
