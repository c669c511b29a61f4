"""A body that is XML: what a document calls an object is one text, which whoever calls writes."""

from __future__ import annotations

from toolquiver.catalog.openapi.arguments import Part
from toolquiver.catalog.openapi.keys import is_secret
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.members import members
from toolquiver.catalog.openapi.nodes import Node
from toolquiver.catalog.records import JsonSchema


def as_xml(schema: JsonSchema, node: Node, library: Library) -> JsonSchema:
    """The schema of the text, described by the element's name and those in it; a text's schema as it is.

    `node` is where the schema stands, `schema` what it says with the body's description.
    """
    plain = library.resolved(schema)
    if plain.get("type") == "string":
        return schema
    said = [str(plain.get("description", "")), f"XML as text{_element(node)}{_inside(schema, library)}."]
    return {"type": "string", "description": "\n\n".join(filter(None, said))}


def _element(node: Node) -> str:
    """Its name: the one that the document gives it, else that of the schema that it refers to."""
    target = node.follow()
    name = target.at("xml").text("name") if "xml" in target else ""
    name = name or (target.path[-1] if node.reference() and target.path else "")
    return f": the element {name}" if name else ""


def _inside(schema: JsonSchema, library: Library) -> str:
    found = members(schema, library)
    shown = [
        name
        for name, member in (found.properties.items() if found else ())
        if not is_secret(Part(name=name, location="body", schema=member), library)
    ]
    return f" with {', '.join(shown)}" if shown else ""
