"""Text that others wrote, on a terminal: catalogues, models and tools must not steer it."""

from rich.text import Text

_CONTROLS = {
    code: "\N{REPLACEMENT CHARACTER}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"
}


def plain(text: str, style: str = "") -> Text:
    """`text` as it is: no markup, no emoji names, no escape sequences."""
    return Text(harmless(text), style)


def harmless(text: str) -> str:
    """`text` with every control character replaced."""
    return text.translate(_CONTROLS)
