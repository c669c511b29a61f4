"""LangChain tools as records of the catalogue."""

from __future__ import annotations

import inspect
import json
import reprlib
from collections.abc import Iterable, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import typing_extensions
from langchain_core.tools import BaseTool, InjectedToolCallId, Tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, PydanticUserError, TypeAdapter
from pydantic.fields import FieldInfo

from toolquiver.catalog.effects import checked
from toolquiver.catalog.ids import Named, unique_ids
from toolquiver.catalog.inlining import written_out
from toolquiver.catalog.records import API, ApiId, Effect, JsonSchema, api_id
from toolquiver.catalog.sources import PYTHON
from toolquiver.errors import CatalogError


def listed(tools: Iterable[BaseTool]) -> list[BaseTool]:
    """The tools as a list.

    Raises:
        CatalogError: it is a single tool, or nothing that has any.
    """
    if isinstance(tools, BaseTool) or not isinstance(tools, Iterable):
        raise CatalogError(f"The tools are {reprlib.repr(tools)}. Pass a list of LangChain tools.")
    return list(tools)


def record(tool: BaseTool) -> API:
    """A LangChain tool as an API; `metadata["category"]` and `metadata["tool"]` place it.

    `metadata["effect"]` is its effect, `unknown` where there is none.

    Raises:
        CatalogError: it is no such tool, its effect is none, its arguments cannot be written as JSON Schema, or only an
            agent has some of them.
    """
    if not isinstance(tool, BaseTool):
        raise CatalogError(f"A {type(tool).__name__} is among the tools. Make each a LangChain tool, with @tool.")
    named = _named(tool, category="tools", group="tools")
    return _api(tool, named, api_id(named.category, named.tool, named.name), PYTHON)


def records(tools: Sequence[BaseTool], source: str, *, name: str, category: str = "", group: str = "") -> list[API]:
    """The tools of a module as APIs of the source with this key; what each is called by stands in its binding.

    `category` and `group` (the APIs' tool) win over a tool's `metadata`, which wins over "langchain" and `name`. Tools
    of one slug get ids of their own. The effect comes from the `metadata` too.

    Raises:
        CatalogError: a tool's effect is none, its arguments cannot be written as JSON Schema, or only an agent has some
            of them.
    """
    placed = [_named(tool, category="langchain", group=name) for tool in tools]
    placed = [one._replace(category=category or one.category, tool=group or one.tool) for one in placed]
    return [
        _api(tool, named, id_, source).model_copy(update={"binding": {"tool": tool.name}})
        for tool, named, id_ in zip(tools, placed, unique_ids(placed), strict=True)
    ]


def takes_call_id(tool: BaseTool) -> bool:
    """Whether a tool gets the id of its call, which LangChain gives it in a whole `ToolCall` only."""
    return any(_is_call_id(field) for field in _fields(tool.get_input_schema()).values())


def _require_all_given(tool: BaseTool) -> None:
    """Refuse a tool with parameters that only the framework of an agent fills, such as its state."""
    if isinstance(tool.args_schema, dict):
        return
    asked = _fields(tool.tool_call_schema)
    for name, field in _fields(tool.get_input_schema()).items():
        if field.is_required() and name not in asked and not _is_call_id(field):
            raise CatalogError(f"only an agent fills {name!r}, which has no default")


def _fields(model: Any) -> dict[str, FieldInfo]:
    """The fields of a model by name; none of what is no model of pydantic 2."""
    return model.model_fields if isinstance(model, type) and issubclass(model, BaseModel) else {}


def _is_call_id(field: FieldInfo) -> bool:
    return any(one is InjectedToolCallId or isinstance(one, InjectedToolCallId) for one in field.metadata)


def _named(tool: BaseTool, *, category: str, group: str) -> Named:
    metadata = {"category": category, "tool": group} | (tool.metadata or {})
    for key in ("category", "tool"):
        if not isinstance(metadata[key], str):
            raise CatalogError(
                f"The tool {tool.name!r} has {metadata[key]!r} as {key!r} in its metadata. Give it a text there."
            )
    return Named(metadata["category"], metadata["tool"], tool.name, tool.name)


def _effect(tool: BaseTool) -> Effect:
    try:
        return checked((tool.metadata or {}).get("effect", "unknown"))
    except CatalogError as error:
        raise CatalogError(f"The metadata of the tool {tool.name!r} cannot be used. {error}") from error


def _api(tool: BaseTool, named: Named, id_: ApiId, source: str) -> API:
    effect = _effect(tool)
    try:
        _require_all_given(tool)
        return API(
            id=id_,
            name=tool.name,
            effect=effect,
            description=inspect.cleandoc(tool.description),
            parameters={"type": "object", "properties": {}} | _parameters(tool),
            output=_output(tool),
            tool=named.tool,
            category=named.category,
            source=source,
        )
    except (CatalogError, LookupError, TypeError, ValueError, RecursionError, PydanticUserError) as error:
        raise CatalogError(f"The tool {tool.name!r} cannot be described ({error}). Correct its arguments.") from error


def _parameters(tool: BaseTool) -> JsonSchema:
    """The schema of a call's arguments; LangChain's own way loses what holds itself."""
    model: Any = tool.tool_call_schema
    given: JsonSchema = model.model_json_schema() if hasattr(model, "model_json_schema") else model
    of_one_text = isinstance(tool, Tool) and not tool.args_schema  # whose schema LangChain makes up
    if of_one_text or not isinstance(given, dict) or '"$ref"' not in json.dumps(given, default=str):
        found: JsonSchema = convert_to_openai_tool(tool)["function"].get("parameters") or {}
        return written_out(found)
    return _untitled({key: value for key, value in written_out(given).items() if key != "description"})


def _untitled(schema: JsonSchema, holder: str = "") -> JsonSchema:
    """Without the titles that pydantic makes of names; a property may be called `title`."""
    return {
        key: _untitled(value, key) if isinstance(value, dict) else value
        for key, value in schema.items()
        if key != "title" or (holder == "properties" and isinstance(value, dict))
    }


def _output(tool: BaseTool) -> JsonSchema | None:
    """The schema of what the tool's function returns, where its annotation says."""
    function: Any = getattr(tool, "func", None) or getattr(tool, "coroutine", None)
    if function is None:
        return None
    try:
        returns = get_type_hints(function).get("return")
        if tool.response_format == "content_and_artifact":  # of the two only the content is answered
            returns = next(iter(get_args(returns)), None)
        if returns is None or returns is Any:
            return None
        try:
            adapter = TypeAdapter(returns)
        except PydanticUserError:
            adapter = TypeAdapter(_readable(returns))
        return written_out(adapter.json_schema())
    except (CatalogError, NameError, TypeError, RecursionError, PydanticUserError):
        return None


def _readable(kind: Any) -> Any:
    """The type with each `typing.TypedDict` as one of typing_extensions; pydantic reads no other before Python 3.12."""
    if is_typeddict(kind):
        fields = {name: _readable(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}
        make: Any = typing_extensions.TypedDict
        return make(kind.__name__, fields, total=kind.__total__)
    origin, parts = get_origin(kind), tuple(map(_readable, get_args(kind)))
    if not parts or origin in (Literal, Annotated):
        return kind
    generic: Any = Union if origin is UnionType else origin
    return generic[parts]
