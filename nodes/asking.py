"""Asking the user for values: the interrupt's request, the schema of the reply, and how a reply is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from langgraph.types import interrupt
from typing_extensions import TypedDict

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import JsonSchema, Parameter
from toolquiver.json_texts import parsed
from toolquiver.nodes.approve import REFUSE

WRONG_REPLIES = 3
"""So many replies in a row that do not fit end the asking."""


class Missing(TypedDict):
    """Something that only the user can give: under which key it is asked for, its type, what it is, and why."""

    key: str
    name: str
    type: str
    description: str
    schema: dict[str, Any]
    enum: list[Any]
    why: str


def missing_argument(parameter: Parameter, why: str, key: str = "") -> Missing:
    """The request for an argument, under its own name unless another key is given."""
    return Missing(
        key=key or parameter.name,
        name=parameter.name,
        type=parameter.type,
        description=parameter.description,
        schema=parameter.whole_schema,
        enum=list(parameter.schema_.get("enum", ())),
        why=why,
    )


def reply_of_user(missing: Sequence[Missing], wrong: str = "") -> dict[str, Any] | None:
    """Ask for all that is missing together; None where the user refuses, or leaves one out.

    The run stops with an interrupt whose value has a `question`, the `missing` values, and a `response_schema`, by
    which a client draws a form. `Command(resume={key: value, ...})` replies, for one value also
    `Command(resume=value)`; `"refuse"` says that there is no reply. `wrong` is what was wrong with the reply before.
    """
    schema = reply_schema(missing)
    question = {
        "question": " ".join(filter(None, [wrong, *(one["why"] for one in missing)])),
        "missing": list(missing),
        "response_schema": schema,
        "answers": [REFUSE],
    }
    return _given(interrupt(question, response_schema=schema), missing)


def faults(given: dict[str, Any], missing: Sequence[Missing]) -> str:
    """What is wrong with the values of a reply by their schemas; empty when all fit."""
    wrong = [(one["name"], misfits(one["schema"], given[one["key"]])) for one in missing]
    return " ".join(f"{name}: {said[0]}" for name, said in wrong if said)


def reply_schema(missing: Sequence[Missing]) -> JsonSchema:
    """A JSON Schema of the reply: an object with a property for each value, one value alone, or a refusal.

    What the values' schemas define stands at the root.
    """
    shared: JsonSchema = {}
    properties: JsonSchema = {}
    for one in missing:
        schema = _rooted(one["schema"], one["key"])
        shared |= schema.pop("$defs", {})
        properties[one["key"]] = schema | {"title": one["key"], "description": one["description"]}
    whole = {"title": "Reply", "type": "object", "properties": properties, "required": list(properties)}
    alone = list(properties.values()) if len(missing) == 1 else []
    ways = [whole, *alone, {"type": "string"}, {"title": "Refuse", "const": REFUSE}]
    return ({"$defs": shared} if shared else {}) | {"title": "Reply", "anyOf": ways}


def _rooted(schema: JsonSchema, key: str) -> JsonSchema:
    """A schema whose definitions can lie beside those of others: they are named after its key."""
    text = json.dumps(schema)
    for name in ("$defs", "definitions"):
        text = text.replace(f'"#/{name}/', f'"#/$defs/{key}.')
    alone: JsonSchema = json.loads(text)
    defined = alone.pop("$defs", {}) | alone.pop("definitions", {})
    return alone | ({"$defs": {f"{key}.{name}": one for name, one in defined.items()}} if defined else {})


def _given(reply: Any, missing: Sequence[Missing]) -> dict[str, Any] | None:
    """The values by key, read as their schemas say; None where the user refuses, or one is left out."""
    if reply in (None, "", REFUSE):
        return None
    keys = {one["key"] for one in missing}
    named = reply if isinstance(reply, dict) and keys & reply.keys() else None
    if named is None:
        if len(missing) > 1:
            return None
        named = {missing[0]["key"]: reply}
    if any(named.get(key) in (None, "", REFUSE) for key in keys):
        return None
    return {one["key"]: _read(named[one["key"]], one["schema"]) for one in missing}


def _read(value: Any, schema: JsonSchema) -> Any:
    """A value as the schema takes it, where it was typed as a text."""
    if not isinstance(value, str) or not misfits(schema, value):
        return value
    ways: list[Any] = [[part.strip() for part in value.split(",")]]
    with suppress(ValueError):
        ways.insert(0, parsed(value))
    return next((way for way in ways if not misfits(schema, way)), value)
