"""The schemas of a document as JSON Schema of 2020, those that others refer to kept by name."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Any, Literal

from toolquiver.catalog.openapi.enums import with_fitting_values
from toolquiver.catalog.openapi.keywords import NAMED, ONE, SEVERAL, sound
from toolquiver.catalog.openapi.nodes import Node, truth
from toolquiver.catalog.openapi.resources import Path
from toolquiver.catalog.records import JsonSchema
from toolquiver.errors import CatalogError

Direction = Literal["request", "response"]

LOCAL = "#/$defs/"
"""How a schema refers to one that the library holds."""

_HIDDEN = {"request": "readOnly", "response": "writeOnly"}


class Library:
    """Schemas out of a document, for what is sent (`request`) or for what comes back (`response`).

    What differs between OpenAPI 2.0, 3.0, 3.1 and 3.2 is written as in 2020's JSON Schema; examples, extensions and
    keywords with values that they cannot have are left out, and so are members that the direction never has
    (`readOnly`, `writeOnly`). With `siblings` the keywords beside a reference count, as they do since 3.1.
    """

    def __init__(self, direction: Direction, *, siblings: bool) -> None:
        self.definitions: dict[str, JsonSchema] = {}
        self._hidden = _HIDDEN[direction]
        self._siblings = siblings
        self._names: dict[tuple[str, tuple[str, ...]], str] = {}
        self._taken: set[str] = set()
        self._pending: list[tuple[str, Node]] = []

    def schema(self, node: Node) -> JsonSchema:
        """The schema at a node; what it refers to stands in `definitions`, under `#/$defs/...`.

        Raises:
            CatalogError: here or below is something that is no schema, or a reference leads nowhere. What was read of
                it is forgotten.
        """
        known = len(self._names)
        try:
            found = self._schema(node)
            while self._pending:
                name, definition = self._pending.pop()
                self.definitions[name] = as_object(self._schema(definition))
        except (CatalogError, RecursionError):
            self._forget(known)
            raise
        return as_object(found)

    def _forget(self, known: int) -> None:
        """Keep only the first names: those after them may refer to what is broken."""
        self._pending.clear()
        for key in list(self._names)[known:]:
            name = self._names.pop(key)
            self._taken.discard(name)
            self.definitions.pop(name, None)

    def resolved(self, schema: JsonSchema) -> JsonSchema:
        """The schema itself, or the one in `definitions` that it only refers to."""
        while isinstance(reference := schema.get("$ref"), str):
            schema = self.definitions[reference.removeprefix(LOCAL)] | {k: schema[k] for k in schema if k != "$ref"}
        return schema

    def _schema(self, node: Node) -> JsonSchema | bool:
        if isinstance(said := truth(node.value), bool):
            return said
        if node.of(dict) is None:
            raise node.error("must be a schema, but is empty. Correct the document there.")
        if node.reference():
            return self._reference(node)
        made = with_fitting_values(dict(self._keywords(node)))
        return _nullable(made) if _may_be_null(node.value) else made

    def _reference(self, node: Node) -> JsonSchema:
        node.follow()  # which refuses circles
        target = node.step()
        key = (target.uri, target.path)
        if key not in self._names:
            self._names[key] = free_name(target, self._taken)
            self._taken.add(self._names[key])
            self._pending.append((self._names[key], target))
        reference = {"$ref": LOCAL + self._names[key]}
        beside = dict(self._keywords(node))
        if not self._siblings:
            beside = {key: beside[key] for key in ("description", "default") if key in beside}
        return _nullable(reference | beside) if _may_be_null(node.value) else reference | beside

    def _keywords(self, node: Node) -> Iterator[tuple[str, Any]]:
        for key, value in node.value.items():
            if key in ONE:
                yield from self._one(key, node.at(key))
            elif key in SEVERAL:
                # Some documents write a single schema where a list of them belongs.
                alone = isinstance(value, dict)
                if parts := [self._schema(part) for part in ([node.at(key)] if alone else node.at(key).parts())]:
                    yield key, _without(self._absent(node, set()), parts) if key == "allOf" else parts
            elif key in NAMED:
                shown = {name: one for name, one in node.at(key).members() if not self._is_hidden(one)}
                yield key, {name: self._schema(one) for name, one in shown.items()}
            elif key == "required":
                if names := self._required(node):
                    yield key, names
            else:
                yield from sound(key, value, node.value)

    def _one(self, key: str, node: Node) -> Iterator[tuple[str, Any]]:
        if node.value is None:
            return
        if key == "items" and isinstance(node.value, list):  # as JSON Schema wrote tuples before 2020
            yield "prefixItems", [self._schema(part) for part in node.parts()]
        else:
            yield key, self._schema(node)

    def _required(self, node: Node) -> list[str]:
        """The required members, without those that are not shown; some documents write `true` there instead."""
        names = node.value["required"]
        members = node.at("properties")
        if not isinstance(names, list) or not isinstance(members.value, dict | None):
            return []
        known = dict.fromkeys(name for name in names if isinstance(name, str))
        absent = self._absent(node, set()) if "allOf" in node.value else ()
        return [name for name in known if name not in absent and not self._is_hidden(members.at(name))]

    def _absent(self, node: Node, seen: set[tuple[str, Path]]) -> set[str]:
        """The members that are not shown of a schema and of all in its `allOf`, but for those that were `seen`."""
        target = node.follow()
        if (target.uri, target.path) in seen or not isinstance(target.value, dict):
            return set()
        seen.add((target.uri, target.path))
        found = {name for name, one in target.at("properties").members() if self._is_hidden(one)}
        parts = target.at("allOf")
        return found.union(
            *(self._absent(part, seen) for part in (parts.parts() if isinstance(parts.value, list) else ()))
        )

    def _is_hidden(self, node: Node) -> bool:
        value = node.follow().value if node.reference() else node.value
        return isinstance(value, dict) and value.get(self._hidden) is True


def _without(absent: Container[str], parts: list[JsonSchema | bool]) -> list[JsonSchema | bool]:
    """The parts of an `allOf`, none of which requires what is absent; what they refer to stays as it is."""
    return [_not_requiring(absent, part) if isinstance(part, dict) else part for part in parts]


def _not_requiring(absent: Container[str], part: JsonSchema) -> JsonSchema:
    made = dict(part)
    if required := [name for name in made.pop("required", ()) if name not in absent]:
        made["required"] = required
    return made | ({"allOf": _without(absent, part["allOf"])} if "allOf" in part else {})


def free_name(target: Node, taken: Container[str]) -> str:
    """What to call the schema at a node: by the end of its place, and a number where that is `taken`."""
    plain = re.sub(r"[^\w.-]+", "_", target.path[-1] if target.path else target.place.rstrip("#")) or "_"
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain}_{number}", number + 1
    return name


def as_object(schema: JsonSchema | bool) -> JsonSchema:
    """The schema, where it is `true` or `false` the same in long."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return schema


def _may_be_null(value: JsonSchema) -> bool:
    return truth(value.get("nullable")) is True or value.get("x-nullable") is True


def _nullable(schema: JsonSchema) -> JsonSchema:
    """The schema with null allowed too."""
    kind = schema.get("type")
    if kind is None:
        if not schema.keys() & {"$ref", "allOf", "anyOf", "oneOf", "enum"}:
            return schema
        annotations: JsonSchema = {key: schema[key] for key in ("title", "description", "default") if key in schema}
        rest = {key: value for key, value in schema.items() if key not in annotations}
        return {"anyOf": [rest, {"type": "null"}], **annotations}
    kinds = kind if isinstance(kind, list) else [kind]
    widened = schema | {"type": kinds if "null" in kinds else [*kinds, "null"]}
    if "enum" in schema and None not in schema["enum"]:
        widened["enum"] = [*schema["enum"], None]
    return widened
