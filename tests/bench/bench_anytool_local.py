"""AnyTool's retriever and loop with a real model: `make bench-anytool-local` writes `docs/results/anytool_local.md`.

    python -m tests.bench.bench_anytool_local retrieval --queries 60 --minutes 30
    python -m tests.bench.bench_anytool_local loop --queries 30 --systems whole
    python -m tests.bench.bench_anytool_local page --report docs/results/anytool_local.md

Every finished run is a line in a journal in `tests/bench/figures`; the same command goes on where it was stopped, on
another machine too, since a line holds figures and places only, nothing of the data. `--texts FILE` writes what was
found and answered as well. The queries come one of each group in turn, in an order that `--seed` fixes, so that any
first part is even over the groups. A run made with other settings, or another model, does not count as done.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.progress import track

from tests.bench.anytool_measured import (
    FIRST,
    LOOP,
    RETRIEVAL,
    Asked,
    Row,
    World,
    figures,
    in_turn,
    record,
    recorded,
    retrieve,
    solve,
    toolbench,
)
from tests.bench.anytool_page import page
from tests.bench.bench_smurfs import append, read, revision
from tests.bench.pages import write_page
from tests.bench.search_queries import queries
from toolquiver.context import Context
from toolquiver.errors import ModelError
from toolquiver.models import load_model

_FOLDER = Path("tests/bench/figures")
_KINDS = {
    "retrieval": (RETRIEVAL, retrieve, ("hierarchy", "flat")),
    "loop": (LOOP, solve, ("whole", "without reflection", "without hierarchy")),
}


def _journal(kind: str) -> Path:
    return _FOLDER / f"anytool_{kind}.jsonl"


def key_of(asked: Asked) -> str:
    """Which query it is, without its text."""
    return hashlib.sha256(asked.text.encode()).hexdigest()[:12]


def current(kind: str, model: str) -> list[Row]:
    """What the journal has of runs with the settings of today and this model."""
    settings = _KINDS[kind][0]
    rows = read(_journal(kind))
    return [row for row in rows if row["model"] == model and row["settings"] == settings.get(row["system"])]


def to_do(kind: str, model: str, asked: list[Asked], systems: list[str]) -> Iterator[tuple[str, Asked]]:
    """The runs that the journal lacks, all systems on one query before the next."""
    done = {(row["system"], row["query"]) for row in current(kind, model)}
    return ((name, one) for one in asked for name in systems if (name, key_of(one)) not in done)


async def measured(kind: str, name: str, asked: Asked, world: World) -> Row:
    """One run; one that breaks has found and solved nothing, and says why."""
    settings, measure, _ = _KINDS[kind]
    context = Context(**settings[name])
    by_search = [hit.api.id for hit in world.catalog.search(asked.text, context.pool_size)]
    began = time.perf_counter()
    try:
        row = await measure(world, context, asked)
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001 - what breaks stands in the journal, and counts
        row = {"error": f"{type(error).__name__}: {error}"}
    return row | {
        "system": name,
        "settings": settings[name],
        "group": asked.group,
        "query": key_of(asked),
        "text": asked.text,
        "needed": [api.id for api in asked.needed],
        "search": by_search,
        "seconds": round(time.perf_counter() - began, 1),
    }


def with_first(row: Row) -> list[Row]:
    """A run, and for a whole one all that it had come to at its first verdict."""
    first = row.pop("first", None)
    if row["system"] != "whole" or not first:
        return [row]
    return [row, row | first | {"system": FIRST, "settings": LOOP[FIRST]}]


def in_time(work: Iterable[tuple[str, Asked]], ends: float) -> Iterator[tuple[str, Asked]]:
    """The runs that may begin before the time is over."""
    for one in work:
        if time.monotonic() > ends:
            print("The time is over; the same command goes on.")
            return
        yield one


async def run(kind: str, options: argparse.Namespace) -> None:
    """Run what the journal lacks of the first queries, as long as there is time."""
    catalog = toolbench()
    asked = in_turn(queries(), catalog.apis(), options.seed)
    if kind == "loop":
        record(catalog)
        asked = recorded(asked)
    systems = options.systems.split(",") if options.systems else list(_KINDS[kind][2])
    runnable = [name for name in _KINDS[kind][0] if name != FIRST]
    if unknown := set(systems) - set(runnable):
        raise SystemExit(f"There is no system {', '.join(unknown)}; there are: {', '.join(runnable)}.")
    work = list(to_do(kind, options.model, asked[: options.queries], systems))
    world, at, ends = World(catalog, load_model(options.model)), revision(), time.monotonic() + 60 * options.minutes
    left = in_time(track(work, kind), ends)

    async def one_by_one() -> None:
        for name, one in left:
            known = {"model": options.model, "revision": at, "at_once": options.at_once}
            row = await measured(kind, name, one, world) | known
            for made in with_first(row):
                append(_journal(kind), figures(made))
                if options.texts:
                    append(options.texts, made)
            print(name, one.group, f"{row['seconds']:.0f} s", f"{row.get('tokens', 0):,} tokens", row.get("error", ""))

    await asyncio.gather(*(one_by_one() for _ in range(options.at_once)))


def main() -> None:
    """Run what is asked for, then show the page of all that the journals hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*_KINDS, "page"])
    parser.add_argument("--queries", type=int, default=60, help="the first so many queries, even over the groups")
    parser.add_argument("--minutes", type=float, default=10**6, help="begin no run after so many")
    parser.add_argument("--systems", default="", help="comma-separated; all that are compared, unless told")
    parser.add_argument("--seed", type=int, default=0, help="fixes the order of the queries")
    parser.add_argument("--at-once", type=int, default=1, help="runs at a time: more in all, and each takes longer")
    parser.add_argument("--model", default="local")
    parser.add_argument("--texts", type=Path, help="write what was found, called and answered into this file too")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    _FOLDER.mkdir(parents=True, exist_ok=True)
    if options.what in _KINDS:
        asyncio.run(run(options.what, options))
    retrieval, loop = current("retrieval", options.model), current("loop", options.model)
    if not retrieval + loop:
        raise SystemExit("Nothing is measured with these settings and this model yet.")
    text = page(options.model, retrieval, loop)
    print(text)
    if options.report:
        write_page(options.report, text)


if __name__ == "__main__":
    main()
