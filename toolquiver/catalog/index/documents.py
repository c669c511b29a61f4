"""What is indexed of an API and of a tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from toolquiver.catalog.records import API, JsonSchema
from toolquiver.catalog.text import spaced

_TOLD = 600  # characters of its APIs' texts that a tool's vector is made of


class Member(NamedTuple):
    """What of an API is indexed of its tool; `text` is its description, or what an instruction says in its place."""

    name: str
    text: str
    parameters: str


def api_fields(api: API) -> tuple[str, ...]:
    """The texts of an API's fields, in the order of `API_FIELDS`."""
    return api.name, api.description, api.tool, api.category, parameters_text(api.parameters)


def tool_fields(category: str, name: str, description: str, apis: Sequence[Member]) -> tuple[str, ...]:
    """The texts of a tool's fields, in the order of `TOOL_FIELDS`."""
    names, texts = " ".join(api.name for api in apis), " ".join(api.text for api in apis)
    return name, description, category, names, texts, " ".join(api.parameters for api in apis)


def parameters_text(parameters: JsonSchema) -> str:
    """The names and descriptions of an API's parameters, and the values that they allow."""
    texts = []
    for name, schema in parameters.get("properties", {}).items():
        texts.append(name)
        if isinstance(schema, dict):
            texts.append(schema.get("description") or "")
            if "enum" in schema:
                texts += map(str, schema["enum"])
    return " ".join(texts)


def api_text(tool: str, name: str, description: str) -> str:
    """What of an API is compared with a question in meaning; its parameters only blur it (measured on the demo)."""
    return f"{spaced(tool)}: {spaced(name)}. {description}"


def tool_text(name: str, description: str, apis: Sequence[tuple[str, str]]) -> str:
    """What of a tool is compared with a question in meaning."""
    return f"{spaced(name)}. {description} " + " ".join(f"{api_name} {text}" for api_name, text in apis)[:_TOLD]
