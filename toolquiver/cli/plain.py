"""Text that others wrote, on a terminal: catalogues, models and tools must not steer it."""

from rich.text import Text

from toolquiver.escaping import visible


def plain(text: str, style: str = "") -> Text:
    """`text` as it is: no markup, no emoji names, no escape sequences."""
    return Text(harmless(text), style)


def harmless(text: str) -> str:
    """`text` with every character replaced that steers a terminal, or turns or hides what is shown."""
    return visible(text)
