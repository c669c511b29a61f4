"""The arguments of one operation: a schema for each, and where it goes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from toolquiver.catalog.operation import Location, Placement, Style
from toolquiver.catalog.records import JsonSchema

_LONGEST = 64  # as long as every provider of models takes it


@dataclass(frozen=True, kw_only=True)
class Part:
    """One thing that a request carries, under its name on the wire; "" is the whole body, or the whole query.

    `called` is what to name the argument where not like the part.
    """

    name: str
    location: Location
    schema: JsonSchema
    required: bool = False
    style: Style = "form"
    explode: bool = True
    allow_reserved: bool = False
    media_type: str = ""
    called: str = ""


class Arguments(NamedTuple):
    """The parameters as one JSON Schema, and the places of the arguments."""

    schema: JsonSchema
    placements: tuple[Placement, ...]


def arguments(parts: Sequence[Part], *, more: bool = False) -> Arguments:
    """The parts of a request as arguments, each under a name of its own that every provider of models takes.

    With `more` the members of its body are some of the parts, and it takes others. They are arguments too, but not
    beside a parameter that may be left out: nobody could say which of the two a name is meant for.
    """
    properties, required, placements = dict[str, JsonSchema](), list[str](), list[Placement]()
    for part in parts:
        name = _free(part, properties)
        properties[name] = part.schema
        if part.required:
            required.append(name)
        placements.append(
            Placement(
                argument=name,
                name=part.name,
                location=part.location,
                style=part.style,
                explode=part.explode,
                allow_reserved=part.allow_reserved,
                media_type=part.media_type,
            )
        )
    schema: JsonSchema = {"type": "object", "properties": properties} | ({"required": required} if required else {})
    if more and all(part.required or part.location == "body" for part in parts):
        schema["additionalProperties"] = True
    return Arguments(schema, tuple(placements))


def argument_name(text: str) -> str:
    """`text` as the name of an argument: `^[a-zA-Z0-9_.-]{1,64}$`."""
    return re.sub(r"[^a-zA-Z0-9_.-]+", "_", text).strip("_")[:_LONGEST] or "value"


def _free(part: Part, taken: Collection[str]) -> str:
    plain = argument_name(part.called or part.name)
    name, number = plain, 2
    if name in taken:
        name = plain = argument_name(f"{part.location}_{plain}")
    while name in taken:
        name, number = f"{plain[: _LONGEST - 4]}_{number}", number + 1
    return name
