"""How the local model is served, and the folder where a server with these settings is found."""

import dataclasses
import hashlib
import json
import os
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from toolquiver.errors import ModelError

CONTEXT_TOKENS = 8192
SLOTS = 4  # measured on two cores: 13 tokens a second for one request, 23 for four together
HEAD_BYTES = 4096


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """What a server is started with; servers with different settings are different servers."""

    model: str
    """Path of the .gguf file."""
    threads: int
    """Processor threads of generation."""
    context: int = CONTEXT_TOKENS
    """Tokens of one request, prompt and answer together."""
    slots: int = SLOTS
    """Requests served side by side, each with a prompt cache of its own."""
    template: str = ""
    """Chat template (Jinja); empty for the one in the file."""
    name: str = "local"
    """What the server calls the model."""
    cache_mib: int = 512
    """Memory for the beginnings of earlier prompts, so that agents of different roles do not push each
    other's out of the slots; 28 kB a token."""

    def as_json(self) -> dict[str, Any]:
        """Return the fields by name."""
        return dataclasses.asdict(self)


def default_settings(model: Path) -> Settings:
    """Return the settings for a model file on this machine.

    One core is left free: with every core taken by others, generation otherwise waits for the slowest thread.
    TOOLQUIVER_LOCAL_THREADS names another number of threads, for a machine that does nothing else.

    Raises:
        ModelError: TOOLQUIVER_LOCAL_THREADS is no number above 0.
    """
    wish = os.environ.get("TOOLQUIVER_LOCAL_THREADS") or str(max(1, (os.cpu_count() or 2) - 1))
    if not wish.isdecimal() or not int(wish):
        raise ModelError(f"TOOLQUIVER_LOCAL_THREADS is {wish!r}; give a number of threads, such as 2.")
    threads = int(wish)
    return Settings(model=str(model.resolve()), threads=threads, template=template_for(model))


def template_for(model: Path) -> str:
    """Return the chat template for a model file: ours for the Coder family, else "" for the file's own."""
    with model.open("rb") as file:
        head = file.read(HEAD_BYTES).replace(b" ", b"-")
    if b"Qwen2.5-Coder" not in head:
        return ""
    return Path(__file__).with_name("template.jinja").read_text(encoding="utf-8")


def runtime_folder(settings: Settings) -> Path:
    """Make and return the folder of the locks, state and log of the server with these settings.

    Raises:
        ModelError: The folder belongs to somebody else.
    """
    model = Path(settings.model).stat()
    version = metadata.version("xllamacpp")
    text = json.dumps([settings.as_json(), model.st_size, model.st_mtime_ns, version])
    base = os.environ.get("XDG_RUNTIME_DIR")
    root = Path(base, "toolquiver") if base else Path(tempfile.gettempdir(), f"toolquiver-{os.getuid()}")
    folder = root / f"local-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    for path in (root, folder):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_private(path)
    return folder


def _check_private(folder: Path) -> None:
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid():
        raise ModelError(f"{folder} belongs to another user: remove it, or set XDG_RUNTIME_DIR to a folder of yours.")
    if status.st_mode & 0o077:
        folder.chmod(0o700)
