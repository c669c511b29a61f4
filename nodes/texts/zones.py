"""Time zones in texts: a small model calls a local time UTC, or UTC a local time, though the offset says otherwise."""

from __future__ import annotations

import re

_CALLED_UTC = re.compile(r"(?<![\d:])(\d{1,2}:\d\d)(?::\d\d)?\s?(?:UTC|GMT)\b(?!\s?[+-]\s?\d)")
_CALLED_LOCAL = re.compile(
    r"(?<![\d:])(\d{1,2}:\d\d)(?::\d\d)?\s?(?:[AP]M\s?)?\(?(?:in |of )?local time\b", re.IGNORECASE
)
_OFFSET = r"(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)"
_NONE = {"Z", "+00:00", "-00:00", "+0000", "-0000"}


def wrong_zone(text: str, data: str) -> str:
    """What is wrong with a time that the text calls UTC, or local; empty where the data gives it without an offset."""
    for match in _CALLED_UTC.finditer(text):
        offsets = _offsets(match[1], data)
        if offsets and not offsets & _NONE:
            return f"{match[1]} is a local time, at an offset of {', '.join(sorted(offsets))}, not in UTC"
    for match in _CALLED_LOCAL.finditer(text):
        offsets = _offsets(match[1], data)
        if offsets and offsets <= _NONE:
            return f"{match[1]} is in UTC, not a local time"
    return ""


def _offsets(time: str, data: str) -> set[str]:
    return set(re.findall(rf"(?<![\d:]){time.zfill(len('00:00'))}{_OFFSET}", data))
