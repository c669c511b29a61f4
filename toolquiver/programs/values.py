"""Values: what a call returned as a program has it, its parts by their paths, and a program's own as JSON has them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from toolquiver.catalog import JsonSchema
from toolquiver.catalog.records import without_null
from toolquiver.json_texts import parsed

_PATHS = 30  # values of a result that are offered by their paths


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
    """A value of a program as JSON has it: dates as ISO texts, tuples and sets as lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
