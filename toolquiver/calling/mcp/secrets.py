"""What a server is let in with: read from the environment when it is needed, kept out of what comes back."""

from __future__ import annotations

import os

from toolquiver.calling.http.credentials import Keys
from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.outcome import CallError

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
    """`text` without the secrets of a source, however they are written in it."""
    names = (*source.secrets, *source.headers.values(), *([source.bearer] if source.bearer else ()))
    return Keys(secrets={os.environ.get(name, "").strip() for name in names}).hide(text)


def _value(variable: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise CallError("unauthorized", f"Set {variable} in the environment: the MCP server needs it.")
    return value
