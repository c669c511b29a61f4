"""A server that is started here and talked to over its standard input and output.

In place of the SDK's own transport, which reads a message however long it is, and lets a server's complaints through.
"""

from __future__ import annotations

import asyncio
import os
import signal
import weakref
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import anyio.lowlevel
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from toolquiver.calling.http.answer import excerpt
from toolquiver.calling.mcp.ending import Ending
from toolquiver.calling.mcp.halves import readable
from toolquiver.calling.mcp.secrets import environment, hide
from toolquiver.calling.mcp.source import McpSource
from toolquiver.calling.outcome import CallError

Inbound = MemoryObjectSendStream[SessionMessage | Exception]
Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]

_PATIENCE = 2.0  # seconds that a server has to end by itself, then to end when it is told to
_LAST_WORDS = 0.5  # seconds that are waited for what a dead server still has to say
_KEPT = 10_000  # bytes of its complaints


@asynccontextmanager
async def stdio(source: McpSource, ending: Ending) -> AsyncIterator[Streams]:
    """The streams of a server's messages; the server is started before and gone afterwards.

    Its death is told to `ending`, with the last it said on its standard error.

    Raises:
        CallError: the command cannot be started, or a secret is not set.
    """
    process, transport = await _start(source)
    # Also when the interpreter ends before anything could be closed.
    drop = ending.abandon = weakref.finalize(process, _kill, process.pid, os.getpid())
    inbound, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    sending, outbound = anyio.create_memory_object_stream[SessionMessage](0)
    async with received, sending, anyio.create_task_group() as tasks:
        complaints = _Complaints(process, source)
        tasks.start_soon(complaints.read)
        tasks.start_soon(_receive, process, inbound, source, ending, complaints)
        tasks.start_soon(_send, process, outbound)
        try:
            yield received, sending
        finally:
            ending.say()  # before the server ends, which from here on is no news
            received.close()
            with anyio.CancelScope(shield=True):
                await _stop(process)
                with suppress(PermissionError):
                    transport.close()  # whoever else holds the pipes
                await anyio.lowlevel.checkpoint()
            drop.detach()
            tasks.cancel_scope.cancel()


async def _start(source: McpSource) -> tuple[Process, asyncio.SubprocessTransport]:
    """As `asyncio.create_subprocess_exec` does it, which keeps the transport to itself."""
    loop = asyncio.get_running_loop()
    try:
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(limit=source.max_bytes, loop=loop),
            source.command,
            *source.args,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            # A catalogue may have come from another machine, and most commands need no folder.
            cwd=source.directory if source.directory and source.directory.is_dir() else None,
            env=environment(source),
            start_new_session=True,  # a group of its own, so that nothing it starts is left behind
        )
    except (OSError, ValueError) as error:
        raise CallError(
            "unknown_api",
            f"The MCP server's command {source.command!r} cannot be started ({error}). Install it, or correct command.",
        ) from error
    return Process(transport, protocol, loop), transport


class _Complaints:
    """The end of what a server says on its standard error."""

    def __init__(self, process: Process, source: McpSource) -> None:
        self._process = process
        self._source = source
        self._kept = b""
        self._cut = False  # then the first line is not whole, and half a secret could not be told
        self._over = anyio.Event()

    async def read(self) -> None:
        assert self._process.stderr
        while chunk := await self._process.stderr.read(_KEPT):
            self._cut = self._cut or len(self._kept) + len(chunk) > _KEPT
            self._kept = (self._kept + chunk)[-_KEPT:]
        self._over.set()

    async def last(self) -> str:
        """The last line."""
        with anyio.move_on_after(_LAST_WORDS):
            await self._over.wait()
        lines = self._kept.decode("utf-8", "replace").splitlines()
        whole = [line for line in lines[self._cut :] if line.strip()]
        return excerpt(hide(whole[-1], self._source)) if whole else ""


async def _receive(
    process: Process, inbound: Inbound, source: McpSource, ending: Ending, complaints: _Complaints
) -> None:
    """Pass on the server's messages until it ends, or sends one that is too large."""
    assert process.stdout
    async with inbound:
        try:
            while line := await process.stdout.readline():
                await _pass_on(line, inbound)
        except ValueError:
            ending.say(
                CallError(
                    "tool_error",
                    f"{source.label} sent more than {source.max_bytes:,} bytes at once. Ask for a smaller part.",
                )
            )
        last = await complaints.last()
        said = f": {last}" if last else "."
        ending.say(CallError("network", f"The MCP server {source.label} has ended{said}"))


async def _pass_on(line: bytes, inbound: Inbound) -> None:
    try:
        message = jsonrpc_message_adapter.validate_json(readable(line), by_name=False)
    except ValidationError:
        return  # a banner or the like, which is meant for people
    # Nobody may be listening any more; the rest is read all the same, so that the server can end.
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await inbound.send(SessionMessage(message))


async def _send(process: Process, outbound: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin
    async with outbound:
        with suppress(OSError):  # it has ended, as its output tells too
            async for sent in outbound:
                text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(f"{text}\n".encode())
                await process.stdin.drain()


async def _stop(process: Process) -> None:
    """Let the server end: its input is closed, then it is told to, then it is made to."""
    assert process.stdin
    process.stdin.close()
    for number in (signal.SIGTERM, signal.SIGKILL):
        if await _gone(process):
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
    await _gone(process)


async def _gone(process: Process) -> bool:
    # Not `wait`, which also waits for whoever has inherited the pipes.
    with anyio.move_on_after(_PATIENCE):
        while process.returncode is None:  # noqa: ASYNC110 - nothing else tells
            await anyio.sleep(0.01)
    return process.returncode is not None


def _kill(pid: int, owner: int) -> None:
    if os.getpid() == owner:  # not in a fork of this process
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
