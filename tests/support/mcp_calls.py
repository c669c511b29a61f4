"""Calls of the test servers, with nothing left open."""

import asyncio
import os
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from toolquiver.calling.mcp import McpCaller, McpSource
from toolquiver.catalog import API

PROGRAM = Path(__file__).with_name("mcp_server.py")


def program(mode="stdio", **settings):
    """The settings of the test server as a command."""
    patient = {"connect_timeout": 600, "read_timeout": 600}  # the machine may be busy
    given = {"environment": ("PYTHONPATH",)} | patient | settings
    return McpSource(command=sys.executable, args=(str(PROGRAM), mode), **given)


def api(tool, effect="read"):
    """The record of a tool that takes anything."""
    schema = {"type": "object", "additionalProperties": True}
    return API(
        id=f"mcp/test/{tool}",
        name=tool,
        effect=effect,
        parameters=schema,
        tool="test",
        category="mcp",
        source="mcp:test",
        binding={"tool": tool},
    )


async def text(caller, tool, **arguments):
    """The text of a call's answer."""
    return (await caller.call(api(tool), arguments)).text


@asynccontextmanager
async def opened(source):
    """A caller, closed afterwards."""
    caller = McpCaller(source)
    try:
        yield caller
    finally:
        await caller.aclose()


def once(source, tool, **arguments):
    """The text of one call's answer, in an event loop of its own."""

    async def calling():
        async with opened(source) as caller:
            return await text(caller, tool, **arguments)

    return asyncio.run(calling())


def is_alive(pid):
    """Whether there is such a process, and it still runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until_gone(pid):
    """Wait for the end of a process that was told to end."""
    for _ in range(600):
        if not is_alive(pid):
            return
        time.sleep(0.05)
    pytest.fail(f"The process {pid} is still there.")
