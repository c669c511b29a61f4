"""ToolBench's catalogues of RapidAPI: a tool a line, with its APIs. They can be found, not called."""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from toolquiver.catalog.ids import Named, unique_ids
from toolquiver.catalog.records import API, ApiId, JsonSchema
from toolquiver.catalog.sketch import output_schema
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


class _Parameter(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    type: str | None = None
    description: str = ""
    default: Any = None


class _Endpoint(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    description: str = ""
    method: str = "GET"
    url: str = ""
    required_parameters: list[_Parameter]
    optional_parameters: list[_Parameter]
    response_schema: Any = None


class _Tool(BaseModel):
    model_config = ConfigDict(extra="ignore")

    category: str
    tool_name: str
    description: str | None = None
    apis: list[_Endpoint]


def read_toolbench(path: Path, source: str, *, category: str = "", tool: str = "") -> list[API]:
    """The APIs of a catalogue in JSON Lines, packed or not, as those of the source with this key.

    `category` and `tool` replace what the file says.

    Raises:
        CatalogError: the file cannot be read, or a line is no tool; the message names it.
    """
    placed = [
        (
            Named(category or one.category, tool or one.tool_name, endpoint.name.strip() or endpoint.url, ""),
            one,
            endpoint,
        )
        for one in _tools(path)
        for endpoint in one.apis
    ]
    ids = unique_ids(list(_with_places(placed)))
    return [_api(named, one, endpoint, id_, source) for (named, one, endpoint), id_ in zip(placed, ids, strict=True)]


def _tools(path: Path) -> Iterator[_Tool]:
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            try:
                yield _Tool.model_validate_json(line)
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                place = ".".join(str(part) for part in first["loc"]) or "the line"
                raise CatalogError(
                    f"{str(path)!r}, line {number}: is no tool of ToolBench: {place}: {first['msg']}. Correct it there."
                ) from error


def _lines(path: Path) -> Iterator[bytes]:
    if not path.is_file():
        raise CatalogError(f"There is no file {str(path)!r}. Check the path.")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from file
    except (OSError, EOFError, zlib.error) as error:
        raise CatalogError(f"{str(path)!r} cannot be read: {error}. Check the file.") from error


def _with_places(placed: Iterable[tuple[Named, _Tool, _Endpoint]]) -> Iterator[Named]:
    """Some APIs are there twice, word for word; their number in the file tells them apart."""
    seen: Counter[tuple[str, ...]] = Counter()
    for named, _, endpoint in placed:
        key = (named.category, named.tool, named.name, endpoint.url)
        seen[key] += 1
        yield named._replace(place=endpoint.url + f" {seen[key]}" * (seen[key] > 1))


def _api(named: Named, tool: _Tool, endpoint: _Endpoint, id_: ApiId, source: str) -> API:
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


def _parameters(endpoint: _Endpoint) -> JsonSchema:
    properties: dict[str, JsonSchema] = {}
    for parameter in endpoint.optional_parameters:
        properties[parameter.name] = _schema(parameter) | _default(parameter)
    for parameter in endpoint.required_parameters:
        properties[parameter.name] = _schema(parameter)  # its default is a value that someone once tried
    required = list(dict.fromkeys(parameter.name for parameter in endpoint.required_parameters))
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def _schema(parameter: _Parameter) -> JsonSchema:
    described = {"description": text} if (text := parameter.description.strip()) else {}
    return _TYPES.get((parameter.type or "").lower(), {}) | described


def _default(parameter: _Parameter) -> JsonSchema:
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
