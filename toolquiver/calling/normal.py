"""Arguments in one form: two calls that ask the same of an API have the same text.

- The order of names does not count, nor do blanks around a text, nor whether a number is written 1 or 1.0.
- What is None says nothing, and neither does a parameter's default: both are left out.
- A text is read as a number or as true or false only where the API's schema allows nothing else, and a number, or true
  or false, as text only where the schema allows nothing but text.

Nothing else is taken for the same: neither upper and lower case, nor 007 and 7 where the schema says text.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic_core import to_jsonable_python

from toolquiver.catalog.records import API, JsonSchema

_NUMBER = re.compile(r"-?\d{1,300}(\.\d{1,300})?([eE][+-]?\d{1,3})?", re.ASCII)
_NUMERIC = ({"number"}, {"integer"}, {"number", "integer"})
_NULL = {"type": "null"}


def normalised(api: API, arguments: dict[str, Any]) -> str:
    """The arguments of a call of this API as canonical JSON; itself normalised, it stays as it is."""
    return _canonical(_normal(json.loads(json.dumps(arguments, default=_plain)), api.parameters))


def _normal(value: Any, schema: Any) -> Any:
    schema = _of_values(schema)
    if isinstance(value, dict):
        return _object(value, schema)
    if isinstance(value, list):
        return [_normal(part, schema.get("items")) for part in value]
    if value is None:
        return None
    if isinstance(value, str):
        return _text(value.strip(), _kinds(schema))
    if _kinds(schema) == {"string"}:
        return json.dumps(value)
    return _number(value) if isinstance(value, float) else value


def _object(value: dict[str, Any], schema: JsonSchema) -> dict[str, Any]:
    """The object without what says nothing."""
    properties = schema.get("properties")
    stated = properties if isinstance(properties, dict) else {}
    kept = {}
    for name, part in value.items():
        normal = _normal(part, stated.get(name))
        if normal is not None and not _is_default(normal, stated.get(name)):
            kept[name] = normal
    return kept


def _is_default(normal: Any, schema: Any) -> bool:
    if not isinstance(schema, dict) or "default" not in schema:
        return False
    # As texts, because Python holds True for 1.
    return _canonical(normal) == _canonical(_normal(schema["default"], schema))


def _text(text: str, kinds: set[str]) -> Any:
    if kinds in _NUMERIC and _NUMBER.fullmatch(text):
        number = _number(float(text)) if set(text) & set(".eE") else int(text)
        return text if number in (float("inf"), float("-inf")) else number
    if kinds == {"boolean"} and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    return text


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() else value


def _of_values(schema: Any) -> JsonSchema:
    """The schema of a value that is there: of "X or null" that of X; {} where nothing is said."""
    if not isinstance(schema, dict):
        return {}
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            others = [part for part in schema[key] if part != _NULL]
            return _of_values(others[0]) if len(others) == 1 else {}
    return schema


def _kinds(schema: JsonSchema) -> set[str]:
    """The types that the schema allows, null aside; empty when it does not say."""
    stated = schema.get("type", [])
    kinds = [stated] if isinstance(stated, str) else stated
    return {kind for kind in kinds if isinstance(kind, str)} - {"null"} if isinstance(kinds, list) else set()


def _plain(value: Any) -> Any:
    """What JSON cannot write, such as the dates that Python users pass, as what it can."""
    return to_jsonable_python(value, fallback=str)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
