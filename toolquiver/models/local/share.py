"""One server of the local model for all client processes of a user."""

import dataclasses
import functools
import http.client
import importlib.util
import json
import logging
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from toolquiver.errors import ModelError, ModelUnreachable
from toolquiver.models.local import files, locks
from toolquiver.models.local.settings import Settings, default_settings, runtime_folder

START_SECONDS = 120.0
HEALTH_SECONDS = 10.0
LOG_LINES = 15
BESIDE = (
    "A local model that is served with other settings runs already, and two of them slow each other down "
    "very much. Programs share one where TOOLQUIVER_LOCAL_MODEL, TOOLQUIVER_LOCAL_THREADS and the installed xllamacpp "
    "are the same for all of them."
)
NOT_INSTALLED = "The local model needs xllamacpp: pip install 'toolquiver[local]'."


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """Where a model is served, for any OpenAI-compatible client."""

    base_url: str
    """Such as http://127.0.0.1:8080/v1."""
    api_key: str = dataclasses.field(repr=False)
    """The bearer token that the server asks for."""
    model: str
    """The model's name there."""


def acquire(settings: Settings | None = None, *, fresh: bool = False) -> Endpoint:
    """Find the user's server of the local model, or start it, and keep it alive until this process ends.

    Args:
        settings: How it is to be served; by default the local model's file, fetched if it is not there.
        fresh: Ask the server whether it answers, although this process has used it before.

    Returns:
        The server's endpoint. Processes and threads that ask for the same settings share one server.

    Raises:
        ModelFileError: The model's file is not there and cannot be fetched.
        ModelUnreachable: The server does not come up; the message has the end of its log.
        ModelError: The system or the installation cannot serve it.
    """
    locks.check_platform()
    check_installed()
    return _client(settings or _default_settings(files.model_path())).acquire(fresh=fresh)


def check_installed() -> None:
    """Raise ModelError where xllamacpp is not installed."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(NOT_INSTALLED)


@functools.cache
def _default_settings(_path: Path) -> Settings:
    return default_settings(files.pull())


class _Client:
    """This process's hold on the server with some settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.folder = runtime_folder(settings)
        self.hold: int | None = None
        self.endpoint: Endpoint | None = None
        self.guard = threading.Lock()

    def acquire(self, *, fresh: bool) -> Endpoint:
        """Return the live server's endpoint; start the server where there is none."""
        with self.guard:
            if self.endpoint is None or fresh or not locks.is_held(self.folder / "server.lock"):
                self.endpoint = self._find_or_start()
            return self.endpoint

    def _find_or_start(self) -> Endpoint:
        with locks.locked(self.folder / "start.lock"):
            if self.hold is None:
                self.hold = locks.lock(self.folder / "clients.lock", shared=True)
            return self._answering() or self._start()

    def _start(self) -> Endpoint:
        if others_run(self.folder):
            logging.getLogger(__name__).warning(BESIDE)
        spawn(self.folder, self.settings)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if found := self._answering():
                return found
            if not locks.is_held(self.folder / "server.lock"):
                raise ModelError(_failure(self.folder, "The local model's server stopped while it started."))
            time.sleep(0.05)
        raise ModelUnreachable(_failure(self.folder, f"No local model within {START_SECONDS:.0f} s."))

    def _answering(self) -> Endpoint | None:
        """Return the endpoint of the server that lives and answers, or None."""
        if not locks.is_held(self.folder / "server.lock"):
            return None
        state = _answering_in(self.folder)
        if state is None:
            return None
        return Endpoint(f"http://127.0.0.1:{state['port']}/v1", state["key"], self.settings.name)


_client = functools.cache(_Client)


def spawn(folder: Path, settings: Settings) -> None:
    """Start the server in a session of its own, with nothing inherited but the environment."""
    script = [sys.executable, "-P", str(Path(__file__).with_name("server.py"))]
    subprocess.run(  # noqa: S603 - this interpreter and our own file
        [*script, str(folder), json.dumps(settings.as_json())],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        check=False,
    )


def others_run(folder: Path) -> bool:
    """Whether a server of this user with other settings lives.

    Its lock is not tried: whoever starts it at that moment would find it held.
    """
    return any(_answering_in(other) for other in folder.parent.glob("local-*") if other != folder)


def _answering_in(folder: Path) -> dict[str, Any] | None:
    """What is written of a server that answers; None where none does, as of one that was killed and left its state."""
    try:
        state: dict[str, Any] = json.loads((folder / "state.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return state if _healthy(state["port"]) else None


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HEALTH_SECONDS)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _failure(folder: Path, what: str) -> str:
    log = folder / "server.log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:] if log.exists() else []
    return "\n".join([what, f"The end of {log}:", *lines])
