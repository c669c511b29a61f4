"""Half surrogates: what the escape of one reads as in JSON, and no file, request or database can carry."""

from __future__ import annotations

from typing import Any


def without_halves(value: Any) -> Any:
    """JSON-like data with U+FFFD for every half surrogate in its texts and keys; pairs become their character."""
    if isinstance(value, dict):
        return {without_halves(key): without_halves(part) for key, part in value.items()}
    if isinstance(value, list):
        return [without_halves(part) for part in value]
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else value
