"""A catalogue as models see it: with EasyTool's instructions, without markup, or as its sources wrote it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Literal

from toolquiver.catalog import instruction_rows
from toolquiver.catalog.condense import condensed
from toolquiver.catalog.instruction import Guideline, example_of
from toolquiver.catalog.records import API, Tool

Documentation = Literal["instructions", "descriptions", "condensed", "raw"]
"""What models see of an API: its instruction where there is one, that without the example, its documentation without
markup, or its documentation as it is."""
_INSTRUCTED = ("instructions", "descriptions")

_UNTOLD = ("title", "example", "examples", "$comment", "externalDocs")
_ONE = ("items", "additionalProperties", "not")
_SEVERAL = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED = ("properties", "$defs", "definitions", "patternProperties")


def shown_apis(connection: sqlite3.Connection, apis: Sequence[API], documentation: Documentation) -> list[API]:
    """The APIs with the texts that models see; names, types and what a schema demands are never changed."""
    if documentation == "raw" or not apis:
        return list(apis)
    instructed = documentation in _INSTRUCTED and instruction_rows.there(connection)
    found = instruction_rows.current_guidelines(connection, apis) if instructed else {}
    return [_shown(api, found.get(api.id), examples=documentation == "instructions") for api in apis]


def shown_tools(connection: sqlite3.Connection, tools: Sequence[Tool], documentation: Documentation) -> list[Tool]:
    """The tools with the descriptions that models see."""
    if documentation == "raw" or not tools:
        return list(tools)
    instructed = documentation in _INSTRUCTED and instruction_rows.there(connection)
    places = [(tool.category, tool.name) for tool in tools]
    found = instruction_rows.current_purposes(connection, places) if instructed else {}
    return [
        tool.model_copy(update={"description": found.get(place) or condensed(tool.description, name=tool.name)})
        for tool, place in zip(tools, places, strict=True)
    ]


def _shown(api: API, guideline: Guideline | None, *, examples: bool) -> API:
    description = guideline.description if guideline else ""
    return api.model_copy(
        update={
            "description": description or condensed(api.description, name=api.name),
            "tool_description": condensed(api.tool_description, name=api.tool),
            "parameters": _condensed(api.parameters),
            "example": example_of(guideline) if guideline and examples else "",
        }
    )


def _condensed(schema: Any, name: str = "") -> Any:
    """A schema with descriptions without markup at every depth, and without what is only told to people."""
    if not isinstance(schema, dict):
        return schema
    found = {key: one for key, one in schema.items() if key not in _UNTOLD}
    if isinstance(said := found.pop("description", None), str) and (plain := condensed(said, name=name)):
        found["description"] = plain
    for key in found.keys() & set(_NAMED):
        if isinstance(found[key], dict):
            found[key] = {inner: _condensed(one, inner) for inner, one in found[key].items()}
    for key in found.keys() & set(_ONE):
        found[key] = _condensed(found[key])
    for key in found.keys() & set(_SEVERAL):
        if isinstance(found[key], list):
            found[key] = [_condensed(one) for one in found[key]]
    return found
