"""Files among what a request carries: which parts are some, and how a model is told to write one."""

from __future__ import annotations

from collections.abc import Callable

from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.media import ANY_BYTES, JSON
from toolquiver.catalog.records import JsonSchema

_HOW = "Give text as it is, or any bytes as data:MEDIA/TYPE;name=FILE;base64,..."

_DEEPEST = 3  # choices and `allOf` inside of each other; a schema may hold itself there

_BYTES = ("image/", "audio/", "video/", "font/")


def is_file(schema: JsonSchema, library: Library) -> bool:
    """Whether a value, or each of a list, is the content of a file."""
    one = item(schema, library)
    media_type = one.get("contentMediaType", JSON)
    return is_binary(one) or (media_type != JSON and "contentEncoding" not in one)


def is_whole_file(schema: JsonSchema, media_type: str, library: Library) -> bool:
    """Whether a body of this media type, which is not JSON, is the content of a file and no text that it spells."""
    plain, kind = plainly(schema, library.resolved), media_type.partition(";")[0].strip().lower()
    if plain.get("type", "string") not in ("string", ["string", "null"]):
        return False
    if is_binary(plain) or "contentEncoding" in plain:
        return is_binary(plain)
    return kind == ANY_BYTES or kind.startswith(_BYTES)


def told(schema: JsonSchema, library: Library) -> JsonSchema:
    """The schema of a file with a description that says how it is written."""
    said = library.resolved(schema).get("description", "").strip()
    return schema | {"description": f"{said}\n\n{_HOW}".strip()}


def item(schema: JsonSchema, library: Library) -> JsonSchema:
    """The schema of a value, or of each where it is a list."""
    plain = plainly(schema, library.resolved)
    items = plain.get("items")
    is_list = plain.get("type") in ("array", ["array", "null"])
    return plainly(items, library.resolved) if is_list and isinstance(items, dict) else plain


def plainly(schema: JsonSchema, resolved: Callable[[JsonSchema], JsonSchema] = dict, depth: int = 0) -> JsonSchema:
    """The schema in one piece: with what its `allOf`, and a choice between one thing and null, say."""
    plain = resolved(schema)
    if depth == _DEEPEST:
        return plain
    choice = [resolved(part) for key in ("anyOf", "oneOf") for part in plain.get(key, ()) if isinstance(part, dict)]
    options = [part for part in choice if part.get("type") != "null"]
    parts = [part for part in plain.get("allOf", ()) if isinstance(part, dict)]
    found: JsonSchema = {}
    for part in [*parts, *(options if len(options) == 1 else ())]:
        found |= plainly(part, resolved, depth + 1)
    return found | plain


def is_binary(plain: JsonSchema) -> bool:
    """Whether a schema in one piece is one of any bytes."""
    return "binary" in (plain.get("format"), plain.get("contentEncoding"))
