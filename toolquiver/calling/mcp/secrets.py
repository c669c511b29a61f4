"""What a server is let in with: read from the environment when it is needed, kept out of what comes back."""

from __future__ import annotations

import json
import os
import re
from urllib.parse import quote

from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.outcome import CallError

HIDDEN = "[secret]"
_SHORTEST = 4  # hiding what is shorter would garble any text and hide nothing
_USUAL = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR")


def environment(source: McpSource) -> dict[str, str]:
    """The environment of a source's command.

    Raises:
        CallError: `unauthorized`: a secret is not set.
    """
    usual = {name: os.environ[name] for name in (*_USUAL, *source.environment) if name in os.environ}
    return usual | {name: _value(name) for name in source.secrets}


def headers(source: McpSource) -> dict[str, str]:
    """The headers that let a source's requests in.

    Raises:
        CallError: `unauthorized`: a variable is not set, or holds what cannot stand in a header.
    """
    found = {header: _value(variable) for header, variable in source.headers.items()}
    if source.bearer:
        found["Authorization"] = f"Bearer {_value(source.bearer)}"
    for header, value in found.items():
        if not (value.isascii() and value.isprintable()):
            raise CallError("unauthorized", f"The value for the header {header} is not one plain line. Correct it.")
    return found


def hide(text: str, source: McpSource) -> str:
    """`text` without the secrets of a source, as they are and as JSON or a URL writes them."""
    names = (*source.secrets, *source.headers.values(), *([source.bearer] if source.bearer else ()))
    values = {os.environ.get(name, "").strip() for name in names}
    forms = {
        form
        for value in values
        if len(value) >= _SHORTEST
        for form in (value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], quote(value, ""))
    }
    if not forms:
        return text
    return re.sub("|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True)), HIDDEN, text)


def _value(variable: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise CallError("unauthorized", f"Set {variable} in the environment: the MCP server needs it.")
    return value
