"""JSON Schemas of tools, with what they refer to written out."""

from __future__ import annotations

from typing import Any

from toolquiver.catalog.openapi.keywords import LIMITS
from toolquiver.catalog.openapi.library import LOCAL, as_object, free_name
from toolquiver.catalog.openapi.nodes import Documents, Node
from toolquiver.catalog.openapi.resources import Path
from toolquiver.catalog.openapi.standalone import standalone
from toolquiver.catalog.records import JsonSchema

_ITSELF = "schema:"  # a URI from which no reference leads to a file or an address
_PLACES = frozenset("$anchor $defs $dynamicAnchor $dynamicRef $id $ref definitions".split())
_NAMED = frozenset({"dependentSchemas", "patternProperties", "properties"})
_VALUES = frozenset({"const", "default", "enum", "example", "examples"})  # values, no schemas


def written_out(schema: JsonSchema) -> JsonSchema:
    """A schema without references, so that each parameter's stands alone; tuples and limits as 2020 writes them.

    What holds itself, or is large and used more than once, stands in `$defs`, as in the schemas of OpenAPI documents.

    Raises:
        CatalogError: a reference leads nowhere, out of the schema, or in a circle.
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
        made = _modern({key: self._part(key, node.at(key)) for key in node.value if key not in _PLACES})
        return {"$ref": LOCAL + self._name(node)} | made if node.reference() else made

    def _part(self, key: str, node: Node) -> Any:
        if key in _VALUES:
            return node.value
        if key in _NAMED and isinstance(node.value, dict):
            return {name: self._written(member) for name, member in node.members()}
        return self._written(node)

    def _name(self, reference: Node) -> str:
        reference.follow()  # which refuses circles
        target = reference.step()
        if target.path not in self._names:
            name = self._names[target.path] = free_name(target, self._nodes)
            self._nodes[name] = target
        return self._names[target.path]


def _modern(schema: JsonSchema) -> JsonSchema:
    """The schema with its lists of items, and its limits with a `true` beside them, as JSON Schema of 2020 has them."""
    if isinstance(schema.get("items"), list):
        rest = {"items": schema["additionalItems"]} if "additionalItems" in schema else {}
        kept = {key: value for key, value in schema.items() if key not in {"items", "additionalItems"}}
        schema = kept | {"prefixItems": schema["items"]} | rest
    for limit, exclusive in LIMITS.items():
        if isinstance(is_exclusive := schema.get(exclusive), bool):
            schema = {key: value for key, value in schema.items() if key != exclusive}
            if is_exclusive and limit in schema:
                schema[exclusive] = schema.pop(limit)
    return schema
