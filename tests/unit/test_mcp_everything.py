"""The reference server of the protocol, which is on npm, where npx has it already: tests do not leave the machine."""

import asyncio
import shutil
import subprocess

import pytest

pytest.importorskip("mcp")

from tests.unit.mcp_calls import api, opened, text
from toolquiver.calling import Limits, perform
from toolquiver.calling.mcp import McpSource

PACKAGE = "@modelcontextprotocol/server-everything"
COMMAND = ("npx", "--offline", "-y", PACKAGE, "stdio")


@pytest.fixture(scope="module")
def source():
    if shutil.which("npx") is None:
        pytest.skip("npx is not installed")
    tried = subprocess.run(COMMAND, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"npx does not have the server yet: npx -y {PACKAGE} stdio </dev/null")
    return McpSource(command=COMMAND[0], args=COMMAND[1:], connect_timeout=600, read_timeout=600)


def test_the_reference_server_is_read_and_called(source):
    async def calls():
        async with opened(source) as caller:
            _, apis = await caller.read(name="everything")
            total = await text(caller, "get-sum", a=2, b=40)
            picture = await text(caller, "get-tiny-image")
            weather = await text(caller, "get-structured-content", location="Chicago")
            wrong = await perform(api("get-sum"), {"a": "x"}, {"mcp:test": caller}, Limits(timeout=600))
            return {api.name: api for api in apis}, total, picture, weather, wrong.kind

    apis, total, picture, weather, wrong = asyncio.run(calls())
    assert apis["get-sum"].id == "mcp/everything/get_sum"
    assert apis["get-sum"].method == "CALL"
    assert set(apis["get-structured-content"].output["properties"]) == {"temperature", "conditions", "humidity"}
    assert "42" in total
    assert "[image, image/png, " in picture
    assert weather.count("Light rain") == 1
    assert wrong in {"tool_error", "invalid_arguments"}
