"""Time zones in texts: a small model calls a local time UTC, though the offset after it says another zone."""

from __future__ import annotations

import re

_CALLED_UTC = re.compile(r"(?<![\d:])(\d{1,2}:\d\d)(?::\d\d)?\s?(?:UTC|GMT)\b(?!\s?[+-]\s?\d)")
_OFFSET = r"(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)"
_NONE = {"Z", "+00:00", "-00:00", "+0000", "-0000"}


def wrong_zone(text: str, data: str) -> str:
    """What is wrong with a time of the text that is called UTC; empty where the data gives it without an offset."""
    for match in _CALLED_UTC.finditer(text):
        time = match[1].zfill(len("00:00"))
        offsets = set(re.findall(rf"(?<![\d:]){time}{_OFFSET}", data))
        if offsets and not offsets & _NONE:
            return f"{match[1]} is a local time, at an offset of {', '.join(sorted(offsets))}, not in UTC"
    return ""
