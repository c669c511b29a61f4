"""The kind of answer that a question asks for, as far as its words tell: a time of day, a number."""

from __future__ import annotations

import re

from toolquiver.nodes.grounding import clocks

_TIME = re.compile(r"\b(?:what|which) time\b(?! ?zones?\b)", re.IGNORECASE)
_NUMBER = re.compile(r"\bhow (?:many|much|far|high|tall|heavy)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\d|\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE
)


def other_kind(task: str, answer: str) -> str:
    """What the answer does not have that the task asks for; empty when nothing shows.

    A time of day that the task gives itself is not the one it asks for.
    """
    if _TIME.search(task) and not clocks(answer) - clocks(task):
        return "That has no time of day; the task asks for one."
    if _NUMBER.search(task) and not _COUNTED.search(answer):
        return "That has no number; the task asks for one."
    return ""
