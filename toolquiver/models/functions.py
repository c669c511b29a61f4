"""What a model may call, as it is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from toolquiver.catalog import JsonSchema


class Function(TypedDict):
    """A function that a model may call: its name, what it is for, and its arguments' JSON Schema."""

    name: str
    description: str
    parameters: JsonSchema


def function_with(name: str, description: str, properties: dict[str, Any]) -> Function:
    """A function that takes exactly these arguments, all of them, by their JSON Schemas."""
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return Function(name=name, description=description, parameters=parameters)
