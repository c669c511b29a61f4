"""Files among what a request carries: which parts are some, and how a model is told to write one."""

from __future__ import annotations

from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.media import ANY_BYTES, JSON
from toolquiver.catalog.records import JsonSchema

_HOW = "Give text as it is, or any bytes as data:MEDIA/TYPE;name=FILE;base64,..."

_BYTES = ("image/", "audio/", "video/", "font/")


def is_file(schema: JsonSchema, library: Library) -> bool:
    """Whether a value, or each of a list, is the content of a file."""
    one = item(schema, library)
    media_type = one.get("contentMediaType", JSON)
    return one.get("format") == "binary" or (media_type != JSON and "contentEncoding" not in one)


def is_whole_file(schema: JsonSchema, media_type: str, library: Library) -> bool:
    """Whether a body of this media type, which is not JSON, is the content of a file and no text that it spells."""
    plain, kind = library.resolved(schema), media_type.partition(";")[0].strip().lower()
    if plain.get("type", "string") != "string" or "contentEncoding" in plain:
        return False
    return plain.get("format") == "binary" or kind == ANY_BYTES or kind.startswith(_BYTES)


def told(schema: JsonSchema, library: Library) -> JsonSchema:
    """The schema of a file with a description that says how it is written."""
    said = library.resolved(schema).get("description", "").strip()
    return schema | {"description": f"{said}\n\n{_HOW}".strip()}


def item(schema: JsonSchema, library: Library) -> JsonSchema:
    """The schema of a value, or of each where it is a list."""
    plain = library.resolved(schema)
    items = plain.get("items")
    return library.resolved(items) if plain.get("type") == "array" and isinstance(items, dict) else plain
