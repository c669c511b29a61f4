"""AnyTool, measured: `make bench-anytool` writes `docs/results/anytool.md`.

    python -m tests.bench.bench_anytool --report FILE       scripted agents: waiting, pool and K; a minute or two
    python -m tests.bench.bench_anytool --retrieval N       a model searches N queries more (hours, gone on with)
    python -m tests.bench.bench_anytool --loop N            a model answers N queries more over recorded responses

The journals of the last two stand in `.venv/anytool`; the page has what they hold so far.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import mean

from tests.bench.anytool_measured import LOOP, RETRIEVAL, Data, Row, journal, measure, retrieve, solve
from tests.bench.anytool_scripted import SECONDS, Sized, Timing, sizes, timings
from tests.bench.pages import write_page

FOLDER = Path(".venv") / "anytool"
_HEAD = """# AnyTool's retriever and its loop

Written by `make bench-anytool`.

## Waiting

Scripted agents whose model takes {milliseconds:.0f} ms a call. `ideal` is the critical path: the model calls that must
wait for each other. At an early stop one agent finds what suffices while the calls of the others would go on for a
second. {repeats} runs each, after one to warm up: the median of wall time, the fastest run, and how often the ideal
each is; `processor` is the median of processor time. `waiting alone` is a program that only waits as often. At the time
{load:.1f} processes, others' among them, wanted the machine's {cores} cores.

| agents | run | ideal ms | how | median ms | of ideal | fastest ms | of ideal | processor ms |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
_SIZES = """
## Pool and K

Scripted agents over ToolBench's 16,463 APIs: they know the needed APIs and take besides, without judgement, whatever is
listed first, until the pool is full. So recall says what the limits cost, not what a model finds. Who answers first
fills the pool, so that a small one differs from run to run. Means a query.

| pool at most | K | n | recall | pool | agents | model calls | tokens |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def timed(found: Iterable[Timing]) -> str:
    """A row for each number of agents and kind of run."""
    lines = []
    for row in found:
        for how, (median, fastest, work) in row.measured.items():
            cells = (f"{median:.0f}", f"{median / row.ideal:.2f}", f"{fastest:.0f}", f"{fastest / row.ideal:.2f}")
            kind = "early stop" if row.stop else "full"
            lines.append(f"| {row.agents} | {kind} | {row.ideal:.0f} | {how} | {' | '.join(cells)} | {work:.0f} |\n")
    return "".join(lines)


def sized(found: Iterable[Sized]) -> str:
    """A row for each setting."""
    return "".join(
        f"| {row.pool_size} | {row.tools_per_agent} | {row.n} | {row.recall:.3f} | {row.pool:.1f} | {row.agents:.1f} |"
        f" {row.model_calls:.1f} | {row.tokens:,.0f} |\n"
        for row in found
    )


def measured(title: str, rows: list[Row], columns: dict[str, str]) -> str:
    """Means by system of what a journal has, nothing where it is empty."""
    if not rows:
        return ""
    systems = defaultdict(list)
    for row in rows:
        systems[row["system"]].append(row)
    lines = [f"\n## {title}\n\n| system | n | {' | '.join(columns.values())} |\n", "| --- " * (len(columns) + 2), "|\n"]
    for name, found in systems.items():
        cells = [f"{mean(_number(row[key]) for row in found):,.3f}".rstrip("0").rstrip(".") for key in columns]
        lines.append(f"| {name} | {len(found)} | {' | '.join(cells)} |\n")
    return "".join(lines)


def _number(value: object) -> float:
    """A list counts its length, a status whether it is solved."""
    if isinstance(value, str):
        return float(value == "solved")
    return float(len(value)) if isinstance(value, list) else float(value)  # type: ignore[arg-type]


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15, help="runs that a time is the median of")
    parser.add_argument("--per-group", type=int, default=9, help="queries of each group")
    parser.add_argument("--scripted-per-group", type=int, default=3, help="queries of each group for scripted agents")
    parser.add_argument("--retrieval", type=int, default=0, metavar="N", help="searches to run with the model")
    parser.add_argument("--loop", type=int, default=0, metavar="N", help="whole runs to make with the model")
    parser.add_argument("--model", default="local")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    chosen = parser.parse_args()
    retrieval, loop = FOLDER / "retrieval.jsonl", FOLDER / "loop.jsonl"
    if chosen.retrieval or chosen.loop:
        data = Data(chosen.model, chosen.per_group)
        measure(retrieval, RETRIEVAL, data, chosen.retrieval, retrieve)
        measure(loop, LOOP, data, chosen.loop, solve)
    cost = {"tokens": "tokens", "model_calls": "model calls", "seconds": "seconds"}
    found = {"recall": "recall", "recall_of_search": "search, same size", "pool": "pool", "agents": "agents"}
    solved = {"status": "solved by its own judge", "recall": "recall", "reflections": "reflections", "called": "calls"}
    text = measured(f"A model searches ({chosen.model})", journal(retrieval), found | cost)
    text += measured(f"The loop over recorded responses ({chosen.model})", journal(loop), solved | cost)
    if chosen.report:
        head = _HEAD.format(
            cores=os.cpu_count(), load=os.getloadavg()[1], milliseconds=SECONDS * 1_000, repeats=chosen.repeats
        )
        text = head + timed(timings(chosen.repeats)) + _SIZES + sized(sizes(chosen.scripted_per_group)) + text
        write_page(chosen.report, text)
    print(text)


if __name__ == "__main__":
    main()
