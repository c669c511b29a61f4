"""One connection to a server, agreed upon, and its tools."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from typing import Any, NamedTuple

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, Tool

from toolquiver.calling.mcp.bridge import Bridge, Transports
from toolquiver.calling.mcp.ending import Ending
from toolquiver.calling.mcp.secrets import address, headers
from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.mcp.stdio import stdio
from toolquiver.catalog.mcp import all_tools


def _without_traceback(record: logging.LogRecord) -> bool:
    """Keep a server's answer out of the log of the SDK, which writes down what it could not parse."""
    record.exc_info = record.exc_text = None
    return True


_LOG = logging.getLogger("mcp.client.streamable_http")
_LOG.addFilter(_without_traceback)
_LOG.addHandler(logging.NullHandler())  # without one Python prints it


class Connection(NamedTuple):
    """The SDK's client of an open connection, and what the server offers."""

    client: Client
    tools: list[Tool]


@asynccontextmanager
async def connection(source: McpSource, ending: Ending, transports: Transports) -> AsyncIterator[Connection]:
    """Open a connection; it must be left in the task that has entered it.

    Raises:
        CallError: the server cannot be started or may not be asked.
        MCPError: it does not agree.
    """
    async with _client(source, ending, transports) as client:
        offers_tools = client.server_capabilities.tools is not None
        # The SDK's check of answers has no limit of time, though schema and answer are the server's.
        client.session.validate_tool_result = _unchecked  # type: ignore[method-assign]
        yield Connection(client, await all_tools(client) if offers_tools else [])


async def _unchecked(name: str, result: CallToolResult) -> None:
    """Nothing: the session checks answers itself."""


@asynccontextmanager
async def _client(source: McpSource, ending: Ending, transports: Transports) -> AsyncIterator[Client]:
    if source.command:
        async with _agreed(stdio(source, ending), source) as client:
            yield client
        return
    headers(source)  # so that a secret that is not set is named at once
    address(httpx.URL(source.url), source)  # which is the bridge's alone: the SDK logs addresses
    bridge = Bridge(await transports(), source)
    # `trust_env` would take proxies and passwords from the environment.
    async with httpx2.AsyncClient(transport=bridge, trust_env=False) as http:
        streams = streamable_http_client(source.url, http_client=http, max_sse_event_size=source.max_bytes)
        async with _agreed(streams, source) as client:
            yield client


def _agreed(streams: AbstractAsyncContextManager[Any], source: McpSource) -> Client:
    return Client(
        streams,
        read_timeout_seconds=source.read_timeout,
        client_info=Implementation(name="toolquiver", version=version("toolquiver")),
        cache=None,
    )
