"""A file that is written whole or not at all."""

import os
import secrets
import stat
from pathlib import Path

from toolquiver.errors import InputError


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a text or bytes into the file; what breaks off before its end leaves what was there.

    Who may read a file that is there stays, and so do symbolic links to it.

    Raises:
        InputError: the file cannot be written.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():  # a terminal or a pipe has no other name to be written under
            path.write_bytes(data)
        else:
            _replace(path, data)
    except OSError as error:
        raise InputError(f"Cannot write {str(path)!r}: {error.strerror}. Name another file.") from error


def _replace(path: Path, data: bytes) -> None:
    path = Path(os.path.realpath(path))
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        beside.touch(0o666 if mode is None else 0o600, exist_ok=False)
        beside.write_bytes(data)
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
