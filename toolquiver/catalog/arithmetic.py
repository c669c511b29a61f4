"""Sums written out in a question: who asks for 12 plus 30 does not say what an API is called that adds."""

from __future__ import annotations

import re

_SIGNS = {
    "add numbers together": r"\s*\+\s*|\s+plus\s+",
    "subtract one number from another": r"\s+[-\u2212]\s+|\s+minus\s+",
    "multiply numbers together": r"\s*[*\u00d7]\s*|\s+(?:x|times|multiplied\s+by)\s+",
    "divide one number by another": r"\s*\u00f7\s*|\s+(?:/|divided\s+by)\s+",
    "raise a number to a power": r"\s*(?:\^|\*\*)\s*|\s+to\s+the\s+power\s+of\s+",
    "percentage of a number": r"\s*%\s+of\s+|\s+percent\s+of\s+",
}
_OPERATIONS = {name: re.compile(rf"(?<=\d)(?:{sign})-?\d", re.IGNORECASE) for name, sign in _SIGNS.items()}


def operations(text: str) -> list[str]:
    """What is done with the numbers of a text by the signs and words between them: `["add numbers together"]`."""
    return [name for name, sign in _OPERATIONS.items() if sign.search(text)]
