"""The SDK's HTTP requests sent through a transport of this package's choice, its failures told apart.

The SDK speaks through `httpx2` and tells neither a refused password from a broken server nor which call a broken
connection belonged to. Here every request goes out by an `httpx` transport, so that the guard stands before all of
them, and what goes wrong comes back as an error of the protocol that says what it was.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
import httpx
import httpx2
from mcp_types import INTERNAL_ERROR

from toolquiver.calling.guard import allowed_url, host_of
from toolquiver.calling.http.exchange import Reply, reply_of
from toolquiver.calling.http.failures import failure
from toolquiver.calling.mcp.failures import Told, one_line
from toolquiver.calling.mcp.halves import readable
from toolquiver.calling.mcp.secrets import address, headers, hide
from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.outcome import CallError

Transports = Callable[[], Awaitable[httpx.AsyncBaseTransport]]
"""Gives the transport of the running event loop; whoever gives it closes it."""

_PROTOCOL = {400, 405, 406, 415}  # the SDK reads what the protocol says in these
_SESSION = "mcp-session-id"
_GOODBYE = 2.0  # seconds that a server has to answer it
_NEVER_SENT = {"accept-encoding", "cookie", "host", "content-length"}


class Bridge(httpx2.AsyncBaseTransport):
    """Sends the requests of one session."""

    def __init__(self, inner: httpx.AsyncBaseTransport, source: McpSource) -> None:
        self._inner = inner
        self._source = source

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer to a request, or an answer that tells why there is none."""
        if request.method == "GET" and "last-event-id" not in request.headers:
            return httpx2.Response(405)  # what a server wants to say unasked is not listened to
        # A loop that ends has cancelled all that a session needs; the goodbye is said all the same, and is short.
        with anyio.CancelScope(shield=request.method == "DELETE"):
            response = await self._response(request)
        return response  # noqa: RET504 - a scope could swallow a cancellation, the checker holds

    async def aclose(self) -> None:
        """Nothing: the transport is not this session's alone."""

    async def _response(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await self._answer(request)
        except CallError as error:
            failed = error
        except httpx.TimeoutException:
            failed = CallError("timeout", f"{self._source.label} took too long to answer.")
        except (httpx.TransportError, OSError) as error:
            reason = one_line(str(error)) or type(error).__name__
            failed = CallError("network", f"The connection to {self._source.label} failed: {reason}.")
        return _told(request, failed)

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(await self._outgoing(request))
        if _is_stream(response):
            events = _Events(response, self._source.max_bytes)
            return httpx2.Response(response.status_code, headers=_plain(response), stream=events)
        reply = await reply_of(request.method, response, self._source.max_bytes)
        if not reply.whole:
            limit = f"{self._source.max_bytes:,}"
            raise CallError("tool_error", f"{self._source.label} sent more than {limit} bytes. Ask for a smaller part.")
        if _is_forgotten(request, reply):
            text = "The MCP server has forgotten the session. Call again for a new one."
            error = CallError("network", text)
            return _told(request, error, over=True, begun=reply.status != httpx.codes.NOT_FOUND)
        if reply.status < httpx.codes.BAD_REQUEST or reply.status in _PROTOCOL:
            return httpx2.Response(reply.status, headers=_plain(reply), content=readable(reply.content))
        raise failure(reply, lambda text: hide(text, self._source)) or CallError("server_error", "It did not say why.")

    async def _outgoing(self, request: httpx2.Request) -> httpx.Request:
        sent = [(name, value) for name, value in request.headers.multi_items() if name.lower() not in _NEVER_SENT]
        connect, reading = self._source.connect_timeout, self._source.read_timeout
        if request.method == "DELETE":
            connect = reading = min(_GOODBYE, connect, reading)
        else:
            reading += _GOODBYE  # the session's own limit comes first: it tells the server that nobody waits any more
        url = allowed_url(httpx.URL(str(request.url)), [host_of(httpx.URL(self._source.url))])
        content = await request.aread()
        outgoing = httpx.Request(
            request.method,
            address(url, self._source),
            headers=[*sent, ("accept-encoding", "identity")],
            content=content or None,
            extensions={"timeout": {"connect": connect, "read": reading, "write": reading, "pool": reading}},
        )
        outgoing.headers.update(headers(self._source))
        return outgoing


class _Events(httpx2.AsyncByteStream):
    """A stream of events in whole lines, but for one longer than `limit`: the SDK limits them in length."""

    def __init__(self, response: httpx.Response, limit: int) -> None:
        self._response = response
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = bytearray()
        try:
            async for chunk in self._response.aiter_raw():
                held += chunk
                new = len(held) - len(chunk)
                end = max(held.rfind(b"\n", new), held.rfind(b"\r", new)) + 1
                if len(held) > self._limit:
                    end = len(held)
                if end:
                    yield readable(bytes(held[:end]))
                    del held[:end]
        except httpx.TransportError as error:
            raise httpx2.ReadError(str(error)) from error
        yield readable(bytes(held))

    async def aclose(self) -> None:
        await self._response.aclose()


def _is_stream(response: httpx.Response) -> bool:
    kind = response.headers.get("content-type", "").lower()
    return response.is_success and kind.startswith("text/event-stream") and "content-encoding" not in response.headers


def _plain(response: httpx.Response | Reply) -> list[tuple[str, str]]:
    """The headers, without those that say how the body was sent."""
    beside = {"content-encoding", "content-length", "transfer-encoding", "set-cookie"}
    return [(name, value) for name, value in response.headers.multi_items() if name.lower() not in beside]


def _is_forgotten(request: httpx2.Request, reply: Reply) -> bool:
    """Whether the server does not know the session any more: by the protocol 404, but some say 400."""
    if _SESSION not in request.headers:
        return False
    return reply.status == httpx.codes.NOT_FOUND or (
        reply.status == httpx.codes.BAD_REQUEST and b"session" in reply.content.lower()
    )


def _told(request: httpx2.Request, error: CallError, *, over: bool = False, begun: bool = True) -> httpx2.Response:
    """The failure as an error of JSON-RPC, which the SDK hands to the call that the request belonged to."""
    if request.method == "DELETE":
        return httpx2.Response(405)  # the SDK would warn of anything else, though the session is over anyhow
    data = Told(kind=error.kind, retry_after=error.retry_after, over=over, begun=begun).data()
    body = {"code": INTERNAL_ERROR, "message": str(error), "data": data}
    return httpx2.Response(502, json={"jsonrpc": "2.0", "id": None, "error": body})
