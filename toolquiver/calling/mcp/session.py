"""Sessions: one for each event loop, opened when it is needed, shared by all calls, held by a task of its own."""

from __future__ import annotations

import asyncio
import math
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from contextvars import Context
from typing import Any

import anyio
from mcp import MCPError
from mcp_types import CallToolResult, Tool

from toolquiver.calling.arguments import misfits
from toolquiver.calling.mcp.connecting import Connection
from toolquiver.calling.mcp.ending import Ending, NotBegun
from toolquiver.calling.mcp.failures import failure, told, without_inputs
from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.outcome import CallError

Open = Callable[[Ending], AbstractAsyncContextManager[Connection]]


class Session:
    """One connection, open from the first call until the server, the event loop or `aclose` ends it.

    It is entered and left in one task, as the SDK's cancel scopes demand; calls come from others.
    """

    def __init__(self, open_: Open, source: McpSource) -> None:
        self.ending = Ending()
        self._open = open_
        self._source = source
        self._ready: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        # Without the context of the call that happens to be first, which would be kept alive.
        self.task = asyncio.create_task(self._hold(), name=f"MCP session with {source.label}", context=Context())
        # Not in the task, which may be cancelled before it has begun.
        self.task.add_done_callback(lambda _: self._fail(_closed()))

    async def connection(self) -> Connection:
        """The connection, once it is there.

        Raises:
            CallError: it cannot be made.
        """
        try:
            return await asyncio.shield(self._ready)
        except CallError as error:
            # Each call gets an error of its own: they are raised in several tasks.
            raise CallError(error.kind, str(error), retry_after=error.retry_after) from error

    async def call(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        """Call a tool.

        Raises:
            NotBegun: the server has forgotten the session.
            CallError: the call failed, the server ended in the middle of it, or the answer does not fit its schema.
        """
        found = await self.connection()
        try:
            result = await found.client.call_tool(name, arguments)
        except MCPError as error:
            if told(error).over:
                self.ending.say()
            if not told(error).begun:
                raise NotBegun("network", str(failure(error, self._source.label))) from error
            reason = self.ending.reason
            if told(error).kind == "network" and reason:
                raise CallError(reason.kind, str(reason)) from error
            raise failure(error, self._source.label) from error
        except (RuntimeError, ValueError) as error:  # the SDK's, for an answer that is not one of the protocol
            raise self._invalid(without_inputs(str(error))) from None
        wrong = [] if result.is_error else _misfits(found.tools, name, result)
        if wrong:
            raise self._invalid(wrong[0])
        return result

    async def aclose(self) -> None:
        """End the connection; calls that are under way fail."""
        if self._ready.done():
            self.ending.say(_closed())
        else:
            self.task.cancel()
        await asyncio.wait({self.task})

    async def _hold(self) -> None:
        try:
            with anyio.fail_after(self._source.connect_timeout) as limit:
                async with self._open(self.ending) as found:
                    limit.deadline = math.inf
                    self._ready.set_result(found)
                    # A loop that ends cancels its tasks; this one then takes its leave of the server in good order.
                    with suppress(asyncio.CancelledError):
                        await self.ending.wait()
        except Exception as error:  # noqa: BLE001 - it is raised by the calls
            self._fail(self.ending.reason or failure(error, self._source.label))

    def _invalid(self, why: str) -> CallError:
        return CallError("tool_error", f"{self._source.label} gave an answer that is not valid: {why}")

    def _fail(self, reason: CallError) -> None:
        """Say the reason to those who wait, or will; the first one stays."""
        self.ending.say(reason)
        if not self._ready.done():
            self._ready.set_exception(reason)
            self._ready.exception()  # nobody may be waiting, which is no error


def _misfits(tools: Sequence[Tool], name: str, result: CallToolResult) -> list[str]:
    """What is wrong with the data of an answer, by the tool's own schema."""
    schema = next((tool.output_schema for tool in tools if tool.name == name), None)
    if schema is None:
        return []
    if result.structured_content is None and "structured_content" not in result.model_fields_set:
        return ["The data that the tool's schema promises is missing."]
    return misfits(schema, result.structured_content)


def _closed() -> CallError:
    return CallError("network", "The session with the MCP server was closed.")


_ByLoop = dict[asyncio.AbstractEventLoop, list[Session]]


class Sessions:
    """The sessions of one source: connections cannot change over from one event loop to another."""

    def __init__(self, open_: Open, source: McpSource) -> None:
        self._open = open_
        self._source = source
        self._kept: _ByLoop = {}
        weakref.finalize(self, _let_go, self._kept).atexit = False

    def current(self) -> Session:
        """The session of the running loop; a new one where there is none, or it is over."""
        self._forget_closed_loops()
        kept = self._kept.setdefault(asyncio.get_running_loop(), [])
        if kept and not kept[-1].ending.come:
            return kept[-1]
        session = Session(self._open, self._source)
        kept.append(session)
        session.task.add_done_callback(lambda _: kept.remove(session))
        return session

    async def aclose(self) -> None:
        """End the sessions of the running loop."""
        for session in list(self._kept.get(asyncio.get_running_loop(), ())):
            await session.aclose()

    def _forget_closed_loops(self) -> None:
        for loop in [loop for loop in list(self._kept) if loop.is_closed()]:
            _let_go({loop: self._kept.pop(loop, [])})


def _let_go(kept: _ByLoop) -> None:
    """End the sessions of an owner that is gone, each in its loop; where that is closed, abandon them."""
    for loop, sessions in list(kept.items()):
        for session in list(sessions):
            try:
                loop.call_soon_threadsafe(session.ending.say)
            except RuntimeError:
                session.ending.abandon()
