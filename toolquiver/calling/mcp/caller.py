"""Calling the tools of one MCP server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from toolquiver.calling.guard import Guard, Resolver, host_of, look_up
from toolquiver.calling.http.connections import Connections
from toolquiver.calling.http.pace import Pace
from toolquiver.calling.mcp.ending import NotBegun
from toolquiver.calling.mcp.secrets import hide
from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.outcome import CallError, Observation
from toolquiver.catalog.mcp import records
from toolquiver.catalog.records import API
from toolquiver.errors import CatalogError

if TYPE_CHECKING:
    from mcp_types import CallToolResult

    from toolquiver.calling.mcp.session import Session, Sessions

_NOT_INSTALLED = "MCP servers need the package mcp: pip install 'toolquiver[mcp]'."


class McpCaller:
    """Calls the APIs whose binding names a tool of the server.

    The server is started or asked on the first call; calls that run together share one session in each event loop. A
    session that breaks is opened anew by the next call, and one that the server has forgotten by the same. It ends with
    its loop, with the caller, or by `aclose`. Connections to a server at a URL pass the guard; `resolve` looks host
    names up. Callers that share a `pace` call no host faster together than one alone would.
    """

    def __init__(self, source: McpSource, *, pace: Pace | None = None, resolve: Resolver = look_up) -> None:
        self._source = source
        self._pace = pace or Pace()
        guard = Guard(private_hosts=source.private_hosts, resolve=resolve)
        self._connections = Connections(guard, source.certificates)
        self._sessions: Sessions | None = None

    async def call(self, api: API, arguments: dict[str, Any]) -> Observation:
        """Call the tool; secrets are hidden in both answers and failures.

        Raises:
            CallError: the call failed.
        """
        name = api.binding.get("tool")
        if not isinstance(name, str):
            raise CallError("unknown_api", f"The catalogue does not say which tool {api.id} is. Import it again.")
        try:
            text = await self._answer(name, arguments)
        except CallError as error:
            failed = error
        else:
            return Observation(text=hide(text, self._source))
        # Raised here, so that the error it stems from, which may hold a secret, does not hang on it.
        raise CallError(failed.kind, hide(str(failed), self._source), retry_after=failed.retry_after)

    async def read(
        self, *, name: str = "", category: str = "mcp", tool: str = "", skipped: list[str] | None = None
    ) -> Listing:
        """What the server offers, as records of this tool; the server goes by `name`, or as it calls itself.

        Tools that are broken are left out where `skipped` is given, which then says so.

        Raises:
            CatalogError: the server cannot be reached or read.
        """
        try:
            found = await self._session().connection()
        except CallError as error:
            raise CatalogError(f"The MCP server cannot be read: {hide(str(error), self._source)}") from None
        info = found.client.server_info
        name = name or (info.name if info else "") or self._source.label
        trusted = self._source.trust_annotations
        apis = records(found.tools, server=name, category=category, group=tool, trusted=trusted, skipped=skipped)
        return Listing(name, apis)

    async def aclose(self) -> None:
        """End the session of the running event loop, and its server where it was started here."""
        if self._sessions:
            await self._sessions.aclose()
        await self._connections.aclose()

    async def _answer(self, name: str, arguments: dict[str, Any]) -> str:
        session = self._session()
        from toolquiver.calling.mcp.answer import answer  # noqa: PLC0415 - an optional part

        try:
            result = await self._called(session, name, arguments)
        except NotBegun:
            result = await self._called(self._session(), name, arguments)
        if result.is_error:
            raise CallError("tool_error", answer(result))
        return answer(result)

    async def _called(self, session: Session, name: str, arguments: dict[str, Any]) -> CallToolResult:
        """The result. A server at a URL is called in turn; the few requests that begin a session do not wait."""
        if not self._source.url:
            return await session.call(name, arguments)
        host = host_of(httpx.URL(self._source.url))
        await self._pace.turn(host, self._source.requests_per_second)
        try:
            return await session.call(name, arguments)
        except CallError as error:
            if error.retry_after:
                self._pace.leave(host, error.retry_after)
            raise

    def _session(self) -> Session:
        if self._sessions is None:
            try:
                from toolquiver.calling.mcp.connecting import connection  # noqa: PLC0415 - an optional part
                from toolquiver.calling.mcp.session import Sessions  # noqa: PLC0415
            except ModuleNotFoundError as error:
                raise CallError("unknown_api", _NOT_INSTALLED) from error
            # Not through `self`: a session must not keep its caller alive.
            source, transports = self._source, self._connections.transport
            self._sessions = Sessions(lambda ending: connection(source, ending, transports), source)
        return self._sessions.current()


class Listing(NamedTuple):
    """What a server calls itself, or is called, and its tools."""

    name: str
    apis: list[API]


async def read_mcp(source: McpSource, *, name: str = "", category: str = "mcp") -> Listing:
    """The tools of a server as records; it is opened and closed again.

    Raises:
        CatalogError: the server cannot be reached or read.
    """
    caller = McpCaller(source)
    try:
        return await caller.read(name=name, category=category)
    finally:
        await caller.aclose()


def mcp_callers(sources: Mapping[str, McpSource], *, pace: Pace | None = None) -> dict[str, McpCaller]:
    """A caller for each source, by the source's key; together they call no host too fast."""
    pace = pace or Pace()
    return {key: McpCaller(source, pace=pace) for key, source in sources.items()}
