"""Data sets by name, those of users among them, and files that keep questions in progress."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from toolquiver.calling.replay import Replay, Simulator
from toolquiver.catalog.modules import attribute_at, is_module_path
from toolquiver.errors import CatalogError, InputError
from toolquiver.evaluation.datasets import Pool, Subset, load_dataset
from toolquiver.evaluation.lines import Head
from toolquiver.evaluation.reached import simulated
from toolquiver.evaluation.records import DataSet
from toolquiver.prompts import load_prompt

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

SIMULATE = "simulate"
"""The option in a journal's head that names the simulator's model, beside those of the data set."""

_METHODS = ("questions", "resources", "score")
_SIMULATED = 1_000_000_000  # tokens: the questions' own limits end a run before


class _Chosen(BaseModel):
    """What may be chosen of a data set, as `load_dataset` takes it."""

    model_config = ConfigDict(extra="forbid")

    catalog: str | None = None
    corrected: bool = False
    subset: Subset = "all"
    pool: Pool = "given"
    replay: Replay = "exact"


def dataset_named(
    name: str,
    folder: Path | None = None,
    options: Mapping[str, JsonValue] | None = None,
    simulator: BaseChatModel | None = None,
) -> DataSet:
    """The data set of this name, out of `folder`; or a user's own, an object or a function that `module:attribute` has.

    `simulator` makes up what calls return that nobody has recorded; what that costs is each result's `simulated`.

    Raises:
        InputError: there is no such data set, it does not take these options, or it cannot be read.
    """
    if is_module_path(name):
        if options or simulator:
            raise InputError(f"{name} takes no options. Choose in the module, or name another there.")
        return _own(name)
    try:
        chosen = _Chosen.model_validate(dict(options or {}))
    except ValidationError as error:
        wrong = error.errors()[0]
        known = ", ".join(_Chosen.model_fields)
        message = f"The option {wrong['loc'][0]} of the data set does not fit: {wrong['msg']}. There are: {known}."
        raise InputError(message) from error
    prompt = load_prompt("simulate").messages
    made_up = Simulator(simulator, prompt, token_budget=_SIMULATED, spent=simulated) if simulator else None
    return load_dataset(name, folder=folder, simulator=made_up, **chosen.model_dump(exclude_unset=True))


def dataset_of(head: Head, folder: Path | None = None) -> DataSet:
    """The data set that a journal's head names, with its options, out of `folder`.

    Raises:
        InputError: it cannot be read.
    """
    options = {name: value for name, value in head.options.items() if name != SIMULATE}
    return dataset_named(head.dataset, folder, options)


def _own(location: str) -> DataSet:
    try:
        found = attribute_at(location)
        made = found() if callable(found) else found
    except CatalogError as error:
        raise InputError(str(error)) from error
    except Exception as error:
        raise InputError(f"{location} fails: {type(error).__name__}: {error}. Correct it there.") from error
    if missing := [method for method in _METHODS if not callable(getattr(made, method, None))]:
        raise InputError(f"{location} is no data set: it has no {missing[0]}(). See toolquiver.evaluation.DataSet.")
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
    _refuse_place(path)
    try:
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            await saver.setup()
            try:
                yield saver
            finally:  # a write in the middle of which it closes would keep the file locked while this process lives
                async with saver.lock:
                    await saver.conn.rollback()
                    await saver.conn.close()
    except sqlite3.Error as error:
        raise InputError(f"The checkpoints in {str(path)!r} cannot be used: {error}. Name another file.") from error


def _refuse_place(path: Path) -> None:
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(f"The checkpoints cannot be in {str(path)!r}: no folder has this file. Name another.")
