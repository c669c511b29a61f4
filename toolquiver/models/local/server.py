"""The process that serves the local model on 127.0.0.1 for as long as a client process lives.

Run by share.py, by its path, with the folder of its lock and state files and its settings as JSON. It imports
nothing of toolquiver, so that it starts quickly and stays small.
"""

import fcntl
import importlib
import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import Any

POLL_SECONDS = 1.0
HTTP_THREADS = 64
"""A waiting request holds one; were all taken, the server would look dead."""


def start(settings: dict[str, Any], key: str, port: int = 0) -> Any:
    """Load the model and listen on 127.0.0.1.

    Args:
        settings: The fields of `settings.Settings`, as JSON values.
        key: What clients must send as their bearer token.
        port: The port to listen on; 0 takes a free one.

    Returns:
        The running xllamacpp server; it stops when it is dropped.

    Raises:
        ImportError: xllamacpp is not installed.
        RuntimeError: The model cannot be loaded or the port is taken.
    """
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = settings["model"]
    params.model_alias = {settings["name"]}
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], port, [key]
    params.n_parallel = settings["slots"]
    params.n_ctx = settings["context"] * settings["slots"]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.cache_ram_mib = settings["cache_mib"]
    params.n_threads_http = HTTP_THREADS
    params.offline, params.ui, params.use_jinja = True, False, True
    params.endpoint_slots = False  # it would show one client's prompts to another
    params.verbosity = 2  # warnings and errors
    if settings["template"]:
        params.chat_template = settings["template"]
    return xllamacpp.Server(params)


def port_of(server: Any) -> int:
    """Return the TCP port a running server listens on."""
    return int(str(server.listening_address).rsplit(":", 1)[1].strip("/"))


def write_state(folder: Path, port: int, key: str) -> None:
    """Tell clients where the server is, in a file only the user can read, all at once."""
    draft = folder / "state.draft"
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump({"port": port, "key": key, "pid": os.getpid()}, file)
    draft.replace(folder / "state.json")


def wait_for_last_client(folder: Path) -> None:
    """Return when no process holds the clients' lock; keep it, so that none can take it any more."""
    handle = os.open(folder / "clients.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(POLL_SECONDS)
        else:
            return


def detach(folder: Path) -> None:
    """Go on in a child process of nobody, holding the server's lock, with output in the log file.

    The process that was started ends at once with status 0, or with 3 where a server already runs. The lock
    is taken before that, so whoever waited for it can tell from the lock whether the server lives.
    """
    handle = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os._exit(3)
    (folder / "state.json").unlink(missing_ok=True)
    if os.fork():
        os._exit(0)
    log = os.open(folder / "server.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(log, stream)


def main() -> None:
    """Serve until the last client process is gone."""
    folder, settings = Path(sys.argv[1]), json.loads(sys.argv[2])
    detach(folder)
    os.chdir("/")
    key = secrets.token_urlsafe(32)
    server = start(settings, key)
    write_state(folder, port_of(server), key)
    wait_for_last_client(folder)
    (folder / "state.json").unlink(missing_ok=True)
    os._exit(0)  # the kernel frees what a tidy stop would free slowly


if __name__ == "__main__":
    main()
