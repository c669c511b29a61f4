"""The schema of an example's arguments, as a request can hold it: names, types and what is demanded of them."""

from __future__ import annotations

import json
from typing import Any

from toolquiver.calling.arguments import closed
from toolquiver.catalog import API, JsonSchema

_OPTIONAL = 2  # optional parameters that an example may have: a guideline is short
_LONGEST = 8_000  # characters; few APIs have more, and one of them could fill a context
_TOLD = ("title", "description", "example", "examples", "$comment", "externalDocs")
_NAMED = ("properties", "patternProperties")


def arguments_schema(api: API) -> JsonSchema:
    """The API's schema with a few of its optional parameters, and without words: the documentation has those.

    Of one that is very long only a few optional parameters are kept at every depth; if that is not enough, what the
    parameters hold is left open, and the check against the API's own schema finds what does not fit.
    """
    whole = closed(api.parameters)
    if "$ref" in str(whole):  # a part of a schema cannot refer to its own definitions
        return {"type": "object"}
    optional = [one.name for one in api.parameter_list() if not one.required]
    found: JsonSchema = _bare(_with_few(whole, optional[:_OPTIONAL]))
    if _long(found):
        found = _few_at_every_depth(found)
    if _long(found):
        found = found | {"properties": {name: _open(one) for name, one in found.get("properties", {}).items()}}
    return found


def _long(schema: JsonSchema) -> bool:
    return len(json.dumps(schema)) > _LONGEST


def _with_few(schema: JsonSchema, optional: list[str]) -> JsonSchema:
    shown = {*schema.get("required", ()), *optional}
    return schema | {"properties": {name: one for name, one in schema.get("properties", {}).items() if name in shown}}


def _bare(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_bare(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: one for key, one in schema.items() if key not in _TOLD}
    named = {key: {name: _bare(one) for name, one in found[key].items()} for key in _NAMED if key in found}
    said = {key: found[key] for key in ("enum", "const", "default") if key in found}
    return {key: _bare(one) for key, one in found.items() if key not in named} | named | said


def _few_at_every_depth(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_few_at_every_depth(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(properties := schema.get("properties"), dict):
        required = schema.get("required", ())
        schema = _with_few(schema, [name for name in properties if name not in required][:_OPTIONAL])
        inner = {name: _few_at_every_depth(one) for name, one in schema["properties"].items()}
        return schema | {"properties": inner}
    return {key: _few_at_every_depth(one) for key, one in schema.items()}


def _open(schema: Any) -> JsonSchema:
    kind = schema.get("type") if isinstance(schema, dict) else None
    return {"type": kind} if kind else {}
