"""What a call returned, as data."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.json_texts import parsed


class Response(TypedDict):
    """What a call came to, whole."""

    api: ApiId
    arguments: dict[str, Any]
    text: str


def object_in(observation: str) -> dict[str, Any] | None:
    """The JSON object that a response is; None where it is another thing."""
    try:
        data = parsed(observation)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
