"""A text that a model wrote up to its limit, ended where something ends."""

from __future__ import annotations

import re

from toolquiver.nodes.texts.parts import sentences

_FULL_STOPS = (".", "!", "?")
_NEARLY = 4  # characters below the limit where a text was broken off
_CLAUSE = re.compile(r" (?:for|in|on|to|from|of|with) (?:which|whom|whose)\b| \([^)]*$")


def whole_sentences(text: str) -> str:
    """A text that was cut, up to its last full stop; empty where it has none: a number may lack its last digits."""
    text = text.strip()
    return text if text.endswith(_FULL_STOPS) else _before_last(text)


def ended(text: str, longest: int) -> str:
    """The text; one that comes near its limit without an end goes up to its last sentence, clause or comma."""
    text = text.strip()
    if len(text) < longest - _NEARLY or text.endswith(_FULL_STOPS):
        return text
    if whole := _before_last(text):
        return whole
    clause = _CLAUSE.search(text)
    return text[: clause.start()] if clause else text.rpartition(", ")[0] or text


def _before_last(text: str) -> str:
    """The text without its last sentence; empty where that is all of it."""
    *_, last = sentences(text) or [""]
    return text[: len(text) - len(last)].rstrip() if text.endswith(last) else ""
