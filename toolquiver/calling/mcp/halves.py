"""Half surrogates in messages: JavaScript writes one as an escape where it has cut a text in the middle of a letter."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def readable(content: bytes) -> bytes:
    """JSON with U+FFFD for every half surrogate: the SDK reads no message that holds one."""
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], content)
