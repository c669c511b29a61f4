"""APIs out of the descriptions that data sets give, each in words of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolquiver.calling.replay import Recordings, Simulator, replay_callers
from toolquiver.catalog import API, ApiId, Catalog, JsonSchema, Source, api_id
from toolquiver.catalog.function_names import function_name
from toolquiver.evaluation.records import Resources

_TYPES: dict[str, JsonSchema] = {
    "str": {"type": "string"},
    "string": {"type": "string"},
    "datetime": {"type": "string"},
    "enum": {"type": "string"},
    "date (yyyy-mm-dd)": {"type": "string"},
    "int": {"type": "integer"},
    "integer": {"type": "integer"},
    "float": {"type": "number"},
    "number": {"type": "number"},
    "int or float": {"type": "number"},
    "bool": {"type": "boolean"},
    "boolean": {"type": "boolean"},
    "list": {"type": "array"},
    "array": {"type": "array"},
    "tuple": {"type": "array"},
    "list[str]": {"type": "array", "items": {"type": "string"}},
    "dict": {"type": "object"},
    "object": {"type": "object"},
}
_PARTS = ("description", "items", "properties", "required", "default", "enum")


def schema_of(described: Mapping[str, Any]) -> JsonSchema:
    """A parameter's JSON Schema of a description with a type by any name; of an unknown type anything is allowed."""
    schema = dict(_TYPES.get(str(described.get("type", "")).lower(), {}))
    for name in _PARTS:
        value = described.get(name)
        if name == "properties" and isinstance(value, dict):
            schema[name] = {key: schema_of(inner) for key, inner in value.items() if isinstance(inner, dict)}
        elif name == "items" and isinstance(value, dict):
            schema[name] = schema_of(value)
        elif value and (name != "required" or isinstance(value, list)) and name not in {"properties", "items"}:
            schema[name] = value
    return schema


def parameters_of(described: Mapping[str, Mapping[str, Any]], required: Iterable[str]) -> JsonSchema:
    """The JSON Schema of an API's parameters, described by name."""
    properties = {name: schema_of(one) for name, one in described.items()}
    needed = [name for name in dict.fromkeys(required) if name in properties]
    return {"type": "object", "properties": properties} | ({"required": needed} if needed else {})


def output_of(described: Mapping[str, Mapping[str, Any]]) -> JsonSchema:
    """The JSON Schema of what an API returns, described by field."""
    return {"type": "object", "properties": {name: schema_of(one) for name, one in described.items()}}


def replayed(
    apis: Iterable[API], source: Source, recordings: Recordings | None = None, simulator: Simulator | None = None
) -> Resources:
    """A catalogue of these APIs, whose calls give what was recorded, or what the simulator makes up.

    Without both a call fails as `not_recorded`: the set is for plans.
    """
    catalog = Catalog.create()
    catalog.sync(source, apis)
    known = Recordings.create() if recordings is None else recordings
    return Resources(catalog=catalog, callers=replay_callers(catalog, known, simulator), recorded=known.texts)


def ids_by_name(apis: Iterable[API]) -> dict[str, ApiId]:
    """The ids of APIs by all that a plan may call them: id, name, and the function name that the catalogue gives.

    Of APIs that are not stored yet that is the name, or for a second one of that name its tool's before it.
    """
    found: dict[str, ApiId] = {}
    for api in apis:
        made = (function_name(api.name), function_name(f"{api.tool}_{api.name}"))
        for name in (api.id, api.name, *((api.function,) if api.function else made)):
            found.setdefault(name, api.id)
    return found


def named_api(category: str, tool: str, name: str, source: str, **fields: Any) -> API:
    """An API with the id of its names."""
    return API(id=api_id(category, tool, name), category=category, tool=tool, name=name, source=source, **fields)
