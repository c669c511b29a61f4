"""Locks between processes that the kernel drops when their holder dies (flock)."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from toolquiver.errors import ModelError

NO_FLOCK = (
    "The local model runs on Linux and macOS only. On this system, name an OpenAI-compatible endpoint: "
    "set OPENAI_BASE_URL and OPENAI_API_KEY and choose a model of the form 'openai:NAME'."
)


def check_platform() -> None:
    """Raise ModelError where the local model cannot run."""
    if sys.platform == "win32":
        raise ModelError(NO_FLOCK)


def lock(path: Path, *, shared: bool = False, wait: bool = True) -> int | None:
    """Lock a file, made if it is not there, with owner-only rights.

    Args:
        path: The file; its folder exists.
        shared: Many holders may share it; otherwise there is one holder.
        wait: Wait for it; otherwise give up at once.

    Returns:
        The open descriptor that holds the lock until it is closed, or None where it was given up.

    Raises:
        ModelError: The system has no such locks.
    """
    check_platform()
    import fcntl  # noqa: PLC0415 - not there on Windows, where the line above has raised

    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    kind = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
    try:
        fcntl.flock(handle, kind)
    except BlockingIOError:
        os.close(handle)
        return None
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the file's exclusive lock for the length of the block, waiting for it first."""
    handle = lock(path)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def is_held(path: Path) -> bool:
    """Whether some process holds the file's exclusive lock."""
    handle = lock(path, shared=True, wait=False)
    if handle is None:
        return True
    os.close(handle)
    return False
