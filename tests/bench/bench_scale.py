"""How import and search grow from 16,463 APIs to 1,000,000: `make bench-scale` writes `docs/results/scale.md`.

The catalogue of 46,803 APIs is added again and again, each time as a source of its own: its tools get other names, and
a part of the words of each description is replaced, some by new ones, so that no two APIs are the same and the
vocabulary grows. With `--folder` the files stay, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from rich.progress import track

from tests.bench.pages import write_page
from tests.bench.search_queries import DATA, queries
from toolquiver.catalog import API, Catalog, Source
from toolquiver.catalog.toolbench import read_toolbench

Row = dict[str, Any]

_SMALL = "catalogue_toolbench16k.jsonl.gz"
_LARGE = "catalogue_rapidapi2404.jsonl.gz"
_QUERIES = 200
_REPLACED = 0.3  # of a description's words
_NEW = 0.02  # of those that replace them
_MEASURED = (1, 3, 10, 21.4)  # how many times the large catalogue is in the file when search is measured
_HEAD = """# How import and search grow

Written by `make bench-scale`. `import` is the rate of the last source that was added, {each:,} APIs at most, by the
clock and by processor time, without reading ToolBench's file; `its MB` is the most memory that this process held, the
benchmark's own copies of the APIs included. `p50` and `p95` are of {queries} of ToolBench's queries, one at a time, 64
hits each, in a process that does nothing else, by the clock and (`cpu`) by processor time; `MB` is the most memory that
this process held. {cores} processors, which did other work too (load {load:.1f} at the end).

![Growth](scale.png)

| APIs | tools | import, APIs/s | of cpu time | its MB | file, MB | search | p50 ms | p95 ms | p50 cpu | p95 cpu | MB |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def varied(apis: list[API], number: int) -> Iterator[API]:
    """The same APIs under other names, with other words in their descriptions."""
    chance = random.Random(number)
    words = [word for api in apis for word in api.description.split()]
    names = {tool: f"{tool} {chance.choice(words)} {number}" for tool in dict.fromkeys(api.tool for api in apis)}
    for api in apis:
        category, tool, name = api.id.split("/")
        mixed = [_other(words, chance) if chance.random() < _REPLACED else word for word in api.description.split()]
        yield api.model_copy(
            update={
                "id": f"{category}/{tool}-{number}/{name}",
                "tool": names[api.tool],
                "description": " ".join(mixed),
                "source": f"toolbench:{number}",
            }
        )


def _other(words: list[str], chance: random.Random) -> str:
    if chance.random() < _NEW:
        return "".join(chance.choices(ascii_lowercase, k=chance.randint(4, 9)))
    return chance.choice(words)


def add(catalog: Catalog, apis: list[API], number: int) -> Row:
    """Import them as one more source."""
    began, worked = time.perf_counter(), time.process_time()
    catalog.sync(Source(key=f"toolbench:{number}", kind="toolbench"), apis)
    took, work = time.perf_counter() - began, time.process_time() - worked
    stats = catalog.stats()
    return {
        "apis": stats["apis"],
        "tools": stats["tools"],
        "rate": len(apis) / took,
        "rate cpu": len(apis) / work,
        "import memory": largest(),
    }


def largest() -> float:
    """The most that this process held, in MB; `ru_maxrss` would begin with the parent's."""
    status = Path("/proc/self/status").read_text("utf-8")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


def searched(path: Path) -> list[Row]:
    """Search in processes of their own, by words alone and by meaning too."""
    found = []
    for dense in (False, True):
        command = [sys.executable, "-m", "tests.bench.bench_scale", "--search", str(path), *(["--dense"] * dense)]
        found.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    return found


def search(path: Path, *, dense: bool) -> Row:
    """The latencies of some queries, in milliseconds, and this process's largest size."""
    asked = random.Random(1).sample(queries(), _QUERIES)
    times, works = [], []
    with Catalog.open(path) as catalog:
        catalog.search(asked[0].text, 64, dense=dense)
        for query in asked:
            began, worked = time.perf_counter(), time.process_time()
            catalog.search(query.text, 64, dense=dense)
            times.append(1000 * (time.perf_counter() - began))
            works.append(1000 * (time.process_time() - worked))
    row: Row = {"search": "words and meaning" if dense else "words", "memory": largest()}
    for name, values in (("", times), (" cpu", works)):
        values.sort()
        row |= {f"p50{name}": values[len(values) // 2], f"p95{name}": values[int(len(values) * 0.95)]}
    return row


def stages(folder: Path, most: int) -> Iterator[list[Row]]:
    """Two rows a stage: what the import and the searches took. What the folder has already is not done again."""
    apis = read_toolbench(DATA / "toolbench" / _SMALL, "toolbench:0")
    small, done = folder / f"{len(apis)}.db", Journal(folder / "imports.json")
    if small.name not in done.rows:
        small.unlink(missing_ok=True)
        with Catalog.create(small) as catalog:
            done.put(small.name, add(catalog, apis, 0))
    yield [_row(done.rows[small.name], small, one) for one in searched(small)]
    apis = read_toolbench(DATA / "toolbench" / _LARGE, "toolbench:0")
    for count in (min(most, round(times * len(apis))) for times in _MEASURED):
        path = folder / f"{count}.db"
        if path.name not in done.rows:
            grow(folder / "growing.db", apis, count, done)
            done.put(path.name, done.rows["growing.db"])
            shutil.copyfile(folder / "growing.db", path)
        yield [_row(done.rows[path.name], path, one) for one in searched(path)]


def grow(path: Path, apis: list[API], count: int, done: Journal) -> None:
    """Import variations until the file has so many APIs."""
    if not path.exists():
        Catalog.create(path).close()
    with Catalog.open(path) as catalog:
        numbers = range(len(catalog.sources()), -(-count // len(apis)))
        for number in track(numbers, description=f"to {count:,} APIs"):
            part = list(varied(apis, number))[: count - number * len(apis)]
            done.put(path.name, add(catalog, part, number))


class Journal:
    """The figures of the imports by file, kept in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.rows: dict[str, Row] = json.loads(path.read_text("utf-8")) if path.exists() else {}

    def put(self, name: str, row: Row) -> None:
        """Keep a row."""
        self.rows[name] = row
        self._path.write_text(json.dumps(self.rows, indent=1), "utf-8")


def _row(done: Row, path: Path, one: Row) -> Row:
    return {"file": path.stat().st_size / 1e6, **done, **one}


def plot(rows: list[Row], path: Path) -> None:
    """Latency, memory and import rate by number of APIs; of processor time, which other work changes least."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - of the group `bench`
    from matplotlib.ticker import EngFormatter, NullLocator  # noqa: PLC0415

    figure = Figure(figsize=(11, 3.4), layout="constrained")
    for axes, (key, label) in zip(
        figure.subplots(1, 3),
        (
            ("p95 cpu", "search, p95, ms of processor time"),
            ("memory", "memory of search, MB"),
            ("rate cpu", "import, APIs/s of processor time"),
        ),
        strict=True,
    ):
        for name in ("words", "words and meaning"):
            part = [row for row in rows if row["search"] == name]
            axes.plot([row["apis"] for row in part], [row[key] for row in part], marker="o", label=name)
        axes.set(xscale="log", xlabel="APIs", title=label, ylim=(0, None))
        axes.set_xticks([row["apis"] for row in rows], minor=False)
        axes.xaxis.set_major_formatter(EngFormatter(places=0, sep=""))
        axes.xaxis.set_minor_locator(NullLocator())
    figure.axes[0].legend()
    figure.savefig(path, dpi=110)


def page(rows: list[Row]) -> str:
    """The page of results."""
    head = _HEAD.format(each=46_803, queries=_QUERIES, cores=os.cpu_count(), load=os.getloadavg()[0])
    lines = [
        f"| {row['apis']:,} | {row['tools']:,} | {row['rate']:,.0f} | {row['rate cpu']:,.0f} |"
        f" {row['import memory']:,.0f} | {row['file']:,.0f} | {row['search']} | {row['p50']:.1f} | {row['p95']:.1f} |"
        f" {row['p50 cpu']:.1f} | {row['p95 cpu']:.1f} | {row['memory']:,.0f} |\n"
        for row in rows
    ]
    return head + "".join(lines)


def main() -> None:
    """Grow a catalogue, measuring on the way; or, with `--search`, measure one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="keep the catalogues here, and go on with those that are there")
    parser.add_argument("--report", type=Path, help="write the page here, and the plot beside it")
    parser.add_argument("--search", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--dense", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search:
        print(json.dumps(search(options.search, dense=options.dense)))
        return
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() if options.folder is None else nullcontext(options.folder) as folder:
        Path(folder).mkdir(exist_ok=True)
        for two in stages(Path(folder), options.largest):
            rows += two
            print(page(rows))
            if options.report:  # after each stage, so that a run that is stopped has told what it found
                write_page(options.report, page(rows))
                plot(rows, options.report.with_suffix(".png"))


if __name__ == "__main__":
    main()
