"""Text that others wrote, on a page or a terminal: data, models and tools must not steer what shows it."""

from __future__ import annotations

from html import escape
from unicodedata import category


def visible(value: object) -> str:
    """Anything as text, with what cannot be seen replaced: control characters may hide or turn what follows."""
    return "".join(letter if _is_seen(letter) else "\N{REPLACEMENT CHARACTER}" for letter in str(value))


def text(value: object) -> str:
    """Anything as text in HTML and SVG, in attributes too."""
    return escape(visible(value))


def _is_seen(letter: str) -> bool:
    """Whether it is seen, if only as a line's end, a space of some width, or how Persian and emoji are joined."""
    return letter.isprintable() or letter in "\n\t\u200c\u200d" or category(letter) == "Zs"
