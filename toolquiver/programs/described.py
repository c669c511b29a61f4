"""Functions as a prompt shows them: signatures with types in Python's words, and what they are for."""

from __future__ import annotations

import json

from toolquiver.catalog import JsonSchema
from toolquiver.catalog.document import document_with_output
from toolquiver.catalog.records import without_null
from toolquiver.catalog.text import shortened
from toolquiver.programs.functions import Function

_OPTIONS = 40  # of an enumeration
_FIELDS = 30  # of an object
_DEPTH = 2  # of objects
_LONG = 1_000  # characters of a text
_MORE = "..."
_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def line(function: Function, failed: str = "", *, whole: bool = False) -> str:
    """A function in a prompt: its signature, what it is for with its provider, and what its parameters mean.

    `failed` is how a call of it has failed before. What is very long is cut, unless it is shown `whole`, and then it is
    said how to see it.
    """
    api = function.api
    names = {original: name for name, original in function.parameters.items()}
    told = [(api.tool, api.description)]
    told += [(names[p.name], p.description) for p in api.parameter_list() if p.description]
    lines = [f"{_signature(function, None if whole else _OPTIONS)} -> {_shape(api.output)}"]
    lines += [f"    {name}: {text if whole else shortened(text, _LONG)}" for name, text in told]
    if not whole and (_MORE in lines[0] or any(one.endswith(_MORE) for one in lines)):  # as the catalogue cuts, too
        lines.append(f'    Not all of it: api_docs("{function.name}") shows the whole.')
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
    return document_with_output(function.api, _signature(function))


def _signature(function: Function, options: int | None = _OPTIONS) -> str:
    schemas = {p.name: p for p in function.api.parameter_list()}
    inputs = [
        f"{name}: {_kind(schemas[original].schema_, options)}{'' if schemas[original].required else ' = None'}"
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
        return "{" + ", ".join([*inner, *([_MORE] if len(fields) > _FIELDS else [])]) + "}"
    if schema.get("type") == "array":
        return f"list[{_shape(schema.get('items'), depth)}]"
    return _kind(schema)


def _kind(schema: JsonSchema, options: int | None = _OPTIONS) -> str:
    """The Python type of a JSON Schema, in short, with so many `options` of an enumeration."""
    schema = without_null(schema)
    offered = schema.get("enum")
    if isinstance(offered, list):
        listed = [json.dumps(option, ensure_ascii=False) for option in offered]
        return " | ".join([*listed[:options], *([_MORE] if listed[:options] != listed else [])])
    for key in ("anyOf", "oneOf"):
        parts = [one for one in schema.get(key) or () if isinstance(one, dict)]
        if parts:
            return " | ".join(dict.fromkeys(_kind(one, options) for one in parts))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_kind({**schema, "type": one}, options) for one in kind)
    if kind == "array":
        items = schema.get("items")
        return f"list[{_kind(items, options)}]" if isinstance(items, dict) and items else "list"
    return "dict" if kind == "object" else _SCALARS.get(str(kind), "Any")
