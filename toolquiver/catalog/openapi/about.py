"""What a document says of itself and of its tags. What is broken there says nothing: no call depends on it."""

from __future__ import annotations

import re
from typing import Any

from toolquiver.catalog.condense import condensed
from toolquiver.catalog.openapi.nodes import Node

_PARAGRAPHS = re.compile(r"\n\s*\n")
_HEADINGS = re.compile(r"^ {0,3}#{1,6}\s.*$|^.*\n {0,3}(?:={2,}|-{2,})\s*$", re.MULTILINE)


def about_tags(root: Node) -> dict[str, str]:
    """What each tag is for, by its name: its summary, which OpenAPI 3.2 has, and its description."""
    tags = root.value.get("tags")
    found = [tag for tag in tags if isinstance(tag, dict)] if isinstance(tags, list) else []
    return {_text(tag, "name"): joined(_text(tag, "summary"), _text(tag, "description")) for tag in found}


def about_document(root: Node, title: str) -> str:
    """What the whole is for: its summary, and the first paragraph of its description that says more than the title."""
    info = root.value.get("info")
    if not isinstance(info, dict):
        return ""
    paragraphs = _PARAGRAPHS.split(_HEADINGS.sub("\n", _text(info, "description")))
    first = next((said for one in paragraphs if (said := condensed(one.strip(), name=title))), "")
    return joined(_text(info, "summary"), first)


def joined(summary: str, text: str) -> str:
    """A summary and a longer text as one, where the text does not begin with the summary anyway."""
    return text if text.startswith(summary) else f"{summary}\n\n{text}".strip()


def _text(holder: dict[str, Any], key: str) -> str:
    found = holder.get(key)
    return found.strip() if isinstance(found, str) else ""
