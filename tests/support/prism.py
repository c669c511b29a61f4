"""Prism, an implementation of OpenAPI that is not ours: a server made of a document, which judges every request."""

import asyncio
import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.sample_values import sample
from toolquiver.calling import CallError
from toolquiver.calling.http import HttpCaller, HttpSource
from toolquiver.catalog.operation import HttpOperation

VARIABLE = "TOOLQUIVER_TEST_KEY"
"""The environment variable with the value of every credential."""

ROOT = Path(__file__).parents[2]
_PATIENCE = 600  # seconds until it has read a large document on a busy machine
_REFUSALS = ("errors#UNPROCESSABLE_ENTITY", "errors#UNAUTHORIZED", "_MATCHED", "errors#INVALID_CONTENT_TYPE")
_NO_ANSWER = "The connection to "
_NOT_SENT = ("cannot be written here", "is of a kind that cannot be sent")


def command():
    """Where Prism is; the test is skipped where it is not. `make test` installs it where npm is there."""
    installed = ROOT / ".venv/prism/node_modules/.bin/prism"
    found = os.environ.get("TOOLQUIVER_PRISM") or (str(installed) if installed.exists() else shutil.which("prism"))
    if not found:
        pytest.skip("Prism is not installed: `make prism` does that with npm, or TOOLQUIVER_PRISM names the command")
    return found


@contextmanager
def mocking(document, folder):
    """The URL of a server made of the document in a file."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "prism.log"
    mock = [command(), "mock", "--host", "127.0.0.1", "--port", str(port), "--errors", str(document)]
    with log.open("wb") as output, subprocess.Popen(mock, stdout=output, stderr=subprocess.STDOUT) as process:
        try:
            end = time.monotonic() + _PATIENCE
            while b"is listening" not in log.read_bytes():
                assert process.poll() is None, log.read_text("utf-8")
                assert time.monotonic() < end, "Prism does not come up"
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


class Judged(NamedTuple):
    """How many requests were judged, and what was said of those that were refused."""

    count: int
    refused: list[str]


def judged(url, apis):
    """What Prism says of a request to each API with all parameters, and of one with the required ones."""
    return asyncio.run(_judged(url, list(apis)))


async def _judged(url, apis):
    bindings = [HttpOperation.model_validate(api.binding) for api in apis]
    asked = {key.key for one in bindings for keys in (one.keys, *one.credentials) for key in keys}
    source = HttpSource(
        server=url,
        private_hosts=("127.0.0.1",),
        requests_per_second=10_000,
        credentials=dict.fromkeys(asked, VARIABLE),
    )
    caller, count, refused = HttpCaller(source), 0, []
    for api in apis:
        for optional in (True, False):
            arguments = sample(api.parameters, optional=optional)
            if arguments is None:
                continue
            error = await _error(caller, api, arguments)
            count += not any(sign in error for sign in _NOT_SENT)
            if error.startswith(_NO_ANSWER) or any(sign in error for sign in _REFUSALS):
                refused.append(f"{api.method} {api.binding['path']} {arguments}: {error}")
    await caller.aclose()
    return Judged(count, refused)


async def _error(caller, api, arguments):
    try:
        await caller.call(api, arguments)
    except CallError as error:
        return str(error)
    return ""
