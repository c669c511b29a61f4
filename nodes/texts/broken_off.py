"""A text that a model wrote up to its limit, ended where something ends."""

from __future__ import annotations

import re

_NEARLY = 4  # characters below the limit where a text was broken off
_SENTENCE = re.compile(r".*[.!?](?=\s)", re.DOTALL)
_CLAUSE = re.compile(r" (?:for|in|on|to|from|of|with) (?:which|whom|whose)\b| \([^)]*$")


def whole_sentences(text: str) -> str:
    """A text that was cut, up to its last full stop; empty where it has none: a number may lack its last digits."""
    found = _SENTENCE.match(f"{text.strip()} ")
    return found[0] if found else ""


def ended(text: str, longest: int) -> str:
    """The text; one that comes near its limit without an end goes up to its last sentence, clause or comma."""
    text = text.strip()
    if len(text) < longest - _NEARLY or text.endswith((".", "!", "?")):
        return text
    if sentences := _SENTENCE.match(text):
        return sentences[0]
    clause = _CLAUSE.search(text)
    return text[: clause.start()] if clause else text.rpartition(", ")[0] or text
