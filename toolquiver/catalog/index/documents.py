"""What is indexed of an API and of a tool."""

from __future__ import annotations

from toolquiver.catalog.records import API
from toolquiver.catalog.stems import stems
from toolquiver.catalog.text import spaced

_TOLD = 600  # characters of its APIs' texts that a tool's vector is made of


def api_stems(api: API) -> tuple[list[str], ...]:
    """The stems of an API's fields, in the order of `API_FIELDS`; those of parameters with the values they allow."""
    texts = []
    for name, schema in api.parameters.get("properties", {}).items():
        texts.append(name)
        if isinstance(schema, dict):
            texts.append(schema.get("description") or "")
            texts += [str(value) for value in schema.get("enum", ())]
    return stems(api.name), stems(api.description), stems(api.tool), stems(api.category), stems(" ".join(texts))


def tool_stems(category: str, name: str, description: str, apis: list[tuple[str, str]]) -> tuple[list[str], ...]:
    """The stems of a tool's fields, in the order of `TOOL_FIELDS`; `apis` are its APIs' names and texts."""
    texts = [stem for api_name, text in apis for stem in (*stems(api_name), *stems(text))]
    return stems(name), stems(description), stems(category), texts


def api_text(tool: str, name: str, description: str) -> str:
    """What of an API is compared with a question in meaning; its parameters only blur it (measured on the demo)."""
    return f"{spaced(tool)}: {spaced(name)}. {description}"


def tool_text(name: str, description: str, apis: list[tuple[str, str]]) -> str:
    """What of a tool is compared with a question in meaning."""
    return f"{spaced(name)}. {description} " + " ".join(f"{api_name} {text}" for api_name, text in apis)[:_TOLD]
