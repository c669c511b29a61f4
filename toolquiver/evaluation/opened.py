"""Data sets by name, those of users among them, and files that keep questions in progress."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from toolquiver.catalog.modules import attribute_at, is_module_path
from toolquiver.errors import CatalogError, InputError
from toolquiver.evaluation.records import DataSet

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

_METHODS = ("questions", "resources", "score")


def dataset_named(name: str, folder: Path | None = None) -> DataSet:
    """The data set of this name, out of `folder`; or a user's own, an object or a function that `module:attribute` has.

    Raises:
        InputError: there is no such data set, or it cannot be read.
    """
    if not is_module_path(name):
        found = import_module("toolquiver.evaluation.datasets")
        return cast("DataSet", found.load_dataset(name, folder=folder))
    try:
        made = attribute_at(name)
        made = made() if callable(made) else made
    except CatalogError as error:
        raise InputError(str(error)) from error
    if missing := [method for method in _METHODS if not callable(getattr(made, method, None))]:
        raise InputError(f"{name} is no data set: it has no {missing[0]}(). See toolquiver.evaluation.DataSet.")
    return cast("DataSet", made)


@asynccontextmanager
async def checkpoints(path: Path | None) -> AsyncIterator[BaseCheckpointSaver[Any] | None]:
    """Checkpoints in a SQLite file, None without one.

    Raises:
        InputError: the package for that is not installed, or the file cannot be used.
    """
    if path is None:
        yield None
        return
    try:
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver  # noqa: PLC0415 - an optional part
    except ImportError as error:
        raise InputError("Checkpoints need a package: pip install langgraph-checkpoint-sqlite.") from error
    try:
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            await saver.setup()
            yield saver
    except sqlite3.Error as error:
        raise InputError(f"The checkpoints in {str(path)!r} cannot be used: {error}. Name another file.") from error
