"""An argument that takes some of the names that exist."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import JsonSchema

_MOST = 64  # names in a call


def some(key: str, names: Sequence[str], most: int | None = None, least: int = 1) -> dict[str, JsonSchema]:
    """An argument with some of the names that exist."""
    # Without an end a small model that must fit the schema repeats itself until its tokens are spent.
    end = most or min(len(names), _MOST)
    one = {"type": "string", "enum": list(names)}
    return {key: {"type": "array", "items": one, "minItems": least, "maxItems": end}}
