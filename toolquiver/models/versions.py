"""Which model it is that answers to a name: the local model's file, or the package that reaches a provider's."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from toolquiver.models.load import LOCAL


def model_version(name: str) -> dict[str, str]:
    """What tells this model from others of the same name, by what it is; empty where nothing is known.

    A file of one's own is told by name and bytes: its digest would take as long as a question does.
    """
    if name == LOCAL:
        from toolquiver.models.local.files import OWN_FILE, QWEN_CODER  # noqa: PLC0415 - an optional part

        own = Path(os.environ.get(OWN_FILE) or QWEN_CODER.name).expanduser()
        size = own.stat().st_size if own.is_file() else QWEN_CODER.size
        return {"model file": f"{own.name} ({size} bytes)"}
    package = f"langchain-{name.partition(':')[0].replace('_', '-')}"
    try:
        return {package: version(package)}
    except PackageNotFoundError:
        return {}
