"""The single values inside a value, each with what its schema says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolquiver.catalog import JsonSchema, Parameter
from toolquiver.catalog.outputs import CHOICES, resolved

_NOTHING = object()


class Leaf(NamedTuple):
    """A value without parts, the name it stands under, and the schemas that it may be of."""

    value: Any
    name: str
    schemas: list[JsonSchema]

    def options(self) -> list[Any]:
        """What the schemas list, one of which it is to be."""
        listed = [option for schema in self.schemas for option in schema.get("enum") or ()]
        return [*listed, *(schema["const"] for schema in self.schemas if "const" in schema)]

    def is_default(self) -> bool:
        """Whether it is what is meant where nothing is given."""
        return any(self.value == schema.get("default", _NOTHING) for schema in self.schemas)

    def is_listed(self) -> bool:
        """Whether the schemas have the very value, as an option or as what is meant where nothing is given."""
        return self.is_default() or self.value in self.options()

    def may_be_nothing(self) -> bool:
        """Whether the schemas say that it may be null."""
        kinds = (schema.get("type") for schema in self.schemas)
        return any("null" in kind if isinstance(kind, list) else kind == "null" for kind in kinds)


def leaves(value: Any, parameter: Parameter) -> list[Leaf]:
    """The single values of an argument; none in an empty list or object."""
    root = parameter.whole_schema
    return [*_leaves(value, parameter.name, [root], root)]


def _leaves(value: Any, name: str, schemas: Sequence[JsonSchema], root: JsonSchema) -> Iterator[Leaf]:
    whole = _ways(schemas, root)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, key, [part for way in whole for part in _property(way, key)], root)
    elif isinstance(value, list):
        items = [way["items"] for way in whole if isinstance(way.get("items"), dict)]
        for inner in value:
            yield from _leaves(inner, name, items, root)
    else:
        yield Leaf(value, name, whole)


def _ways(schemas: Sequence[JsonSchema], root: JsonSchema) -> list[JsonSchema]:
    """The schemas that these refer to, are a choice of, or are made of, each once: a schema may hold itself."""
    found, left = dict[int, JsonSchema](), [*schemas]
    while left:
        one = resolved(left.pop(), root)
        if id(one) not in found:
            found[id(one)] = one
            left += [part for key in CHOICES for part in one.get(key) or () if isinstance(part, dict)]
    return [*found.values()]


def _property(schema: JsonSchema, name: str) -> list[JsonSchema]:
    members = schema.get("properties")
    member = members.get(name) if isinstance(members, dict) else None
    found = schema.get("additionalProperties") if member is None else member
    return [found] if isinstance(found, dict) else []
