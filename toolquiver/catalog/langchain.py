"""LangChain tools as records of the catalogue."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, get_type_hints

from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_core.utils.json_schema import dereference_refs
from pydantic import PydanticUserError, TypeAdapter

from toolquiver.catalog.records import API, JsonSchema, api_id

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

PYTHON = "python"
"""The source of APIs that are Python tools."""


def record(tool: BaseTool) -> API:
    """A LangChain tool as an API; `metadata["category"]` and `metadata["tool"]` place it."""
    metadata = tool.metadata or {}
    category, group = metadata.get("category", "tools"), metadata.get("tool", "tools")
    schema: JsonSchema = convert_to_openai_tool(tool)["function"].get("parameters") or {}
    return API(
        id=api_id(category, group, tool.name),
        name=tool.name,
        description=inspect.cleandoc(tool.description),
        parameters=_plain({"type": "object", "properties": {}} | schema),
        output=_output(tool),
        tool=group,
        category=category,
        source=PYTHON,
    )


def _plain(schema: JsonSchema) -> JsonSchema:
    """Without references, so that each parameter's schema stands alone."""
    resolved: JsonSchema = dereference_refs(schema)
    resolved.pop("$defs", None)
    return resolved


def _output(tool: BaseTool) -> JsonSchema | None:
    """The schema of what the tool's function returns, where its annotation says."""
    function: Any = getattr(tool, "func", None) or getattr(tool, "coroutine", None)
    if function is None:
        return None
    try:
        returns = get_type_hints(function).get("return")
        if returns is None or returns is Any:
            return None
        return _plain(TypeAdapter(returns).json_schema())
    except (NameError, TypeError, PydanticUserError):
        return None
