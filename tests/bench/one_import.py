"""One document imported into a throw-away catalogue, in a process of its own with a limit of memory and of time."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import tempfile
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from toolquiver.catalog import Catalog, meaning
from toolquiver.catalog.importing import read
from toolquiver.catalog.openapi import Settings
from toolquiver.errors import CatalogError

Row = dict[str, Any]

if meaning.available():
    meaning.embed(["loaded once, before the processes are forked"])

_PATIENCE = 20  # so many times as long as its processor's seconds a process may wait for a processor
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["__main__", __name__])


def imported(path: Path, *, seconds: float, megabytes: int) -> Row:
    """What came of the import: `outcome` is `whole`, `parts`, `error`, `crash`, `memory` or `time`.

    `seconds` are those of the processor, so that others on the machine do not count.
    """
    ours, theirs = _processes.Pipe(duplex=False)
    process = _processes.Process(target=_work, args=(theirs, path, int(seconds), megabytes))
    process.start()
    theirs.close()
    row: Row = {}
    if ours.poll(_PATIENCE * seconds):
        with suppress(EOFError):
            row = ours.recv()
    else:
        process.kill()
        row = {"outcome": "time"}
    process.join()
    ours.close()
    if process.exitcode == -signal.SIGXCPU:
        return {"outcome": "time"}
    return row or {"outcome": "crash", "message": f"the process ended with {process.exitcode} and without a word"}


def _work(answers: Connection, path: Path, seconds: int, megabytes: int) -> None:
    most = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    began = time.process_time()
    try:
        row = _outcome(path)
    except MemoryError:
        row = {"outcome": "memory"}
    except BaseException as error:  # noqa: BLE001 - a crash is what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.name}"
        row = {"outcome": "crash", "message": f"{type(error).__name__} in {place}: {str(error)[:300]}"}
    row["seconds"] = round(time.process_time() - began, 2)
    row["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    with suppress(BrokenPipeError):
        answers.send(row)


def _outcome(path: Path) -> Row:
    """The import as it is by default; where that is an error, the import without what is broken beside it."""
    try:
        return {"outcome": "whole"} | _import(path, Settings())
    except CatalogError as error:
        row = {"outcome": "error", "message": str(error)}
    with suppress(CatalogError):
        row |= {"outcome": "parts"} | _import(path, Settings(skip_broken=True))
    return row


def _import(path: Path, settings: Settings) -> Row:
    with tempfile.TemporaryDirectory() as folder, Catalog.create(Path(folder) / "apis.db") as catalog:
        reading = read(str(path), settings, kind="openapi")
        catalog.sync(reading.source, reading.apis)
        keys = {key["name"] for api in catalog.apis() for key in api.binding["keys"]}
        return {"operations": len(catalog), "skipped": len(reading.skipped), "keys": sorted(keys)}
