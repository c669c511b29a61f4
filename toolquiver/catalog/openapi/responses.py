"""What an operation answers when all is well."""

from __future__ import annotations

from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.media import is_json, media_types
from toolquiver.catalog.openapi.members import members
from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.records import JsonSchema


def output(operation: Node, library: Library) -> JsonSchema | None:
    """The schema of the JSON that comes back on success; None where the document does not say.

    An object that is put together of several is written as one.
    """
    responses = dict(operation.at("responses").members())
    status = min((key for key in responses if key[:1] == "2" or key == "default"), default="")
    if not status:
        return None
    schema = _json_schema(responses[status].follow())
    if schema is None:
        return None
    found = library.schema(schema)
    whole = members(found, library) if "allOf" in library.resolved(found) else None
    if whole is None:
        return found
    return {"type": "object", "properties": whole.properties, "required": whole.required}


def _json_schema(response: Node) -> Node | None:
    if "schema" in response:  # OpenAPI 2.0
        return None if response.at("schema").at("type").value == "file" else response.at("schema")
    for media_type, media in media_types(response).items():
        if is_json(media_type) and media.at("schema").value is not None:
            return media.at("schema")
    return None
