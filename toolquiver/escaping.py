"""Text that others wrote, on a page: data, models and tools must not steer what shows it."""

from __future__ import annotations

from html import escape


def visible(value: object) -> str:
    """Anything as text, with what cannot be seen replaced: control characters may hide or turn what follows."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in str(value)
    )


def text(value: object) -> str:
    """Anything as text in HTML and SVG, in attributes too."""
    return escape(visible(value))
