"""JSON Schemas of tools, with what they refer to written out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolquiver.catalog.openapi.keywords import NAMED, ONE, PLAIN, SEVERAL, VALUES, sound
from toolquiver.catalog.openapi.library import LOCAL, as_object, free_name
from toolquiver.catalog.openapi.nodes import Documents, Node
from toolquiver.catalog.openapi.resources import Path
from toolquiver.catalog.openapi.standalone import standalone
from toolquiver.catalog.records import JsonSchema

_ITSELF = "schema:"  # a URI from which no reference leads to a file or an address
_PLACES = frozenset("$anchor $defs $dynamicAnchor $dynamicRef $id $ref definitions".split())
_AS_THEY_ARE = VALUES - {"enum"}  # a default may be null here
_ONE = ONE | {"additionalItems"}


def written_out(schema: JsonSchema) -> JsonSchema:
    """A schema without references, so that each parameter's stands alone; tuples and limits as 2020 writes them.

    Keywords with values that they cannot have are left out.
    What holds itself, or is large and used more than once, stands in `$defs`, as in the schemas of OpenAPI documents.

    Raises:
        CatalogError: a reference leads nowhere, out of the schema, or in a circle, or properties have no names.
    """
    definitions = _Definitions()
    return standalone(definitions.schema(Documents(_ITSELF, schema).root()), definitions)


class _Definitions:
    """What a schema refers to, by the names that they get in `$defs`."""

    def __init__(self) -> None:
        self._names: dict[Path, str] = {}
        self._nodes: dict[str, Node] = {}

    def __getitem__(self, name: str) -> JsonSchema:
        return self.schema(self._nodes[name])

    def schema(self, node: Node) -> JsonSchema:
        """The schema at a node; what it refers to goes by its name here."""
        if not isinstance(node.value, dict | bool):
            raise node.error("is no schema. Correct it there.")
        return as_object(self._written(node))

    def _written(self, node: Node) -> Any:
        if isinstance(node.value, list):
            return [self._written(part) for part in node.parts()]
        if not isinstance(node.value, dict):
            return node.value
        made = _modern(dict(self._keywords(node)))
        return {"$ref": LOCAL + self._name(node)} | made if node.reference() else made

    def _keywords(self, node: Node) -> Iterator[tuple[str, Any]]:
        for key, value in node.value.items():
            if key in _AS_THEY_ARE or (key == "pattern" and isinstance(value, str)):  # it may be one of JavaScript
                yield key, value
            elif key in PLAIN:
                yield from sound(key, value, node.value)
            elif key == "required":
                if isinstance(value, list):
                    yield key, [name for name in value if isinstance(name, str)]
            elif key not in _PLACES:
                yield from self._holding(key, node.at(key))

    def _holding(self, key: str, node: Node) -> Iterator[tuple[str, Any]]:
        """A keyword that holds schemas, or is not known; one schema among others that is none says nothing."""
        if key in NAMED:
            yield key, {name: self._schema(member) for name, member in node.members()}
        elif key in SEVERAL or (key == "items" and isinstance(node.value, list)):
            if isinstance(node.value, list) and node.value:
                yield key, [self._schema(part) for part in node.parts()]
        elif key not in _ONE or isinstance(node.value, dict | bool):
            yield key, self._written(node)

    def _schema(self, node: Node) -> Any:
        return self._written(node) if isinstance(node.value, dict | bool) else {}

    def _name(self, reference: Node) -> str:
        reference.follow()  # which refuses circles
        target = reference.step()
        if target.path not in self._names:
            name = self._names[target.path] = free_name(target, self._nodes)
            self._nodes[name] = target
        return self._names[target.path]


def _modern(schema: JsonSchema) -> JsonSchema:
    """The schema with its lists of items as JSON Schema of 2020 has them."""
    if isinstance(schema.get("items"), list):
        rest = {"items": schema["additionalItems"]} if "additionalItems" in schema else {}
        kept = {key: value for key, value in schema.items() if key not in {"items", "additionalItems"}}
        return kept | {"prefixItems": schema["items"]} | rest
    return schema
