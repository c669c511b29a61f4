"""ToolBench's catalogues of RapidAPI: tools with their APIs. They can be found, and replayed, not called."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from toolquiver.catalog.garbage import seldom_collected
from toolquiver.catalog.ids import Named, unique_ids
from toolquiver.catalog.records import API, ApiId, JsonSchema
from toolquiver.catalog.sketch import output_schema
from toolquiver.catalog.toolbench_files import Endpoint, Parameter, Tool, tools

_TYPES: dict[str, JsonSchema] = {
    "string": {"type": "string"},
    "enum": {"type": "string"},
    "binary": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "array": {"type": "array"},
    "object": {"type": "object"},
    "date (yyyy-mm-dd)": {"type": "string", "format": "date"},
    "time (24-hour hh:mm)": {"type": "string"},
    "geopoint (latitude, longitude)": {"type": "string"},
}
_UNSAID = frozenset({"", "none", "null", "undefined", "nan", "inf", "-inf"})


class Opened(NamedTuple):
    """How many APIs a catalogue has, and they, made as they are asked for. Each can be had once."""

    total: int
    apis: Iterator[API]


@seldom_collected()
def read_toolbench(path: Path, source: str, *, category: str = "", tool: str = "") -> list[API]:
    """The APIs of a catalogue in JSON Lines or of a folder of documents, as those of the source with this key.

    `category` and `tool` replace what the files say. An API has one id in both forms, if both name it alike.

    Raises:
        CatalogError: a file cannot be read, or is no tool; the message names it and the place.
    """
    return list(open_toolbench(path, source, category=category, tool=tool).apis)


@seldom_collected()
def open_toolbench(path: Path, source: str, *, category: str = "", tool: str = "") -> Opened:
    """The same as they are asked for; what the file says of each is held until then.

    Raises:
        CatalogError: a file cannot be read, or is no tool; the message names it and the place.
    """
    placed = deque(
        (
            Named(category or one.category, tool or one.tool_name, endpoint.name.strip() or endpoint.url, ""),
            one,
            endpoint,
        )
        for one in tools(path)
        for endpoint in one.apis
    )
    ids = unique_ids(list(_with_places(placed)))
    return Opened(len(placed), (_api(*placed.popleft(), id_, source) for id_ in ids))


def _with_places(placed: Iterable[tuple[Named, Tool, Endpoint]]) -> Iterator[Named]:
    """Some APIs are there twice, word for word; their number in the file tells them apart."""
    seen: Counter[tuple[str, ...]] = Counter()
    for named, _, endpoint in placed:
        key = (named.category, named.tool, named.name, endpoint.url)
        seen[key] += 1
        yield named._replace(place=endpoint.url + f" {seen[key]}" * (seen[key] > 1))


def _api(named: Named, tool: Tool, endpoint: Endpoint, id_: ApiId, source: str) -> API:
    return API(
        id=id_,
        name=named.name,
        description=endpoint.description.strip(),
        method=endpoint.method,
        parameters=_parameters(endpoint),
        output=output_schema(endpoint.response_schema),
        tool=named.tool,
        tool_description=(tool.description or "").strip(),
        category=named.category,
        source=source,
    )


def _parameters(endpoint: Endpoint) -> JsonSchema:
    properties: dict[str, JsonSchema] = {}
    for parameter in endpoint.optional_parameters:
        properties[parameter.name] = _schema(parameter) | _default(parameter)
    for parameter in endpoint.required_parameters:
        properties[parameter.name] = _schema(parameter)  # its default is a value that someone once tried
    required = list(dict.fromkeys(parameter.name for parameter in endpoint.required_parameters))
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def _schema(parameter: Parameter) -> JsonSchema:
    described = {"description": text} if (text := parameter.description.strip()) else {}
    return _TYPES.get((parameter.type or "").lower(), {}) | described


def _default(parameter: Parameter) -> JsonSchema:
    """The default as a value of the parameter's type; nothing when it is none."""
    value, kind = parameter.default, _TYPES.get((parameter.type or "").lower(), {}).get("type")
    if isinstance(value, str) and kind != "string":
        try:
            value = json.loads(value.strip().lower() if kind == "boolean" else value)
        except (ValueError, RecursionError):
            return {}
    fits: Any = {"string": str, "number": int | float, "boolean": bool, "array": list, "object": dict}.get(
        kind or "", object
    )
    if not isinstance(value, fits) or (isinstance(value, bool) and kind == "number"):
        return {}
    return {} if value is None or str(value).strip().lower() in _UNSAID else {"default": value}
