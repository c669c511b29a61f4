"""What a tool answered, as text: text as it is, data as JSON, what is no text by its type and size."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)

from toolquiver.calling.contents import size_of_base64
from toolquiver.calling.python import as_text


def answer(result: CallToolResult) -> str:
    """The text of a result; an empty one says so."""
    data = result.structured_content
    parts = [_shown(block) for block in result.content if data is None or not _repeats(block, data)]
    if data is not None:
        parts.insert(0, as_text(data) if not isinstance(data, str) else json.dumps(data, ensure_ascii=False))
    return as_text("\n".join(part for part in parts if part)) or "Done; the tool returned nothing."


def _shown(block: ContentBlock) -> str:
    if isinstance(block, TextContent):
        return block.text
    if isinstance(block, ImageContent | AudioContent):
        return f"[{block.type}, {block.mime_type}, {size_of_base64(block.data)} bytes; it is not shown]"
    return _linked(block) if isinstance(block, ResourceLink) else _embedded(block)


def _linked(link: ResourceLink) -> str:
    told = (link.title or link.name, link.uri, link.mime_type, link.description)
    return f"[resource: {', '.join(text for text in told if text)}]"


def _embedded(block: EmbeddedResource) -> str:
    """A resource in the answer: a text is what was asked for, so it is shown below its address."""
    found = block.resource
    kind = f", {found.mime_type}" if found.mime_type else ""
    if isinstance(found, BlobResourceContents):
        return f"[resource: {found.uri}{kind}, {size_of_base64(found.blob)} bytes; it is not shown]"
    return f"[resource: {found.uri}{kind}]\n{found.text}"


def _repeats(block: ContentBlock, data: Any) -> bool:
    """Whether a block is but the data again, as servers add it for clients that read texts only."""
    if not isinstance(block, TextContent):
        return False
    inner = data["result"] if isinstance(data, dict) and data.keys() == {"result"} else data
    same = [data, inner, *(inner if isinstance(inner, list) else ())]  # of a list, servers add each item
    if block.text in same:
        return True
    try:
        return json.loads(block.text) in same
    except (ValueError, RecursionError):
        return False
