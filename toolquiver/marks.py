"""The marks around what a tool or another model wrote, in a prompt."""

from __future__ import annotations

import re


def as_data(text: str, mark: str = "result") -> str:
    """What a tool or another model wrote, so that it cannot close the `<result>`, or other mark, it is shown in."""
    return re.sub(rf"<\s*/\s*{mark}", rf"<\\/{mark}", text, flags=re.IGNORECASE)
