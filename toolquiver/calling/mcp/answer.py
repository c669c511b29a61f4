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
    texts, values = _repeated(data)
    parts = [_shown(block) for block in result.content if not _repeats(block, texts, values)]
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


def _repeated(data: Any) -> tuple[set[str], set[str]]:
    """What servers add to data for clients that read texts only: plain texts, and values as `_canonical`."""
    if data is None:
        return set(), set()
    inner = data["result"] if isinstance(data, dict) and data.keys() == {"result"} else data
    same = [data, inner, *(inner if isinstance(inner, list) else ())]  # of a list, they add each item
    return {value for value in same if isinstance(value, str)}, {_canonical(value) for value in same}


def _repeats(block: ContentBlock, texts: set[str], values: set[str]) -> bool:
    """Whether a block is but the data again."""
    if not isinstance(block, TextContent) or not values:
        return False
    if block.text in texts:
        return True
    try:
        return _canonical(json.loads(block.text)) in values
    except (ValueError, RecursionError):
        return False


def _canonical(value: Any) -> str:
    """A JSON value as the one text that is the same for equal values."""
    return json.dumps(value, sort_keys=True)
