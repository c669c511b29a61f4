"""The reference server of the protocol, which is on npm: `make test` installs it where npm is there."""

import asyncio
import shutil
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from tests.support.mcp_calls import api, opened, text
from toolquiver.calling import Limits, perform
from toolquiver.calling.mcp import McpSource

PROGRAM = Path(__file__).parents[2] / ".venv/everything/node_modules/.bin/mcp-server-everything"


@pytest.fixture
def source():
    found = str(PROGRAM) if PROGRAM.exists() else shutil.which(PROGRAM.name)
    if not found:
        pytest.skip("the reference server is not installed: `make everything` does that with npm")
    return McpSource(command=found, args=("stdio",), connect_timeout=600, read_timeout=600)


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
