"""What ToolBench says of responses: a sketch (`{"id": "int"}`) or a JSON Schema, as JSON Schema."""

from __future__ import annotations

import json
import re
from typing import Any

from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.nodes import Documents, Node
from toolquiver.catalog.records import JsonSchema
from toolquiver.errors import CatalogError

_WORDS = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "nonetype": {"type": "null"},
    "empty list": {"type": "array"},
    "empty dict": {"type": "object"},
}
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_REFERENCE = '"$ref"'
_LENGTH = "_list_length"  # a remark of the sketch, no member
_LIST = re.compile(r"list of (\w+) with length \d+\Z")


def output_schema(found: Any) -> JsonSchema | None:
    """The schema of a response; None where nothing usable is said."""
    if not isinstance(found, dict | list) or not found:
        return None
    if not _is_schema(found):
        return _sketched(found)
    if _REFERENCE in json.dumps(found):
        return None
    try:
        return Library("response", siblings=True).schema(Node(found, "", (), Documents("")))
    except CatalogError:
        return None


def _is_schema(found: Any) -> bool:
    if not isinstance(found, dict):
        return False
    kind = found.get("type")
    return "$schema" in found or (isinstance(kind, str) and kind in _TYPES)


def _sketched(value: Any) -> JsonSchema:
    if isinstance(value, dict):
        members = {str(key): _sketched(part) for key, part in value.items() if key != _LENGTH}
        return {"type": "object", "properties": members}
    if isinstance(value, list):
        return {"type": "array"} | ({"items": _sketched(value[0])} if value else {})
    word = str(value).lower()
    if listed := _LIST.match(word):
        return {"type": "array", "items": dict(_WORDS.get(listed[1], {}))}
    return dict(_WORDS.get(word, {}))
