"""ToolBench's catalogues of RapidAPI: tools with their APIs. They can be found, and replayed, not called."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from toolquiver.catalog.effects import of_method
from toolquiver.catalog.garbage_collection import seldom_collected
from toolquiver.catalog.ids import Named, unique_ids
from toolquiver.catalog.records import API, ApiId, JsonSchema
from toolquiver.catalog.sketch import output_schema
from toolquiver.catalog.toolbench_files import Endpoint, Parameter, Tool, tools
from toolquiver.errors import CatalogError

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


class _Placed(NamedTuple):
    """What the file says of an API, with its names and its tool."""

    named: Named
    tool: Tool
    endpoint: Endpoint


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
    """The same as they are asked for: the file is read now for the names, and again for the rest, which is not held.

    Raises:
        CatalogError: a file cannot be read, or is no tool; the message names it and the place. `Opened.apis` raises it
            too, where the file has become another one meanwhile.
    """
    names = [placed.named for placed in _placed(path, category, tool)]
    ids = unique_ids(list(_numbered(names)))
    return Opened(len(ids), _made(_placed(path, category, tool), list(map(hash, names)), ids, source, path))


def _placed(path: Path, category: str, tool: str) -> Iterator[_Placed]:
    for one in tools(path):
        for endpoint in one.apis:
            name = endpoint.name.strip() or endpoint.url
            yield _Placed(Named(category or one.category, tool or one.tool_name, name, endpoint.url), one, endpoint)


def _numbered(names: Iterable[Named]) -> Iterator[Named]:
    """Some APIs are there twice, word for word; their number in the file tells them apart."""
    seen = Counter[Named]()
    for named in names:
        seen[named] += 1
        yield named if seen[named] == 1 else named._replace(place=f"{named.place} {seen[named]}")


def _made(
    placed: Iterator[_Placed], expected: Sequence[int], ids: Sequence[ApiId], source: str, path: Path
) -> Iterator[API]:
    """The APIs under their ids, as long as the file has at each place the names that it had before, by their hashes."""
    for one, before, id_ in zip_longest(placed, expected, ids):
        if one is None or id_ is None or hash(one.named) != before:
            raise CatalogError(f"{str(path)!r} has changed while it was read. Import it again.")
        yield _api(one.named, one.tool, one.endpoint, id_, source)


def _api(named: Named, tool: Tool, endpoint: Endpoint, id_: ApiId, source: str) -> API:
    return API(
        id=id_,
        name=named.name,
        description=endpoint.description.strip(),
        method=endpoint.method,
        effect=of_method(endpoint.method),
        parameters=_parameters(endpoint),
        output=output_schema(endpoint.response_schema),
        tool=named.tool,
        tool_description=(tool.description or "").strip(),
        category=named.category,
        source=source,
    )


def _parameters(endpoint: Endpoint) -> JsonSchema:
    properties: dict[str, JsonSchema] = {}
    for parameter in (*endpoint.optional_parameters, *endpoint.required_parameters):
        properties[parameter.name] = _schema(parameter) | _sample(parameter)
    required = list(dict.fromkeys(parameter.name for parameter in endpoint.required_parameters))
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def _schema(parameter: Parameter) -> JsonSchema:
    described = {"description": text} if (text := parameter.description.strip()) else {}
    return _TYPES.get((parameter.type or "").lower(), {}) | described


def _sample(parameter: Parameter) -> JsonSchema:
    """What the file calls a default, as `examples`: a value that someone once tried; nothing where it does not fit."""
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
    return {} if value is None or str(value).strip().lower() in _UNSAID else {"examples": [value]}
