"""The single values inside a value, each with what its schema says of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolquiver.catalog import JsonSchema, Parameter
from toolquiver.catalog.outputs import resolved

_CHOICES = ("anyOf", "oneOf", "allOf")
_DEEPEST = 8  # choices within choices
_NOTHING = object()


class Leaf(NamedTuple):
    """A value without parts, the name it stands under, and the schemas that it may be of."""

    value: Any
    name: str
    schemas: list[JsonSchema]

    def options(self) -> list[Any]:
        """What the schemas list, one of which it is to be."""
        listed = [option for schema in self.schemas for option in schema.get("enum", ())]
        return [*listed, *(schema["const"] for schema in self.schemas if "const" in schema)]

    def is_default(self) -> bool:
        """Whether it is what is meant where nothing is given."""
        return any(self.value == schema.get("default", _NOTHING) for schema in self.schemas)

    def may_be_nothing(self) -> bool:
        """Whether the schemas say that it may be null."""
        kinds = (schema.get("type") for schema in self.schemas)
        return any("null" in kind if isinstance(kind, list) else kind == "null" for kind in kinds)


def leaves(value: Any, parameter: Parameter) -> list[Leaf]:
    """The single values of an argument; none in an empty list or object."""
    root = parameter.whole_schema
    return [*_leaves(value, parameter.name, [root], root)]


def _leaves(value: Any, name: str, schemas: list[JsonSchema], root: JsonSchema) -> Iterator[Leaf]:
    whole = [way for schema in schemas for way in _ways(schema, root)]
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, key, [part for way in whole for part in _property(way, key)], root)
    elif isinstance(value, list):
        items = [way["items"] for way in whole if isinstance(way.get("items"), dict)]
        for inner in value:
            yield from _leaves(inner, name, items, root)
    else:
        yield Leaf(value, name, whole)


def _ways(schema: JsonSchema, root: JsonSchema, depth: int = 0) -> Iterator[JsonSchema]:
    """The schema that is referred to, and those that it is a choice of or made of."""
    found = resolved(schema, root)
    yield found
    for part in (part for key in _CHOICES for part in found.get(key, ()) if isinstance(part, dict)):
        if depth < _DEEPEST:
            yield from _ways(part, root, depth + 1)


def _property(schema: JsonSchema, name: str) -> list[JsonSchema]:
    members = schema.get("properties")
    member = members.get(name) if isinstance(members, dict) else None
    found = schema.get("additionalProperties") if member is None else member
    return [found] if isinstance(found, dict) else []
