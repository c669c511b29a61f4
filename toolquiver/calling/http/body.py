"""The body of a request: JSON, a form, a form with files, or text as it is."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import httpx

from toolquiver.calling.http.inside import Placed
from toolquiver.calling.http.styles import as_json, is_json, plain, query_pairs
from toolquiver.calling.outcome import CallError
from toolquiver.catalog.operation import HttpOperation, Placement
from toolquiver.catalog.records import JsonSchema

_WITH_FILES = "multipart/form-data"
_FORM = "application/x-www-form-urlencoded"


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
        return _whole(kind, whole[0][1], operation.body_media_type)
    if is_json(kind):
        if not parts and any(place.location == "body" and not place.name for place in operation.placements):
            return b"", ""
        return as_json({place.name: value for place, value in parts}).encode("utf-8", "replace"), kind
    raise _unwritable(kind)


def _whole(kind: str, value: Any, media_type: str) -> tuple[bytes, str]:
    if is_json(kind):
        return as_json(value).encode("utf-8", "replace"), media_type
    if isinstance(value, str):
        return value.encode("utf-8", "replace"), media_type
    if "xml" in kind:
        raise _unwritable(kind)
    # Documents that name another type for an object are wrong about the type more often than about the object.
    return as_json(value).encode("utf-8", "replace"), "application/json"


def _unwritable(kind: str) -> CallError:
    return CallError("unknown_api", f"A body of the type {kind} cannot be written here. Use another API.")


def _multipart(parts: Placed, properties: dict[str, Any]) -> tuple[bytes, str]:
    files: list[tuple[str, tuple[str | None, bytes, str | None]]] = []
    for place, value in parts:
        schema = _schema(properties.get(place.argument))
        if not place.name and isinstance(value, dict):
            inner = _schema(schema.get("properties"))
            members = [(key, item, _schema(inner.get(key))) for key, item in value.items()]
        elif place.name:
            members = [(place.name, value, schema)]
        else:
            raise CallError("invalid_arguments", f"{place.argument}: give the form as an object with its fields.")
        for name, item, described in members:
            files += [(name, _part(place, name, each, how)) for each, how in _repeated(item, described)]
    request = httpx.Request("POST", "http://localhost", files=files)
    return request.read(), request.headers["content-type"]


def _repeated(value: Any, schema: JsonSchema) -> list[tuple[Any, JsonSchema]]:
    """A list's members, which are parts of the same name; anything else alone; null not at all."""
    values = value if isinstance(value, list) else [value]
    how = _schema(schema.get("items")) if isinstance(value, list) else schema
    return [(item, how) for item in values if item is not None]


def _schema(found: Any) -> JsonSchema:
    """A schema, or nothing known where there is none or `true`."""
    return found if isinstance(found, dict) else {}


def _part(place: Placement, name: str, value: Any, schema: JsonSchema) -> tuple[str | None, bytes, str | None]:
    """File name, content and content type of one part."""
    if place.location == "file" or schema.get("format") == "binary":
        return name, _file(value, schema), place.media_type or "application/octet-stream"
    if isinstance(value, dict | list) or is_json(place.media_type):
        return None, as_json(value).encode("utf-8", "replace"), place.media_type or "application/json"
    return None, plain(value).encode("utf-8", "replace"), place.media_type or None


def _file(value: Any, schema: JsonSchema) -> bytes:
    """The bytes of a text, of base64 where the schema says so."""
    text = plain(value)
    if schema.get("contentEncoding") != "base64" and schema.get("format") not in {"byte", "base64"}:
        return text.encode("utf-8", "replace")
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except binascii.Error as error:
        raise CallError("invalid_arguments", "The content of a file must be written in base64.") from error
