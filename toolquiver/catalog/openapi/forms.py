"""The fields of a form: each an argument of its own, some of them files."""

from __future__ import annotations

from collections.abc import Iterator

from toolquiver.catalog.openapi.arguments import Part
from toolquiver.catalog.openapi.files import is_file, item, told
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.media import JSON, MULTIPART
from toolquiver.catalog.openapi.members import members
from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.openapi.parameters import schema_2, style_2, style_3
from toolquiver.catalog.records import JsonSchema


def form_3(media_type: str, media: Node, library: Library, *, required: bool) -> Iterator[Part]:
    """The fields of a form of OpenAPI 3; the whole form where its schema is not plainly an object."""
    schema, multipart = library.schema(media.at("schema")), media_type == MULTIPART
    found = members(schema, library)
    if found is None and multipart and is_file(schema, library):
        # A document that loses the part's name leaves one to guess; most servers call it this.
        yield Part(name="file", location="file", schema=told(schema, library), required=required)
        return
    if found is None:
        yield Part(name="", called="body", location="body", schema=schema, required=required)
        return
    for name, member in found.properties.items():
        encoding = media.at("encoding").at(name).follow()
        required = name in found.required
        if multipart and is_file(member, library):
            of_file = encoding.text("contentType").partition(",")[0].strip()
            shown = told(member, library)
            yield Part(name=name, location="file", schema=shown, required=required, media_type=of_file)
        elif any(key in encoding for key in ("style", "explode", "allowReserved")):
            yield Part(name=name, location="form", schema=member, required=required, **style_3(encoding, "form"))
        else:
            kind = encoding.text("contentType") or (JSON if _is_composed(member, library) else "")
            yield Part(name=name, location="form", schema=member, required=required, media_type=kind)


def form_2(node: Node, library: Library) -> Part:
    """A `formData` parameter of OpenAPI 2.0."""
    schema = schema_2(node, library)
    of_file = "file" in {node.text("type"), node.at("items").text("type")}
    return Part(
        name=node.text("name"),
        location="file" if of_file else "form",
        schema=told(schema, library) if of_file else schema,
        required=node.at("required").of(bool) is True,
        **style_2(node, "form"),
    )


def _is_composed(schema: JsonSchema, library: Library) -> bool:
    """Whether a form carries it as JSON: an object, or a list of objects."""
    return item(schema, library).get("type") == "object"
