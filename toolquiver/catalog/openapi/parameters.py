"""The parameters of an operation: in its path, query, headers and cookies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from toolquiver.catalog.openapi.arguments import Part
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.media import URLENCODED, media_types
from toolquiver.catalog.openapi.members import members
from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.operation import Location, Style
from toolquiver.catalog.records import JsonSchema

_LOCATIONS = ("path", "query", "header", "cookie")
_OF_BODY = ("body", "formData")  # OpenAPI 2.0
_STYLES = frozenset({"simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"})
_COLLECTIONS: dict[str, Style] = {"ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}
_NOT_PARAMETERS = frozenset({"accept", "content-type"})  # headers that OpenAPI says to ignore
_TEMPLATE = re.compile(r"\{([^{}]+)\}")


def parameter_nodes(*places: Node) -> list[Node]:
    """The parameters of an operation, the last of the places: its own, and those of its path that it does not replace.

    Raises:
        CatalogError: one is no parameter, or two of one list have one name and place and differ.
    """
    found = dict[tuple[str, str], Node]()
    for node in places:
        own = dict[tuple[str, str], Node]()
        for part in node.at("parameters").parts():
            parameter = part.follow()
            if _is_nothing(parameter):
                continue
            key = (_location(parameter), parameter.text("name"))
            if key in own and own[key].value != parameter.value:
                raise part.error(f"is a second {key[0]} parameter {key[1]!r}, and differs. Keep one of them.")
            own[key] = parameter
        found |= own
    return list(found.values())


def parameters(nodes: list[Node], path: str, library: Library) -> Iterator[Part]:
    """The parts of a request that its parameters are, those in the path first and in its order."""
    names = _TEMPLATE.findall(path)
    in_path = {node.text("name"): node for node in nodes if node.text("in") == "path"}
    for name in dict.fromkeys(names):
        if name in in_path:
            yield _parameter(in_path[name], "path", library)
        else:  # some documents forget it; without it nothing could be called
            yield Part(name=name, location="path", schema={"type": "string"}, required=True, style="simple")
    for node in nodes:
        location = node.text("in")
        if location == "querystring":
            yield from _whole_query(node, library)
        elif location in _LOCATIONS[1:] and not _is_ignored(node):
            yield _parameter(node, cast("Location", location), library)


def schema_2(node: Node, library: Library) -> JsonSchema:
    """The schema of a parameter of OpenAPI 2.0, which stands in the parameter itself."""
    beside = {key: value for key, value in (node.of(dict) or {}).items() if key not in {"required", "name", "in"}}
    return library.schema(Node(beside, node.uri, node.path, node.documents))


def style_2(node: Node, location: str) -> dict[str, Any]:
    """How OpenAPI 2.0 writes a list, in the words of OpenAPI 3."""
    collection = node.text("collectionFormat", "csv")
    plain = "simple" if location in {"path", "header"} else "form"
    return {"style": _COLLECTIONS.get(collection, plain), "explode": collection == "multi"}


def style_3(node: Node, default: str) -> dict[str, Any]:
    """How OpenAPI 3 writes lists and objects.

    Raises:
        CatalogError: there is no such style.
    """
    style = node.text("style", default)
    if style == "cookie":  # OpenAPI 3.2: as `form`, but nothing is escaped
        return {"style": "form", "explode": node.at("explode").of(bool) is not False, "allow_reserved": True}
    if style not in _STYLES:
        raise node.at("style").error(f"there is no style {style!r}. There are: {', '.join(sorted(_STYLES))}.")
    explode = node.at("explode").of(bool)
    return {
        "style": style,
        "explode": style == "form" if explode is None else explode,
        "allow_reserved": node.at("allowReserved").of(bool) is True,
    }


def described(schema: JsonSchema, node: Node) -> JsonSchema:
    """The schema with the description of the parameter that it is of."""
    text = node.text("description").strip()
    return schema | {"description": text} if text else schema


def _is_nothing(parameter: Node) -> bool:
    """Whether it has an empty name and need not be sent; some converters leave such ones behind."""
    return parameter.at("name").value == "" and parameter.at("required").value is not True


def _location(parameter: Node) -> str:
    location, name = parameter.text("in"), parameter.text("name")
    if location not in (*_LOCATIONS, *_OF_BODY, "querystring"):
        raise parameter.error(f"is no parameter: its place ('in') is {location!r}. Correct the document there.")
    if not name and location not in {"body", "querystring"}:
        raise parameter.error("is a parameter without a name. Give it one.")
    return location


def _parameter(node: Node, location: Location, library: Library) -> Part:
    media_type = next(iter(media_types(node)), "")
    more: dict[str, Any]
    if media_type:
        schema, more = _content_schema(node, library), {"style": "simple" if location == "path" else "form"}
    elif "schema" in node:
        schema = library.schema(node.at("schema"))
        more = style_3(node, "simple" if location in {"path", "header"} else "form")
    else:
        schema, more = schema_2(node, library), style_2(node, location)
    return Part(
        name=node.text("name"),
        location=location,
        schema=described(schema, node),
        required=location == "path" or node.at("required").of(bool) is True,
        media_type=media_type,
        **more,
    )


def _content_schema(node: Node, library: Library) -> JsonSchema:
    media = next(iter(media_types(node).values()))
    return library.schema(media.at("schema")) if media.at("schema").value is not None else {}


def _whole_query(node: Node, library: Library) -> Iterator[Part]:
    """OpenAPI 3.2: one parameter for the whole query; a form is taken apart, everything else is one argument."""
    media_type = next(iter(media_types(node)), "")
    schema = _content_schema(node, library) if media_type else {"type": "string"}
    found = members(schema, library) if media_type == URLENCODED else None
    if found is None:
        called = node.text("name", "query")
        required = node.at("required").of(bool) is True
        schema = described(schema, node)
        yield Part(name="", called=called, location="query", schema=schema, required=required, media_type=media_type)
        return
    for name, member in found.properties.items():
        yield Part(name=name, location="query", schema=member, required=name in found.required)


def _is_ignored(node: Node) -> bool:
    return node.text("in") == "header" and node.text("name").lower() in _NOT_PARAMETERS
