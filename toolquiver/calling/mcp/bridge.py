"""The SDK's HTTP requests sent through a transport of this package's choice, its failures told apart.

The SDK speaks through `httpx2` and tells neither a refused password from a broken server nor which call a broken
connection belonged to. Here every request goes out by an `httpx` transport, so that the guard stands before all of
them, and what goes wrong comes back as an error of the protocol that says what it was.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import httpx2
from mcp_types import INTERNAL_ERROR

from toolquiver.calling.mcp.failures import Told, brief
from toolquiver.calling.mcp.secrets import headers
from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.outcome import CallError, FailureKind

Transports = Callable[[], Awaitable[httpx.AsyncBaseTransport]]
"""Gives the transport of the running event loop; whoever gives it closes it."""

_KINDS: dict[int, FailureKind] = {
    401: "unauthorized",
    402: "forbidden",
    403: "forbidden",
    404: "not_found",
    408: "timeout",
    410: "not_found",
    425: "rate_limited",
    429: "rate_limited",
    501: "tool_error",
    504: "timeout",
}
_SERVER = 500
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
        try:
            return await self._answer(request)
        except CallError as error:
            failed = error
        except httpx.TimeoutException:
            failed = CallError("timeout", f"{self._source.label} took too long to answer.")
        except (httpx.TransportError, OSError) as error:
            reason = brief(str(error)) or type(error).__name__
            failed = CallError("network", f"The connection to {self._source.label} failed: {reason}.")
        return _told(request, failed)

    async def aclose(self) -> None:
        """Nothing: the transport is not this session's alone."""

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(await self._outgoing(request))
        if _is_stream(response):
            return httpx2.Response(response.status_code, headers=_plain(response), stream=_Events(response))
        content = await self._read(response)
        refused, over = _refused(request, response, content)
        if refused:
            return _told(request, refused, over=over)
        return httpx2.Response(response.status_code, headers=_plain(response), content=content)

    async def _outgoing(self, request: httpx2.Request) -> httpx.Request:
        sent = [(name, value) for name, value in request.headers.multi_items() if name.lower() not in _NEVER_SENT]
        connect, read = self._source.connect_timeout, self._source.read_timeout
        if request.method == "DELETE":
            connect = read = min(_GOODBYE, connect, read)
        else:
            read += _GOODBYE  # the session's own limit comes first: it tells the server that nobody waits any more
        content = await request.aread()
        outgoing = httpx.Request(
            request.method,
            str(request.url),
            headers=[*sent, ("accept-encoding", "identity")],
            content=content or None,
            extensions={"timeout": {"connect": connect, "read": read, "write": read, "pool": read}},
        )
        outgoing.headers.update(headers(self._source))
        return outgoing

    async def _read(self, response: httpx.Response) -> bytes:
        """The body.

        Raises:
            CallError: `tool_error`: it is too large, or packed although that was not asked for.
        """
        content = bytearray()
        try:
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise CallError("tool_error", f"{self._source.label} packs its answers, which was not asked for.")
            async for chunk in response.aiter_raw():
                content += chunk
                if len(content) > self._source.max_bytes:
                    raise CallError(
                        "tool_error",
                        f"{self._source.label} sent more than {self._source.max_bytes:,} bytes."
                        " Ask for a smaller part.",
                    )
        finally:
            await response.aclose()
        return bytes(content)


class _Events(httpx2.AsyncByteStream):
    """A stream of events, each of which the SDK limits in length."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_raw():
                yield chunk
        except httpx.TransportError as error:
            raise httpx2.ReadError(str(error)) from error

    async def aclose(self) -> None:
        await self._response.aclose()


def _is_stream(response: httpx.Response) -> bool:
    kind = response.headers.get("content-type", "").lower()
    return response.is_success and kind.startswith("text/event-stream") and "content-encoding" not in response.headers


def _plain(response: httpx.Response) -> list[tuple[str, str]]:
    """The headers, without those that say how the body was sent."""
    beside = {"content-length", "transfer-encoding", "set-cookie"}
    return [(name, value) for name, value in response.headers.multi_items() if name.lower() not in beside]


def _refused(request: httpx2.Request, response: httpx.Response, content: bytes) -> tuple[CallError | None, bool]:
    """Why a server refused a request, where the SDK would not tell, and whether the session is over."""
    status = response.status_code
    if status < httpx.codes.BAD_REQUEST:
        return None, False
    said = _message(content)
    if _SESSION in request.headers and (status == httpx.codes.NOT_FOUND or "session" in said.lower()):
        return CallError("network", "The MCP server has forgotten the session. Call again for a new one."), True
    kind: FailureKind | None = _KINDS.get(status, "server_error" if status >= _SERVER else None)
    if kind is None:
        return None, False
    wait = response.headers.get("retry-after", "").strip()
    text = f"The MCP server answered {status} {response.reason_phrase}".rstrip()
    return CallError(kind, f"{text}: {said}" if said else f"{text}.", retry_after=_seconds(wait)), False


def _seconds(text: str) -> float | None:
    return float(text) if text.isascii() and text.isdecimal() else None


def _message(content: bytes) -> str:
    """What an error of JSON-RPC or of the usual JSON says, on one line."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return brief(message) if isinstance(message, str) else ""


def _told(request: httpx2.Request, error: CallError, *, over: bool = False) -> httpx2.Response:
    """The failure as an error of JSON-RPC, which the SDK hands to the call that the request belonged to."""
    if request.method == "DELETE":
        return httpx2.Response(405)  # the SDK would warn of anything else, though the session is over anyhow
    data = Told(kind=error.kind, retry_after=error.retry_after, over=over).data()
    body = {"code": INTERNAL_ERROR, "message": str(error), "data": data}
    return httpx2.Response(502, json={"jsonrpc": "2.0", "id": None, "error": body})
