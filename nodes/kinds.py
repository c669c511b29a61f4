"""The kind of answer that a question asks for, as far as its words tell: a time of day, a number, a yes or no."""

from __future__ import annotations

import re

from toolquiver.catalog.stems import stems
from toolquiver.nodes.grounding import COUNTS, clocks

_TIME = re.compile(r"\b(?:what|which) time\b(?! ?zones?\b)", re.IGNORECASE)
_NUMBER = re.compile(r"\bhow (?:many|much|far|high|tall|heavy)\b", re.IGNORECASE)
_COUNTED = re.compile(rf"\d|\b(?:no|none|{'|'.join(COUNTS)})\b", re.IGNORECASE)
# The second of two questions that only a yes or no answers: "..., and is it a prime?"
_WHETHER = re.compile(
    r"\band ((?:is|are|was|were|does|do|did|has|have|can) (?:it|he|she|they|this|that)\b[^?]*\?)", re.IGNORECASE
)
_YES_OR_NO = re.compile(r"\b(?:yes|no|not|\w+n't|neither)\b", re.IGNORECASE)
# What a digest says where a response lacks what the task asks for.
_LACKS = re.compile(
    r"\b(?:api|call|data|response|result|text|tool)s? (?:\S+ ){0,2}(?:do(?:es)?|did)(?: not|n't) (?:\w+ )?"
    r"(?:answer|contain|find|generate|give|have|include|list|mention|offer|provide|return|show|specify|support|tell)\b"
    r"|\bno (?:data|details|information|results?) (?:\w+ ){0,4}(?:available|found|given|provided|returned)\b",
    re.IGNORECASE,
)
HAS_NO = "That has no"
"""What every hint about the kind of an answer begins with that says nothing of a tool for it."""


def other_kind(task: str, answer: str) -> str:
    """What the answer does not have that the task asks for; empty when nothing shows.

    A time of day that the task gives itself is not the one it asks for.
    """
    if _TIME.search(task) and not clocks(answer) - clocks(task):
        return f"{HAS_NO} time of day; the task asks for one."
    if _NUMBER.search(task) and not _COUNTED.search(answer):
        return f"{HAS_NO} number; the task asks for one."
    if _LACKS.search(answer):
        return f"{HAS_NO} answer to all of the task."
    return next((f"It does not say: {asked}" for asked in _WHETHER.findall(task) if not _says(answer, asked)), "")


def _says(answer: str, asked: str) -> bool:
    """Whether an answer has a yes, a no, or a word of what is asked."""
    about = set(stems(asked))
    return not about or bool(about & set(stems(answer)) or _YES_OR_NO.search(answer))
