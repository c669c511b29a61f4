"""A schema that stands alone: what it refers to is written out, or stands in its own `$defs`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol

from toolquiver.catalog.openapi.keywords import NAMED, VALUES
from toolquiver.catalog.openapi.library import LOCAL
from toolquiver.catalog.records import JsonSchema

_MOST = 20_000  # characters of definitions: more than that no model reads, and some documents have megabytes
_SMALL = 300  # characters of a definition that may be written out wherever it is used
_TOGETHER = frozenset(  # keywords that mean something else beside others of them
    "additionalProperties contains else if items maxContains minContains patternProperties prefixItems properties then"
    " unevaluatedItems unevaluatedProperties".split()
)
_ANNOTATIONS = frozenset({"title", "description", "default", "deprecated"})


class Definitions(Protocol):
    """Schemas by name."""

    def __getitem__(self, name: str, /) -> JsonSchema: ...


def standalone(schema: JsonSchema, definitions: Definitions) -> JsonSchema:
    """`schema` with its references to `definitions` written out.

    Those that hold themselves, or are used more than once and not small, stand in `$defs`; the schema's own members
    are written out in any case. Beyond a size what lies deepest is left open: it says its type and description only.
    """
    return _Writer(schema, definitions).result


class _Writer:
    def __init__(self, schema: JsonSchema, definitions: Definitions) -> None:
        self._schema = schema
        self._all = definitions
        self._known = self._nearest()

    @cached_property
    def result(self) -> JsonSchema:
        root = self._surface(self._schema)
        if isinstance(root.get("items"), dict):
            root = root | {"items": self._surface(root["items"])}
        if isinstance(root.get("properties"), dict):
            root = root | {"properties": {name: self._surface(member) for name, member in root["properties"].items()}}
        written: JsonSchema = self._write(root)
        kept = {name: self._write(self._known[name]) for name in sorted(self._used(written))}
        return written | {"$defs": kept} if kept else written

    def _surface(self, schema: Any) -> Any:
        """A schema that begins with no reference, so that its type and description can be seen."""
        while isinstance(schema, dict) and (name := _name(schema)):
            schema = _joined(self._known[name], schema)
        return schema

    def _nearest(self) -> dict[str, JsonSchema]:
        """The definitions that are used, the nearest first; once they are too large, only what remains of each."""
        known: dict[str, JsonSchema] = {}
        size, queue = 0, list(_references(self._schema))
        for name in queue:  # which grows
            if name in known:
                continue
            definition = self._all[name]
            size += len(json.dumps(definition))
            if size > _MOST:
                definition = {key: definition[key] for key in ("type", "title", "description") if key in definition}
            known[name] = definition
            queue.extend(_references(definition))
        return known

    @cached_property
    def _kept(self) -> set[str]:
        """The definitions that are not written out where they are used."""
        uses = Counter(_references(self._schema))
        for definition in self._known.values():
            uses.update(_references(definition))
        large = {name for name, count in uses.items() if count > 1 and not _is_small(self._known[name])}
        return large | set(self._circular())

    def _circular(self) -> Iterator[str]:
        """At least one definition of each circle."""
        done, open_ = set[str](), set[str]()
        for first in self._known:
            stack = [(first, iter(_references(self._known[first])))] if first not in done else []
            open_.update(name for name, _ in stack)
            while stack:
                name, references = stack[-1]
                following = next(references, None)
                if following is None:
                    stack.pop()
                    open_.discard(name)
                    done.add(name)
                elif following in open_:
                    yield following
                elif following not in done:
                    open_.add(following)
                    stack.append((following, iter(_references(self._known[following]))))

    def _write(self, value: Any, *, named: bool = False) -> Any:
        if isinstance(value, list):
            return [self._write(part) for part in value]
        if not isinstance(value, dict):
            return value
        if (name := _name(value)) and name not in self._kept:
            return self._write(_joined(self._known[name], value))
        return value | {key: self._write(part, named=names) for key, part, names in _inside(value, named=named)}

    def _used(self, written: JsonSchema) -> set[str]:
        used, queue = set[str](), list(_references(written))
        for name in queue:  # which grows
            if name not in used:
                used.add(name)
                queue.extend(_references(self._write(self._known[name])))
        return used


def _name(schema: JsonSchema) -> str:
    reference = schema.get("$ref")
    return reference.removeprefix(LOCAL) if isinstance(reference, str) and reference.startswith(LOCAL) else ""


def _joined(definition: JsonSchema, reference: JsonSchema) -> JsonSchema:
    """What a reference leads to, with the keywords that stand beside the reference."""
    beside = {key: value for key, value in reference.items() if key != "$ref"}
    said_twice = (beside.keys() & definition.keys()) - _ANNOTATIONS
    if said_twice or not beside.keys().isdisjoint(_TOGETHER):
        return {"allOf": [definition, beside]}
    return definition | beside


def _references(value: Any, *, named: bool = False) -> Iterator[str]:
    """The names of the definitions that a schema, or schemas `named` by the keys, refer to, one for each time."""
    if isinstance(value, dict):
        if name := _name(value):
            yield name
        for _, part, names in _inside(value, named=named):
            yield from _references(part, named=names)
    elif isinstance(value, list):
        for part in value:
            yield from _references(part)


def _inside(value: JsonSchema, *, named: bool) -> Iterator[tuple[str, Any, bool]]:
    """What schemas lie in, and whether their names are its keys: all but the values of a schema, such as its default.

    Of schemas that are `named` by the keys of `value` it is each.
    """
    return ((key, part, not named and key in NAMED) for key, part in value.items() if named or key not in VALUES)


def _is_small(definition: JsonSchema) -> bool:
    return not any(_references(definition)) and len(json.dumps(definition)) <= _SMALL
