"""Whether a file is the one its publisher has, hashed once and remembered in a small file beside it."""

import dataclasses
import hashlib
import json
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Published:
    """A file as its publisher has it."""

    name: str
    size: int
    """Bytes."""
    sha256: str


def _sidecar(target: Path) -> Path:
    return target.with_name(f"{target.name}.verified")


def known_good(target: Path, file: Published) -> bool:
    """Whether the file was verified before and has not been touched since."""
    try:
        status = target.stat()
        seen = json.loads(_sidecar(target).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(seen == [file.sha256, status.st_size, status.st_mtime_ns])


def verified(target: Path, file: Published) -> bool:
    """Verify a file that was put there by other means."""
    good = target.is_file() and target.stat().st_size == file.size and sha256(target) == file.sha256
    if good:
        remember(target, file)
    return good


def remember(target: Path, file: Published) -> None:
    """Note beside a file that it was verified as it is now."""
    status = target.stat()
    text = json.dumps([file.sha256, status.st_size, status.st_mtime_ns])
    _sidecar(target).write_text(text, encoding="utf-8")


def sha256(path: Path) -> str:
    """Return the hexadecimal digest of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
