"""One transport for each event loop: connections cannot change over, and end with their loop or their owner."""

from __future__ import annotations

import asyncio
import ssl
import weakref
from collections.abc import AsyncGenerator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import httpx

from toolquiver.calling.guard import Guard
from toolquiver.calling.http.transport import GuardedTransport
from toolquiver.calling.outcome import CallError


class _Kept(NamedTuple):
    transport: httpx.AsyncBaseTransport
    keeper: AsyncGenerator[httpx.AsyncBaseTransport, None]


_ByLoop = dict[asyncio.AbstractEventLoop, _Kept]


class Connections:
    """The transports behind one guard, opened when they are first asked for."""

    def __init__(self, guard: Guard, certificates: Path | None = None) -> None:
        self._guard = guard
        self._certificates = certificates
        self._kept: _ByLoop = {}
        weakref.finalize(self, _close, self._kept).atexit = False

    async def transport(self) -> httpx.AsyncBaseTransport:
        """The transport of the running loop.

        Raises:
            CallError: `network`: the file of certificates cannot be used.
        """
        loop = asyncio.get_running_loop()
        if loop not in self._kept:
            try:
                context = await asyncio.to_thread(_tls, self._certificates)
            except OSError as error:
                raise CallError("network", f"The certificates in {self._certificates} cannot be read.") from error
            if loop not in self._kept:  # another call may have been faster
                keeper = _keep(GuardedTransport(self._guard, context), loop, self._kept)
                self._kept[loop] = _Kept(await anext(keeper), keeper)
        return self._kept[loop].transport

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        if kept := self._kept.get(asyncio.get_running_loop()):
            await kept.keeper.aclose()


async def _keep(
    transport: httpx.AsyncBaseTransport, loop: asyncio.AbstractEventLoop, kept: _ByLoop
) -> AsyncGenerator[httpx.AsyncBaseTransport, None]:
    """Give the transport, and close it when the generator is: `asyncio.run` does that before it closes the loop."""
    try:
        yield transport
    finally:
        del kept[loop]
        await transport.aclose()


def _close(kept: _ByLoop) -> None:
    """Have the loops that still run close their connections."""
    for loop, (_, keeper) in list(kept.items()):
        if loop.is_running():
            asyncio.run_coroutine_threadsafe(_closed(keeper), loop)


async def _closed(keeper: AsyncGenerator[httpx.AsyncBaseTransport, None]) -> None:
    await keeper.aclose()


@lru_cache(maxsize=16)
def _tls(certificates: Path | None) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificates) if certificates else httpx.create_ssl_context()
