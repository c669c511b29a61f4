"""What a message of LangChain holds, as text: texts as they are, what is no text by its kind and size."""

from __future__ import annotations

from typing import Any

_TEXTS = frozenset({"text", "text-plain"})
_OTHERS = frozenset({"audio", "file", "image", "image_url", "video"})


def text_of_blocks(content: object) -> str | None:
    """The text of a message's content, a line or more for each of its blocks; None where it has no blocks."""
    if not isinstance(content, list) or not any(isinstance(block, dict) for block in content):
        return None
    return "\n".join(filter(None, map(_shown, content))) if all(map(_is_block, content)) else None


def size_of_base64(encoded: str) -> int:
    """The bytes that a base64 text stands for."""
    return len(encoded.rstrip("=")) * 3 // 4


def _is_block(block: Any) -> bool:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str):
        return isinstance(block, str)
    return kind in _OTHERS or (kind in _TEXTS and isinstance(block.get("text"), str))


def _shown(block: str | dict[str, Any]) -> str:
    if isinstance(block, str):
        return block
    if block["type"] in _TEXTS:
        return str(block["text"])
    kind = str(block["type"]).removesuffix("_url")
    place = block.get("image_url") or block.get("url") or block.get("file_id") or ""
    place = str(place.get("url", "") if isinstance(place, dict) else place)
    told, _, inside = place.partition(";base64,") if place.startswith("data:") else ("", "", "")
    if data := block.get("base64") or block.get("data") or inside:
        media_type = block.get("mime_type") or told.removeprefix("data:") or "unknown type"
        return f"[{kind}, {media_type}, {size_of_base64(str(data))} bytes; it is not shown]"
    return f"[{kind}: {place}]" if place else f"[{kind}; it is not shown]"
