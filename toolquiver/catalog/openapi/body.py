"""What a request carries in its body: JSON, a form, or a whole."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from toolquiver.catalog.openapi.arguments import Part, argument_name
from toolquiver.catalog.openapi.files import is_file, is_whole_file, told
from toolquiver.catalog.openapi.forms import form_2, form_3
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.media import (
    ANY,
    ANY_BYTES,
    JSON,
    MULTIPART,
    URLENCODED,
    is_json,
    is_patch,
    is_xml,
    media_types,
    named,
    preference,
)
from toolquiver.catalog.openapi.members import members
from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.openapi.parameters import described
from toolquiver.catalog.openapi.xml_body import as_xml
from toolquiver.catalog.records import JsonSchema


class Body(NamedTuple):
    """The media type of a body, "" without one, its parts, and whether it says that it takes members of any name."""

    media_type: str = ""
    parts: tuple[Part, ...] = ()
    open: bool = False


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
    if media_type in {URLENCODED, MULTIPART} and media.at("schema").value is not None:
        parts = tuple(form_3(media_type, media, library, required=required))
        return Body(media_type if parts else "", parts)
    return _body(media_type, media, request, taken, library, required=required)


def body_2(nodes: list[Node], taken: Collection[str], consumes: list[str], library: Library) -> Body:
    """The body of OpenAPI 2.0: its `body` or its `formData` parameters among `nodes`."""
    form = tuple(form_2(node, library) for node in nodes if node.text("in") == "formData")
    if form:
        packed = MULTIPART in consumes and URLENCODED not in consumes
        return Body(MULTIPART if packed or any(part.location == "file" for part in form) else URLENCODED, form)
    for node in nodes:
        if node.text("in") == "body":
            media_type = min(consumes, key=preference, default=JSON)
            return _body(media_type, node, node, taken, library, required=node.at("required").of(bool) is True)
    return Body()


def _body(
    media_type: str, media: Node, said: Node, taken: Collection[str], library: Library, *, required: bool
) -> Body:
    """A body that is no form. `media` holds its schema, `said` its description."""
    place = media.at("schema")
    if place.value is None:
        schema: JsonSchema = {} if is_json(media_type) else {"type": "string"}
    else:
        schema = library.schema(place)
    schema = described(schema, said)
    if is_patch(media_type):
        text = library.resolved(schema).get("description", "")
        schema = schema | {"description": f"{text}\n\nA patch of the type {media_type}.".strip()}
    if media_type == ANY and is_file(schema, library):
        media_type = ANY_BYTES
    if is_json(media_type):
        return _json(named(media_type), schema, taken, library, required=required)
    if is_whole_file(schema, media_type, library):
        schema = told(schema, library)
    elif is_xml(media_type):
        schema = as_xml(schema, place, library)
    return _whole(media_type, schema, required=required)


def _json(media_type: str, schema: JsonSchema, taken: Collection[str], library: Library, *, required: bool) -> Body:
    found = members(schema, library)
    if found is None or (found.open and not found.properties):
        return _whole(media_type, schema, required=required)
    names = [argument_name(name) for name in found.properties]
    if len(set(names)) < len(names) or not set(names).isdisjoint(taken):
        return _whole(media_type, schema, required=required)
    parts = [
        Part(name=name, location="body", schema=member, required=name in found.required)
        for name, member in found.properties.items()
    ]
    return Body(media_type if parts else "", tuple(parts), found.open and names == list(found.properties))


def _whole(media_type: str, schema: JsonSchema, *, required: bool) -> Body:
    return Body(media_type, (Part(name="", called="body", location="body", schema=schema, required=required),))
