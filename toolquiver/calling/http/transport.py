"""Connections: kept open for further requests, made only to addresses that the guard has checked."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager

import httpcore
import httpx
from httpcore import SOCKET_OPTION, AsyncNetworkBackend, AsyncNetworkStream

from toolquiver.calling.guard import Guard

_MOST_CONNECTIONS = 20
_KEPT_FOR = 30.0


class GuardedBackend(AsyncNetworkBackend):
    """Makes TCP connections to checked addresses; for TLS the name stays that of the host."""

    def __init__(self, guard: Guard, inner: AsyncNetworkBackend | None = None) -> None:
        self._guard = guard
        self._inner: AsyncNetworkBackend = inner or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's protocol
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        """Connect to the first address of the host that answers.

        Raises:
            CallError: `blocked`, or `network` when the host cannot be found.
        """
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._guard.addresses(host, port)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(f"{host} was not found in time") from error
        share = timeout / len(addresses) if timeout else None
        *others, last = addresses
        for address in others:
            try:
                return await self._inner.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._inner.connect_tcp(last, port, share, local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        """Wait; httpcore's protocol."""
        await self._inner.sleep(seconds)


class GuardedTransport(httpx.AsyncBaseTransport):
    """A pool of connections behind the guard.

    It is used without httpx's client, which writes every URL to its log, keys in the query too, and takes proxies
    and passwords from the environment.
    """

    def __init__(self, guard: Guard, context: ssl.SSLContext, inner: AsyncNetworkBackend | None = None) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=_MOST_CONNECTIONS,
            keepalive_expiry=_KEPT_FOR,
            network_backend=GuardedBackend(guard, inner),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; the response's body is still to be read.

        Raises:
            CallError: the guard refuses the address.
            httpx.TransportError: the network or the server failed.
        """
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        sent = httpcore.Request(
            request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        with _httpx_errors():
            response = await self._pool.handle_async_request(sent)
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response), request=request)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _httpx_errors():
            async for chunk in self._response.aiter_stream():
                yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()


@contextmanager
def _httpx_errors() -> Iterator[None]:
    """Httpcore's errors as those of httpx, which have the same names."""
    try:
        yield
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
        kind: type[httpx.TransportError] = getattr(httpx, type(error).__name__, httpx.NetworkError)
        raise kind(str(error)) from error
