"""The type of what a simulated API returns, made for one output schema."""

from __future__ import annotations

from typing import Any

from pydantic import RootModel

from toolquiver.calling.arguments import is_sound, misfits
from toolquiver.catalog.records import JsonSchema
from toolquiver.models import shaped

_TEXT: JsonSchema = {"type": "string", "description": "what the API returns, as JSON or as plain text"}


class Simulated(RootModel[dict[str, Any]]):
    """What an API would return: the object itself, or anything else under `response`."""


def shape_of(output: JsonSchema | None) -> type[Simulated]:
    """`Simulated` that fits an output schema; any text where there is none, or a broken one."""
    schema = _object_schema(output if output and is_sound(output) else None)

    return shaped(Simulated, schema, lambda made: misfits(schema, made.root))


def value_of(made: Simulated, output: JsonSchema | None) -> Any:
    """What the API would return, as the output schema has it."""
    return made.root if output and _is_object(output) and is_sound(output) else made.root["response"]


def _object_schema(schema: JsonSchema | None) -> JsonSchema:
    """The schema of an object, which is all that providers constrain to: others stand in it as `response`."""
    if schema and _is_object(schema):
        return {"type": "object"} | schema
    inner = {name: part for name, part in schema.items() if name != "$defs"} if schema else _TEXT
    outer: JsonSchema = {"type": "object", "properties": {"response": inner}, "required": ["response"]}
    return outer | ({"$defs": schema["$defs"]} if schema and "$defs" in schema else {})


def _is_object(schema: JsonSchema) -> bool:
    return schema.get("type") == "object" or ("type" not in schema and "properties" in schema)
