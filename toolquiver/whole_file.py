"""A file that is written whole or not at all."""

import secrets
from pathlib import Path

from toolquiver.errors import InputError


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a text or bytes into the file; what breaks off before its end leaves what was there.

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
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
