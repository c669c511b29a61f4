"""What a server is let in with: read from the environment when it is needed, kept out of what comes back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import unquote_plus

import httpx

from toolquiver.calling.http.credentials import Keys
from toolquiver.calling.http.styles import encoded
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


def address(url: httpx.URL, source: McpSource) -> httpx.URL:
    """A URL of the server with what lets a source's requests in, at its place in the query.

    Raises:
        CallError: `unauthorized`: a variable is not set.
    """
    if not source.query:
        return url
    values = {name: _value(variable) for name, variable in source.query.items()}
    pairs = (_filled(pair, values) for pair in url.query.decode("ascii").split("&"))
    return url.copy_with(query="&".join(pairs).encode())


def hide(text: str, source: McpSource) -> str:
    """`text` without the secrets of a source, however they are written in it."""
    names = [*source.secrets, *source.headers.values(), *source.query.values()]
    names += [source.bearer] if source.bearer else []
    return Keys(secrets={os.environ.get(name, "").strip() for name in names}).hide(text)


def _filled(pair: str, values: Mapping[str, str]) -> str:
    name, _, given = pair.partition("=")
    known = values.get(unquote_plus(name), "")
    return f"{name}={encoded(known)}" if known and not given else pair


def _value(variable: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise CallError("unauthorized", f"Set {variable} in the environment: the MCP server needs it.")
    return value
