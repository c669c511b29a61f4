"""JSON Schemas as hosted providers take them: one that they refuse would end a run with an error that names no setting.

OpenAI refuses, also where it is not strict, lists that do not say of what, or say it place by place, types that JSON
Schema does not have, and alternatives at the root. Servers that make a grammar of it (llama.cpp, also behind our local
model, vLLM) refuse what no grammar can say. At the ends of 64 bits llama.cpp takes all memory there is, and lengths of
about 2,000 end in an error. What a schema loses here is checked after the answer, by the schema as it was.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolquiver.catalog import JsonSchema

_TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}
_ALTERNATIVES = ("anyOf", "oneOf", "allOf", "not", "enum", "if", "then", "else")
_COMBINED = ("allOf", "anyOf", "oneOf")
_NAMED = ("properties", "$defs", "definitions", "patternProperties")
_UNGRAMMATICAL = {
    *("unevaluatedProperties", "unevaluatedItems", "uniqueItems", "not", "if", "then", "else", "propertyNames"),
    *("contains", "minContains", "maxContains", "dependentRequired", "dependentSchemas", "dependencies"),
}
_FORMATS = {"date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"}
_PATTERN = re.compile(r"\^(?:(?!\(\?[=!<]|\\[bBpP1-9kAzZ]).)*\$", re.DOTALL)  # whole, and without looking around
_BOUNDS = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), 2**53),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), 1_900),
}
_INNER = ("items", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "prefixItems")
_KEYWORDS = {
    *(*_ALTERNATIVES, *_COMBINED, *_NAMED, *_UNGRAMMATICAL, *_BOUNDS, *_INNER),
    *("type", "required", "title", "description", "const", "default", "examples", "format", "pattern", "$ref"),
}


def portable(schema: JsonSchema) -> JsonSchema:
    """The arguments of a function: an object without alternatives at its root, in which each part is sound.

    What the alternatives name may be given; what all parts of an `allOf` require must be.
    """
    root = sound(_resolved(schema))
    parts = {name: _parts(root, name) for name in _COMBINED}
    holding = [*(part for several in parts.values() for part in several), root]
    named = {name: inner for part in holding for name, inner in part.get("properties", {}).items()}
    needed = [name for part in [root, *parts["allOf"]] for name in part.get("required", ())]
    plain = {name: part for name, part in root.items() if name not in _ALTERNATIVES}
    required = {"required": list(dict.fromkeys(needed))} if needed else {}
    return {**plain, "type": "object", "properties": named, **required}


def of_keywords(schema: JsonSchema) -> JsonSchema:
    """The schema without what is no keyword at its root: by a `name` or `strict` there LangChain takes it for more."""
    return {name: part for name, part in schema.items() if name in _KEYWORDS}


def _parts(root: JsonSchema, name: str) -> list[JsonSchema]:
    """The schemas that a keyword of the root combines, each with what it refers to."""
    found = [part for part in root.get(name, ()) if isinstance(part, dict)]
    return [_resolved(part | {"$defs": root.get("$defs", {})}) for part in found]


def _resolved(schema: JsonSchema) -> JsonSchema:
    """The schema, or the definition of its own that it only refers to."""
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    found = schema.get("$defs", {}).get(name)
    return {**found, "$defs": schema["$defs"]} if isinstance(found, dict) else schema


def sound(schema: JsonSchema) -> JsonSchema:
    """A schema in which each list says of what it is, each type is one of JSON Schema's, and no bound is far off."""
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
    made = {name: value for name, value in made.items() if not (_is_far(name, value) or _is_beyond(name, value))}
    kinds = made.get("type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    if kinds is not None and not all(isinstance(kind, str) and kind in _TYPES for kind in listed):
        del made["type"]
    if "array" in listed or "prefixItems" in made:
        made["items"] = _of_any_place(made.pop("prefixItems", []), made.get("items"))
    return made


def _of_any_place(places: Any, rest: Any) -> JsonSchema:
    """Of what a list is, from what it has at single places and at the others: `rest` itself may be such places."""
    parts = [part for several in (places, rest) for part in (several if isinstance(several, list) else [several])]
    known = [{} if part is True else part for part in parts if part is True or isinstance(part, dict)]
    different = [part for number, part in enumerate(known) if part not in known[:number]]
    return {"anyOf": different} if different[1:] else next(iter(different), {})


def _is_far(name: str, value: Any) -> bool:
    """Whether this is a bound that a grammar cannot have."""
    most = _BOUNDS.get(name)
    return most is not None and isinstance(value, int | float) and not -most <= value <= most


def _is_beyond(name: str, value: Any) -> bool:
    """Whether no grammar is made of this, or none by all."""
    if name == "format":
        return not (isinstance(value, str) and value in _FORMATS)
    if name == "pattern":
        return not (isinstance(value, str) and _PATTERN.fullmatch(value))
    return name in _UNGRAMMATICAL or (name in {"enum", "anyOf", "oneOf"} and value == [])
