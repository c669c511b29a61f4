"""Instructions written into a catalogue file, going on where that was stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolquiver.catalog import API, Catalog, Source
from toolquiver.cli.counting import Count
from toolquiver.cli.documenting import left_to_write, write_all
from toolquiver.contexts import EasyToolContext
from toolquiver.models import tokens


def catalogue(folder: Path, name: str, apis: Sequence[API]) -> Catalog:
    """A catalogue file of just these APIs; what was written about them before, and about others, stays in it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.db"
    catalog = Catalog.open(path) if path.exists() else Catalog.create(path)
    catalog.sync(Source(key=apis[0].source, kind="bench"), apis)
    return catalog


def write_missing(catalog: Catalog, context: EasyToolContext, at_once: int = 1, **bound: Any) -> None:
    """Let the model write what is missing, so many tools at a time."""
    works = left_to_write(catalog, context.model)
    with Count(len(works), 0, "tools") as count:

        def told(done: Any, spent: Any) -> None:
            label, name = ("failed", f"{done.work.tool}: {done.failed}") if done.failed else ("written", done.work.tool)
            count.add(label, name, done.seconds, tokens(spent))

        asyncio.run(write_all(catalog, works, context, concurrency=at_once, progress=told, **bound))
