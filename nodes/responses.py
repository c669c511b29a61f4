"""What a call returned, as data."""

from __future__ import annotations

import json
from typing import Any


def object_in(observation: str) -> dict[str, Any] | None:
    """The JSON object that a response is; None where it is another thing."""
    try:
        data = json.loads(observation)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
