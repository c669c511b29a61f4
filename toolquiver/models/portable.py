"""JSON Schemas as hosted providers take them: one that they refuse would end a run with an error that names no setting.

OpenAI refuses, also where it is not strict, lists that do not say of what, types that JSON Schema does not have, and
alternatives at the root. What a schema loses here is checked after the answer, by the schema as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolquiver.catalog import JsonSchema

_TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}
_ALTERNATIVES = ("anyOf", "oneOf", "allOf", "not", "enum", "if", "then", "else")
_NAMED = ("properties", "$defs", "definitions", "patternProperties")
_INNER = ("items", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "prefixItems")


def portable(schema: JsonSchema) -> JsonSchema:
    """The arguments of a function: an object without alternatives at its root, in which each part is sound."""
    sound = _sound(schema)
    plain = {name: part for name, part in sound.items() if name not in _ALTERNATIVES}
    return {"properties": {}} | plain | {"type": "object"}


def sound(schema: JsonSchema) -> JsonSchema:
    """A schema in which each list says of what it is, and each type is one of JSON Schema's."""
    made = _sound(schema)
    assert isinstance(made, dict)
    return made


def _sound(part: Any) -> Any:
    if isinstance(part, list):
        return [_sound(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = dict(part)
    for name in _NAMED:
        if isinstance(made.get(name), dict):
            made[name] = {key: _sound(inner) for key, inner in made[name].items()}
    for name in _INNER:
        if name in made:
            made[name] = _sound(made[name])
    kinds = made.get("type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    if kinds is not None and not all(isinstance(kind, str) and kind in _TYPES for kind in listed):
        del made["type"]
    if "array" in listed and not isinstance(made.get("items"), dict) and "prefixItems" not in made:
        made["items"] = {}
    return made
