"""The members of an object, where a schema is plainly one: its properties, and those that it cannot do without."""

from __future__ import annotations

from typing import NamedTuple

from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.records import JsonSchema

_DEEPEST = 20  # `allOf` inside of `allOf`; an object may hold itself there


class Members(NamedTuple):
    """The schemas of the members by name, and the names of the required ones.

    `open`: the document says that there may be more, of any name and value. Saying nothing says so too in JSON Schema,
    but few mean it.
    """

    properties: dict[str, JsonSchema]
    required: list[str]
    open: bool = False


def members(schema: JsonSchema, library: Library) -> Members | None:
    """The members of an object with named properties, with those of all its `allOf`; None when it is not plainly one.

    An object with a choice of different members, or with members of any name that have a schema, is not.
    """
    schema = library.resolved(schema)
    found = _members(schema, library, 0, {}) if "properties" in schema or "allOf" in schema else None
    return found and found._replace(required=[name for name in found.required if name in found.properties])


def _members(schema: JsonSchema, library: Library, depth: int, known: dict[int, Members]) -> Members | None:
    """`known` are those of the parts that were read, by identity: each `allOf` may name the same part many times."""
    schema = library.resolved(schema)
    if depth > _DEEPEST or not _is_object(schema) or _is_choice(schema, library):
        return None
    properties, required = dict[str, JsonSchema](), list[str]()
    more = schema.get("additionalProperties")
    is_open = more in (True, {})
    for part in schema.get("allOf", ()):
        inherited = known.get(id(part))
        if inherited is None:
            inherited = _members(part, library, depth + 1, known) if isinstance(part, dict) else None
        if inherited is None:
            return None
        known[id(part)] = inherited
        properties |= inherited.properties
        required += inherited.required
        is_open |= inherited.open and more is not False
    for name, member in schema.get("properties", {}).items():
        properties[name] = member if isinstance(member, dict) else {}
    required += schema.get("required", ())
    return Members(properties, list(dict.fromkeys(required)), is_open)


def _is_object(schema: JsonSchema) -> bool:
    """Whether it names members, or is no more than a remark on others in an `allOf`."""
    names = not schema.keys().isdisjoint({"properties", "allOf", "required"}) or schema.keys() <= {"description"}
    others = schema.get("additionalProperties", False)
    return schema.get("type", "object") in ("object", ["object", "null"]) and names and others in (False, True, {})


def _is_choice(schema: JsonSchema, library: Library) -> bool:
    """Whether its alternatives differ in more than in what they require."""
    alternatives = [part for key in ("anyOf", "oneOf") for part in schema.get(key, ())]
    return any(
        not isinstance(part, dict) or library.resolved(part).keys() - {"required", "title", "description", "type"}
        for part in alternatives
    )
