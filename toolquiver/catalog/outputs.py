"""What an API returns, field by field: where each stands, and which kinds of value it can hold."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolquiver.catalog.records import JsonSchema, without_null

ITEM = "[]"
"""In a path: every item of a list."""

_DEEPEST, _MOST = 5, 80  # levels and fields: a schema may be as large as a page
_KINDS = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_WIDER = {
    "string": {"string", "integer", "number"},  # an id may be a number, and be asked for as a text
    "number": {"number", "integer"},
    "integer": {"integer", "number"},
}

CHOICES = ("anyOf", "oneOf", "allOf")
_WITH_PARTS = frozenset({"properties", "items", *CHOICES})

Path = tuple[str, ...]


class Field(NamedTuple):
    """A value in an output: the keys that lead to it, and its schema. The whole output has the path `()`."""

    path: Path
    schema: JsonSchema

    @property
    def name(self) -> str:
        """The last key that is a name; empty for the whole output, or the items of one that is a list."""
        return next(iter(self._names()), "")

    @property
    def holder(self) -> str:
        """The name of the object or list that it lies in, if that has one: `networks` of `networks[].id`."""
        return next(iter(self._names()[1:]), "")

    def _names(self) -> list[str]:
        return [key for key in reversed(self.path) if key != ITEM]


def path_text(path: Path) -> str:
    """A path as people write it: `items[].code`."""
    return "".join(key if key.startswith("[") else f".{key}" for key in path).removeprefix(".") or "the whole output"


def fields_of(schema: JsonSchema | None) -> list[Field]:
    """All fields of an output schema, outer ones first; none when the schema is not known."""
    if schema is None:
        return []
    found, level = list[Field](), [Field((), schema)]
    for _ in range(_DEEPEST):
        level = [Field(one.path, resolved(one.schema, schema)) if "$ref" in one.schema else one for one in level]
        found += [field for field in level if field.path or kinds(field.schema) != {"object"}]
        if len(found) >= _MOST:
            break
        level = [inner for field in level if not _WITH_PARTS.isdisjoint(field.schema) for inner in _inside(field)]
    return found[:_MOST]


def _inside(field: Field) -> list[Field]:
    path, schema = field.path, without_null(field.schema)
    members = schema.get("properties") or {}
    if not schema.keys().isdisjoint(CHOICES):
        parts = [part for key in CHOICES for part in schema.get(key) or () if isinstance(part, dict)]
        members = {name: part for whole in (schema, *parts) for name, part in (whole.get("properties") or {}).items()}
    found = [Field((*path, name), part) for name, part in members.items() if isinstance(part, dict)]
    items = schema.get("items")
    return [*found, Field((*path, ITEM), items)] if isinstance(items, dict) else found


def resolved(schema: JsonSchema, root: JsonSchema) -> JsonSchema:
    """The schema that a reference within the document leads to; `{}`, anything, where it leads nowhere."""
    for _ in range(_DEEPEST):
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        place: Any = root
        for key in reference.removeprefix("#/").split("/"):
            place = place.get(key) if isinstance(place, dict) else None
        schema = place if isinstance(place, dict) else {}
    return {}


def kinds(schema: JsonSchema) -> set[str]:
    """The types of value that a schema allows; empty when it says nothing, and anything may come."""
    if "const" in schema or "enum" in schema:
        return {_KINDS.get(type(value), "null") for value in schema.get("enum", [schema.get("const")])} - {"null"}
    kind = schema.get("type")
    if kind:
        return ({kind} if isinstance(kind, str) else set(kind)) - {"null"}
    for key in CHOICES:
        parts = [kinds(part) for part in schema.get(key) or () if isinstance(part, dict) and part.get("type") != "null"]
        if parts:
            return set().union(*parts) if all(parts) else set()
    return {"object"} if "properties" in schema else {"array"} if "items" in schema else set()


def can_hold(field: Field, wanted: JsonSchema) -> bool:
    """Whether the field's value can be one of the schema `wanted`, widened: an integer is a number, an id a text.

    The values of a field in a list can together be a list.
    """
    if _fits(field.schema, wanted):
        return True
    items = wanted.get("items")
    return (
        ITEM in field.path
        and kinds(wanted) == {"array"}
        and (not isinstance(items, dict) or _fits(field.schema, items))
    )


def can_become(field: Field, wanted: JsonSchema) -> bool:
    """Whether the field's value may be made one of the schema: a text that is a number, a thing alone in a list."""
    have, need, items = kinds(field.schema), kinds(wanted), wanted.get("items")
    if have == {"string"} and need and need <= {"integer", "number"}:
        return True
    alone = need == {"array"} and bool(have) and have.isdisjoint({"array", "object"})
    return alone and (not isinstance(items, dict) or _fits(field.schema, items))


def _fits(given: JsonSchema, wanted: JsonSchema) -> bool:
    have, need = kinds(given), kinds(wanted)
    if not have or not need or _opaque(given):
        return True
    common = have & set().union(*(_WIDER.get(kind, {kind}) for kind in need))
    inner, items = given.get("items"), wanted.get("items")
    if common == {"array"} and isinstance(inner, dict) and isinstance(items, dict):
        return _fits(inner, items)
    return bool(common)


def _opaque(schema: JsonSchema) -> bool:
    """Whether it is an object, or a list of objects, of which nothing is told: what is sought may be in there."""
    items = schema.get("items")
    inner = items if kinds(schema) == {"array"} and isinstance(items, dict) else schema
    return kinds(inner) == {"object"} and not inner.get("properties")
