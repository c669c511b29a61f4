"""AnyTool, scripted: `make bench-anytool` writes `docs/results/anytool.md`.

With scripted agents: what waiting costs beyond the critical path, and what the limits of pool and tools cost. With a
real model it is measured by `bench_anytool_local`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from tests.bench.anytool_scripted import SECONDS, Sized, Timing, sizes, timings
from tests.bench.pages import write_page

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


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15, help="runs that a time is the median of")
    parser.add_argument("--per-group", type=int, default=3, help="queries of each group for pool and K")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    chosen = parser.parse_args()
    head = _HEAD.format(
        cores=os.cpu_count(), load=os.getloadavg()[1], milliseconds=SECONDS * 1_000, repeats=chosen.repeats
    )
    text = head + timed(timings(chosen.repeats)) + _SIZES + sized(sizes(chosen.per_group))
    if chosen.report:
        write_page(chosen.report, text)
    print(text)


if __name__ == "__main__":
    main()
