"""Credentials that lie deeper in a body than its top: taken out of what is shown, with the way to each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from toolquiver.catalog.openapi.arguments import Part
from toolquiver.catalog.openapi.keys import IN_BODY, Sorted, is_secret
from toolquiver.catalog.openapi.keywords import VALUES
from toolquiver.catalog.openapi.library import LOCAL, Library
from toolquiver.catalog.openapi.security import Schemes
from toolquiver.catalog.operation import Credential
from toolquiver.catalog.outputs import ITEM, path_text
from toolquiver.catalog.records import JsonSchema

_DEEPEST = 4  # members that lead to one that can be sent; deeper ones are hidden all the same
_MOST = 32  # ways out of one schema
_CHOICES = ("anyOf", "oneOf")


class Way(NamedTuple):
    """The members that lead to a credential, `ITEM` for each of a list, its name, and whether nothing goes without."""

    path: tuple[str, ...]
    name: str
    required: bool


class DeepKeys:
    """The credentials in the schemas of a library, each definition looked at once. `arguments` are names of none.

    `names` are those of all members that were looked at.
    """

    def __init__(self, library: Library, arguments: Collection[str]) -> None:
        self._library = library
        self._arguments = arguments
        self.names = set[str]()
        self._hidden: dict[str, JsonSchema] = {}
        self._ways: dict[tuple[str, int], list[Way]] = {}

    def __getitem__(self, name: str) -> JsonSchema:
        """A definition as it is shown."""
        if name not in self._hidden:
            self._hidden[name] = self.shown(self._library.definitions[name])
        return self._hidden[name]

    def shown(self, schema: Any) -> Any:
        """A schema, or what stands in one, without the members that are credentials; itself where it has none."""
        if isinstance(schema, list):
            parts = [self.shown(part) for part in schema]
            return schema if all(map(_is, parts, schema)) else parts
        if not isinstance(schema, dict):
            return schema
        made = {key: part if key in VALUES else self._part(key, part) for key, part in schema.items()}
        if isinstance(names := schema.get("required"), list):
            properties = schema.get("properties", {})
            made["required"] = [name for name in names if not self._secret(name, properties.get(name, {}))]
            made = made if made["required"] else {key: part for key, part in made.items() if key != "required"}
        return schema if len(made) == len(schema) and all(map(_is, made.values(), schema.values())) else made

    def _part(self, key: str, part: Any) -> Any:
        if key == "required":
            return part
        if key != "properties" or not isinstance(part, dict):
            return self.shown(part)
        members = {name: self.shown(member) for name, member in part.items() if not self._secret(name, member)}
        return part if len(members) == len(part) and all(map(_is, members.values(), part.values())) else members

    def _secret(self, name: str, schema: Any) -> bool:
        self.names.add(name)
        member = Part(name=name, location="body", schema=schema if isinstance(schema, dict) else {})
        return name not in self._arguments and is_secret(member, self._library)

    def ways(self, schema: JsonSchema, left: int = _DEEPEST) -> list[Way]:
        """The ways from a schema to its credentials, so many members deep at most."""
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return list(dict.fromkeys(self._found(schema, left)))[:_MOST]
        place = (reference, left)
        if place not in self._ways:
            self._ways[place] = []  # one that holds itself beside nothing leads nowhere
            self._ways[place] = self.ways(self._library.definitions[reference.removeprefix(LOCAL)], left)
        return self._ways[place]

    def _found(self, schema: JsonSchema, left: int) -> Iterator[Way]:
        required = schema.get("required", ())
        for name, member in schema.get("properties", {}).items():
            if self._secret(name, member):
                yield Way((), name, name in required)
            elif left and isinstance(member, dict):
                for way in self.ways(member, left - 1):
                    yield Way((name, *way.path), way.name, name in required and way.required)
        if left and isinstance(items := schema.get("items"), dict):
            yield from (Way((ITEM, *way.path), way.name, False) for way in self.ways(items, left - 1))
        for part in schema.get("allOf", ()):
            if isinstance(part, dict):
                yield from self.ways(part, left)
        for part in (part for key in _CHOICES for part in schema.get(key, ()) if isinstance(part, dict)):
            yield from (way._replace(required=False) for way in self.ways(part, left))


def without_deep_keys(parts: Iterable[Part], schemes: Schemes, deep: DeepKeys) -> Sorted:
    """The arguments without the credentials inside those of a body, and these, by the way to each: `auth.api_key`."""
    shown, keys = list[Part](), dict[str, Credential]()
    for part in parts:
        if part.location in IN_BODY:
            for way in deep.ways(part.schema):
                key = _key(part, way, schemes)
                keys.setdefault(key.key, key)
            shown.append(replace(part, schema=deep.shown(part.schema)))
        else:
            shown.append(part)
    return Sorted(shown, tuple(keys.values()))


def _key(part: Part, way: Way, schemes: Schemes) -> Credential:
    location: Any = part.location
    path = (part.name, *way.path) if part.name else way.path
    called = path_text((*path, way.name))
    return Credential(
        key=f"{location}_{called}" if called in schemes.names else called,
        kind="api_key",
        name=way.name,
        location=location,
        path=path,
        required=part.required and way.required,
    )


def _is(one: Any, other: Any) -> bool:
    return one is other
