"""What is indexed of an API and of a tool."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog.records import API
from toolquiver.catalog.text import spaced

_TOLD = 600  # characters of its APIs' texts that a tool's vector is made of


def api_fields(api: API) -> tuple[str, ...]:
    """The texts of an API's fields, in the order of `API_FIELDS`; those of parameters with the values they allow."""
    texts = []
    for name, schema in api.parameters.get("properties", {}).items():
        texts.append(name)
        if isinstance(schema, dict):
            texts.append(schema.get("description") or "")
            if "enum" in schema:
                texts += map(str, schema["enum"])
    return api.name, api.description, api.tool, api.category, " ".join(texts)


def tool_fields(category: str, name: str, description: str, apis: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The texts of a tool's fields, in the order of `TOOL_FIELDS`; `apis` are its APIs' names and texts."""
    return name, description, category, " ".join(f"{api_name} {text}" for api_name, text in apis)


def api_text(tool: str, name: str, description: str) -> str:
    """What of an API is compared with a question in meaning; its parameters only blur it (measured on the demo)."""
    return f"{spaced(tool)}: {spaced(name)}. {description}"


def tool_text(name: str, description: str, apis: Sequence[tuple[str, str]]) -> str:
    """What of a tool is compared with a question in meaning."""
    return f"{spaced(name)}. {description} " + " ".join(f"{api_name} {text}" for api_name, text in apis)[:_TOLD]
