"""The catalogue file of an import: the one that is there, or a new one that is whole before it has its name."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toolquiver.catalog import Catalog
from toolquiver.errors import CatalogError

_BESIDE = ("", "-journal", "-shm", "-wal")  # what SQLite keeps by a file


@contextmanager
def opened_or_new(path: Path, *, dry_run: bool) -> Iterator[Catalog]:
    """The catalogue in a file. Where there is none, a new one is made beside it, and gets its name at the end.

    A block that fails leaves nothing, one that is killed `FILE.….new`. With `dry_run` a new one is in memory.

    Raises:
        CatalogError: the file cannot be opened or made, or another process has made it meanwhile.
    """
    if path.exists() or dry_run:
        with Catalog.open(path) if path.exists() else Catalog.create() as catalog:
            yield catalog
        return
    path = Path(os.path.realpath(path))  # a symbolic link that leads to no file yet stays
    # A name of its own: of two imports at once one must not take the other's.
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        with Catalog.create(beside) as catalog:
            yield catalog
        _name(beside, path)
    except BaseException:
        for end in _BESIDE:
            beside.with_name(beside.name + end).unlink(missing_ok=True)
        raise


def _name(beside: Path, path: Path) -> None:
    if path.exists():
        raise CatalogError(f"Another process has made {str(path)!r} meanwhile. Import again, into what is there.")
    beside.rename(path)
