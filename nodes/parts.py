"""The parts of a request that stand side by side: sentences that ask, and what is joined to them by `, and how ...`."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[\"'(]?[A-Z])")
_ABBREVIATION = re.compile(r"\b(?:[A-Z]|St|Mr|Mrs|Ms|Dr|Prof|No|vs|etc|approx)\.$")
# Behind a comma alone, `which` and `who` are relative; behind `, and` they ask.
_JOINT = re.compile(
    r"(?:[,;]\s+(?:and|then|also)\s+(?=(?:(?:at|by|for|from|in|on|to|with)\s+)?(?:which|who|whose)\b)"
    r"|(?:[,;]\s+|\s+)(?:and|then|also)\s+(?=(?:(?:at|by|for|from|in|on|to|with)\s+)?(?:what|how|when|where)\b)"
    r"|[,;]\s+(?=(?:what|how)\b))",
    re.IGNORECASE,
)
_SHORTEST = 3  # words of a question: `when and where` and `on which date and at what time` ask of one thing
_ASKS = re.compile(r"\b(?:what|which|how|when|where|who|whose)\b", re.IGNORECASE)


def parts_of(request: str) -> list[str]:
    """The request's questions in its own words, each with the statements before it; one where nothing is joined."""
    parts: list[str] = []
    said: list[str] = []
    for sentence in sentences(request):
        if not sentence.endswith("?"):
            said.append(sentence)
            continue
        first, *others = _asked(sentence)
        parts += [" ".join([*said, first]), *others]
        said = []
    if said and parts:
        parts[-1] = " ".join([parts[-1], *said])
    return parts or [request.strip()]


def _asked(sentence: str) -> list[str]:
    """The questions joined in a sentence; what comes before the first question word belongs to that question."""
    joints = [match.span() for match in _JOINT.finditer(sentence) if _is_question(sentence[: match.start()])]
    ends = [*(start for start, _ in joints), len(sentence)]
    return [sentence[begin:end] for begin, end in zip([0, *(end for _, end in joints)], ends, strict=True)]


def _is_question(text: str) -> bool:
    words = [*_ASKS.finditer(text)]
    return bool(words) and len(text[words[-1].start() :].split()) >= _SHORTEST


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    found: list[str] = []
    for piece in _SENTENCE.split(text.strip()):
        if found and _ABBREVIATION.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        else:
            found.append(piece)
    return found
