"""The values that a schema allows, as values of its type: some documents write numbers as texts, and the like."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isfinite
from typing import Any

from toolquiver.catalog.records import JsonSchema
from toolquiver.json_texts import is_number

_IS: dict[str, Callable[[Any], bool]] = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
    "null": lambda value: value is None,
    "number": lambda value: is_number(value) and (isinstance(value, int) or isfinite(value)),
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def with_fitting_values(schema: JsonSchema) -> JsonSchema:
    """The schema with an `enum` that its type allows: those of a list's members stand at the members.

    What can be no value of the type is left out, and an `enum` of nothing else too: no call could be made.
    """
    values, kinds = schema.get("enum"), _kinds(schema)
    if values is None or not kinds:
        return schema
    fitting = [one for value in values for one in _fitting(value, kinds)]
    if fitting == values or any(value is not None for value in fitting):
        return schema | {"enum": fitting}
    rest = {key: value for key, value in schema.items() if key != "enum"}
    items = schema.get("items", {})
    if "array" in kinds and isinstance(items, dict) and "enum" not in items:
        return rest | {"items": with_fitting_values(items | {"enum": values})}
    return rest


def _kinds(schema: JsonSchema) -> list[str]:
    kind = schema.get("type", [])
    return kind if isinstance(kind, list) else [kind]


def _fitting(value: Any, kinds: list[str]) -> list[Any]:
    """The value, as one of the types; none where it can be none."""
    if value is None or any(_IS[kind](value) for kind in kinds):
        return [value]
    if isinstance(value, list | dict):
        return []
    if not isinstance(value, str):
        return [json.dumps(value)] if "string" in kinds else []
    try:
        meant = json.loads(value)
    except (ValueError, RecursionError):
        return []
    return [meant] if meant is not None and any(_IS[kind](meant) for kind in kinds) else []
