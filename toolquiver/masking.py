"""Secrets out of what is written down: an agent of others may repeat its key in an error."""

from __future__ import annotations

import json
import os
import re

_SECRET = re.compile(r"(?i)(key|token|secret|passw(or)?d|credential)")
_SHORTEST = 8  # a shorter value may stand in ordinary words
MASK = "[hidden]"


def masked(text: str) -> str:
    """`text` without the values of environment variables whose names say that they are secret, plain or in JSON."""
    for name, value in os.environ.items():
        if _SECRET.search(name) and len(value) >= _SHORTEST:
            text = text.replace(json.dumps(value, ensure_ascii=False)[1:-1], MASK).replace(value, MASK)
    return text
