"""What a request carries in its body: JSON, a form, or a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from toolquiver.catalog.openapi.arguments import Part, argument_name
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.media import JSON, MULTIPART, URLENCODED, is_json, media_types, named, preference
from toolquiver.catalog.openapi.members import members
from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.openapi.parameters import described, schema_2, style_2, style_3
from toolquiver.catalog.records import JsonSchema


class Body(NamedTuple):
    """The media type of a body, "" without one, and its parts."""

    media_type: str = ""
    parts: tuple[Part, ...] = ()


def body_3(operation: Node, taken: Collection[str], library: Library) -> Body:
    """The body of OpenAPI 3. Its members become arguments of their own where none has a name that is `taken`.

    What the members require counts even where the body as a whole is not said to be required: most documents that
    leave that out have forgotten it.
    """
    request = operation.at("requestBody").follow()
    found = media_types(request)
    if not found:
        return Body()
    media_type = min(found, key=preference)
    media = found[media_type]
    required = request.at("required").of(bool) is True
    if media.at("schema").value is None:
        whole = described({} if is_json(media_type) else {"type": "string"}, request)
        return Body(media_type, (_whole(whole, required=required),))
    schema = library.schema(media.at("schema"))
    if media_type in {URLENCODED, MULTIPART}:
        parts = tuple(_form_3(media, schema, library, multipart=media_type == MULTIPART, required=required))
    elif is_json(media_type):
        parts = tuple(_json(described(schema, request), taken, library, required=required))
    else:
        parts = (_whole(described(schema, request), required=required),)
    return Body(named(media_type) if parts else "", parts)


def body_2(nodes: list[Node], taken: Collection[str], consumes: list[str], library: Library) -> Body:
    """The body of OpenAPI 2.0: its `body` or its `formData` parameters among `nodes`."""
    form = tuple(_form_2(node, library) for node in nodes if node.text("in") == "formData")
    if form:
        packed = MULTIPART in consumes and URLENCODED not in consumes
        return Body(MULTIPART if packed or any(part.location == "file" for part in form) else URLENCODED, form)
    for node in nodes:
        if node.text("in") == "body":
            schema = described(library.schema(node.at("schema")) if "schema" in node else {}, node)
            media_type = min(consumes, key=preference, default=JSON)
            required = node.at("required").of(bool) is True
            if is_json(media_type):
                parts = tuple(_json(schema, taken, library, required=required))
                return Body(named(media_type) if parts else "", parts)
            return Body(media_type, (_whole(schema, required=required),))
    return Body()


def _whole(schema: JsonSchema, *, required: bool) -> Part:
    return Part(name="", called="body", location="body", schema=schema, required=required)


def _json(schema: JsonSchema, taken: Collection[str], library: Library, *, required: bool) -> Iterator[Part]:
    found = members(schema, library)
    names = {argument_name(name) for name in found.properties} if found else set[str]()
    if found is None or len(names) < len(found.properties) or not names.isdisjoint(taken):
        yield _whole(schema, required=required)
        return
    for name, member in found.properties.items():
        yield Part(name=name, location="body", schema=member, required=name in found.required)


def _form_3(media: Node, schema: JsonSchema, library: Library, *, multipart: bool, required: bool) -> Iterator[Part]:
    found = members(schema, library)
    if found is None and multipart and _is_file(schema, library):
        # A document that loses the part's name leaves one to guess; most servers call it this.
        yield Part(name="file", location="file", schema=schema, required=required)
        return
    if found is None:
        yield _whole(schema, required=required)
        return
    for name, member in found.properties.items():
        encoding = media.at("encoding").at(name).follow()
        required = name in found.required
        if multipart and _is_file(member, library):
            of_file = encoding.text("contentType").partition(",")[0].strip()
            yield Part(name=name, location="file", schema=member, required=required, media_type=of_file)
        elif any(key in encoding for key in ("style", "explode", "allowReserved")):
            yield Part(name=name, location="form", schema=member, required=required, **style_3(encoding, "form"))
        else:
            kind = encoding.text("contentType") or (JSON if _is_composed(member, library) else "")
            yield Part(name=name, location="form", schema=member, required=required, media_type=kind)


def _form_2(node: Node, library: Library) -> Part:
    return Part(
        name=node.text("name"),
        location="file" if node.text("type") == "file" else "form",
        schema=schema_2(node, library),
        required=node.at("required").of(bool) is True,
        **style_2(node, "form"),
    )


def _item(schema: JsonSchema, library: Library) -> JsonSchema:
    """The schema of a value, or of each where it is a list."""
    plain = library.resolved(schema)
    items = plain.get("items")
    return library.resolved(items) if plain.get("type") == "array" and isinstance(items, dict) else plain


def _is_file(schema: JsonSchema, library: Library) -> bool:
    item = _item(schema, library)
    media_type = item.get("contentMediaType", JSON)
    return item.get("format") == "binary" or (media_type != JSON and "contentEncoding" not in item)


def _is_composed(schema: JsonSchema, library: Library) -> bool:
    """Whether a form carries it as JSON: an object, or a list of objects."""
    return _item(schema, library).get("type") == "object"
