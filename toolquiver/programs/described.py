"""Functions as a prompt shows them: signatures with types in Python's words, and what they are for."""

from __future__ import annotations

import json

from toolquiver.catalog import JsonSchema
from toolquiver.catalog.records import without_null
from toolquiver.catalog.text import shortened
from toolquiver.programs.functions import Function

_OPTIONS = 12  # of an enumeration
_FIELDS = 12  # of an object
_DEPTH = 2  # of objects
_DESCRIPTION, _PARAMETER = 400, 240  # characters; `docs` has the whole text
_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def line(function: Function, failed: str = "", *, whole: bool = False) -> str:
    """A function in a prompt: its signature, what it is for with its provider, and what its parameters mean.

    `failed` is how a call of it has failed before. Long texts are cut, unless it is shown `whole`.
    """
    api = function.api
    told = [p for p in api.parameter_list() if p.description]
    names = {original: name for name, original in function.parameters.items()}
    about = api.description if whole else shortened(api.description, _DESCRIPTION)
    lines = [f"{_signature(function)} -> {_shape(api.output)}", f"    {api.tool}: {about}"]
    lines += [f"    {names[p.name]}: {p.description if whole else shortened(p.description, _PARAMETER)}" for p in told]
    lines += [f"    Example: {api.example}"] if api.example else []
    return "\n".join([*lines, *([f"    failed before: {failed}"] if failed else [])])


def summary(function: Function, failed: str = "") -> str:
    """A function in one line, to choose it by: its name and inputs, provider, what it is for, and what it returns."""
    api = function.api
    inputs = [
        name if p.required else f"{name}?" for name, p in zip(function.parameters, api.parameter_list(), strict=True)
    ]
    told = f"{function.name}({', '.join(inputs)}): {api.tool}: {shortened(api.description)} -> {_shape(api.output)}"
    return f"{told} (failed before: {failed})" if failed else told


def docs(function: Function) -> str:
    """The whole documentation of an API, with the JSON Schemas of its input and output."""
    api = function.api
    parts = [
        f"{_signature(function)}: {api.name} of {api.tool} ({api.category})",
        api.tool_description,
        api.whole_description,
        f"Parameters: {json.dumps(api.parameters, ensure_ascii=False)}",
        f"Returns: {'not documented' if api.output is None else json.dumps(api.output, ensure_ascii=False)}",
    ]
    return "\n".join(filter(None, parts))


def _signature(function: Function) -> str:
    schemas = {p.name: p for p in function.api.parameter_list()}
    inputs = [
        f"{name}: {_kind(schemas[original].schema_)}{'' if schemas[original].required else ' = None'}"
        for name, original in function.parameters.items()
    ]
    return f"{function.name}({', '.join(inputs)})"


def _shape(schema: JsonSchema | bool | None, depth: int = 0) -> str:
    """What an API returns, with the names of its fields."""
    if not isinstance(schema, dict):
        return "Any"
    schema = without_null(schema)
    fields = schema.get("properties")
    if isinstance(fields, dict) and fields:
        if depth == _DEPTH:
            return "dict"
        inner = [f"{name}: {_shape(one, depth + 1)}" for name, one in list(fields.items())[:_FIELDS]]
        return "{" + ", ".join([*inner, *(["..."] if len(fields) > _FIELDS else [])]) + "}"
    if schema.get("type") == "array":
        return f"list[{_shape(schema.get('items'), depth)}]"
    return _kind(schema)


def _kind(schema: JsonSchema) -> str:
    """The Python type of a JSON Schema, in short."""
    schema = without_null(schema)
    options = schema.get("enum")
    if isinstance(options, list):
        listed = " | ".join(json.dumps(option, ensure_ascii=False) for option in options[:_OPTIONS])
        return f"{listed} | ..." if len(options) > _OPTIONS else listed
    for key in ("anyOf", "oneOf"):
        parts = [one for one in schema.get(key) or () if isinstance(one, dict)]
        if parts:
            return " | ".join(dict.fromkeys(_kind(one) for one in parts))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_kind({**schema, "type": one}) for one in kind)
    if kind == "array":
        items = schema.get("items")
        return f"list[{_kind(items)}]" if isinstance(items, dict) and items else "list"
    return "dict" if kind == "object" else _SCALARS.get(str(kind), "Any")
