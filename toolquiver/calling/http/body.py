"""The body of a request: JSON, a form, a form with files, or text as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx

from toolquiver.calling.http.files import ANY_BYTES, file_name, file_of
from toolquiver.calling.http.inside import Placed
from toolquiver.calling.http.styles import as_json, is_json, plain, plain_pairs, query_pairs
from toolquiver.calling.outcome import CallError
from toolquiver.catalog.openapi.files import is_binary, plainly
from toolquiver.catalog.operation import HttpOperation, Placement
from toolquiver.catalog.records import JsonSchema

_WITH_FILES = "multipart/form-data"
_FORM = "application/x-www-form-urlencoded"

_Part = tuple[str, tuple[str | None, bytes, str | None]]
"""A part of a form with files: its name; file name, content and content type."""


def body(operation: HttpOperation, placed: Placed, properties: dict[str, Any]) -> tuple[bytes, str]:
    """The bytes of the body and their content type; both empty when the operation has no body.

    `properties` are the schemas of the API's parameters, which say how a file is written down.

    Raises:
        CallError: `invalid_arguments`, or `unknown_api` for a kind of body that cannot be written here.
    """
    kind = operation.body_media_type.partition(";")[0].strip().lower()
    parts = [(place, value) for place, value in placed if place.location in {"body", "form", "file"}]
    whole = [(place, value) for place, value in parts if place.location == "body" and not place.name]
    if not kind or (not parts and not is_json(kind)):
        return b"", ""
    if kind == _WITH_FILES:
        return _multipart(parts, properties)
    if kind == _FORM:
        pairs = [pair for place, value in parts for pair in query_pairs(place, value)]
        return "&".join(pairs).encode(), _FORM
    if whole:
        place, value = whole[0]
        return _whole(kind, value, operation.body_media_type, _schema(properties.get(place.argument)))
    if is_json(kind):
        if not parts and any(place.location == "body" and not place.name for place in operation.placements):
            return b"", ""
        return as_json({place.name: value for place, value in parts}).encode(
            "utf-8", "replace"
        ), operation.body_media_type
    raise _unwritable(kind)


def _whole(kind: str, value: Any, media_type: str, schema: JsonSchema) -> tuple[bytes, str]:
    if is_json(kind):
        return as_json(value).encode("utf-8", "replace"), media_type
    if isinstance(value, str) and (is_binary(plainly(schema)) or not (kind.startswith("text/") or "xml" in kind)):
        file = file_of(value, {})
        # A server that takes any bytes may take them under no other name; one that takes images is told which.
        told = media_type if kind == ANY_BYTES else file.media_type
        return file.data, told or ("" if "*" in kind else media_type) or ANY_BYTES
    if isinstance(value, str):
        return value.encode("utf-8", "replace"), media_type
    if "xml" in kind:
        raise _unwritable(kind)
    # Documents that name another type for an object are wrong about the type more often than about the object.
    return as_json(value).encode("utf-8", "replace"), "application/json"


def _unwritable(kind: str) -> CallError:
    return CallError(
        "unknown_api",
        f"A body of the type {kind} cannot be made of an object. Import the source again: it is one text there, to be"
        " written by who calls.",
    )


def _multipart(parts: Placed, properties: dict[str, Any]) -> tuple[bytes, str]:
    files: list[_Part] = []
    for place, value in parts:
        schema = _schema(properties.get(place.argument))
        if place.name:
            files += _parts(place, place.name, value, schema)
        elif isinstance(value, dict):
            inner = _schema(plainly(schema).get("properties"))
            for name, item in value.items():
                files += _parts(place, name, item, _schema(inner.get(name)))
        else:
            raise CallError("invalid_arguments", f"{place.argument}: give the form as an object with its fields.")
    if not files:
        return b"", ""
    request = httpx.Request("POST", "http://localhost", files=files)
    return request.read(), request.headers["content-type"]


def _parts(place: Placement, name: str, value: Any, schema: JsonSchema) -> Iterator[_Part]:
    """The parts that one field is: those of a style by that, else a list's members, each of the same name."""
    # What is not exploded, or in brackets, is so because the document says it; the default is a part for each.
    styled = place.location == "form" and not place.media_type and (not place.explode or place.style == "deepObject")
    if styled and place.name and isinstance(value, dict | list):
        for key, text in plain_pairs(place, value):
            yield key, (None, text.encode("utf-8", "replace"), None)
        return
    schema = plainly(schema)
    how = plainly(_schema(schema.get("items"))) if isinstance(value, list) else schema
    for item in value if isinstance(value, list) else [value]:
        if item is not None:
            yield name, _part(place, name, item, how)


def _schema(found: Any) -> JsonSchema:
    """A schema, or nothing known where there is none or `true`."""
    return found if isinstance(found, dict) else {}


def _part(place: Placement, name: str, value: Any, schema: JsonSchema) -> tuple[str | None, bytes, str | None]:
    """File name, content and content type of one part."""
    if place.location == "file" or is_binary(schema):
        file = file_of(value, schema)
        media_type = file.media_type or ("" if "*" in place.media_type else place.media_type) or ANY_BYTES
        return file.name or file_name(name, media_type), file.data, media_type
    if isinstance(value, dict | list) or is_json(place.media_type):
        return None, as_json(value).encode("utf-8", "replace"), place.media_type or "application/json"
    return None, plain(value).encode("utf-8", "replace"), place.media_type or None
