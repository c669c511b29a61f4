"""Search over ToolBench's 16,463 APIs: how much of what a query needs is found, how far up, and how fast.

`make bench-search` writes `docs/results/search.md`. The data are not part of the project: TOOLQUIVER_DATA names their
folder. Weights, where there are any, are chosen on one half of the queries; both halves are reported.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.progress import track

from tests.bench.search_metrics import ndcg, recall
from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.toolbench import read_toolbench

DATA = Path(os.environ.get("TOOLQUIVER_DATA", Path(__file__).parents[3] / "shared/data"))
GROUPS = ("G1_instruction", "G1_tool", "G1_category", "G2_instruction", "G2_category", "G3_instruction")
_CUT = 64
_HEAD = """# Search over ToolBench's catalogue

Written by `make bench-search`: {apis:,} APIs, stored in {build:.1f} s ({speed:,.0f} a second), a file of {size:.0f} MB;
{memory:.0f} MB of memory in all after the last query. No model is asked. Golds are pairs of tool and API name, as the
queries give them. Latency is of one query at a time on a noisy machine, with `k` = 64.
"""

Name = tuple[str, str]
Searcher = Callable[[str], list[Name]]


class Query(NamedTuple):
    """A query with the APIs that it needs, by tool and name; `half` is 0 for choosing weights, 1 for reporting."""

    group: str
    text: str
    gold: frozenset[Name]
    half: int


def queries() -> list[Query]:
    """The queries of ToolBench's six groups and of AnyToolBench whose golds are named."""
    found = [(group, row["query"], row["relevant APIs"]) for group in GROUPS for row in _rows(group)]
    for row in _rows("anytoolbench"):
        named = [
            (api["tool_name"], api["api_name"]) for api in row["gt_api_list"] if api["category_name"] != "Customized"
        ]
        found.append(("AnyToolBench", row["query"], named))
    chance = random.Random(0)
    return [
        Query(group, text, frozenset((tool, name.strip()) for tool, name in gold), chance.randrange(2))
        for group, text, gold in found
        if gold
    ]


def _rows(name: str) -> Iterator[dict]:
    with gzip.open(DATA / "toolbench_queries" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def searchers(catalog: Catalog) -> dict[str, Searcher]:
    """What is compared, by name."""

    def words(text: str) -> list[Name]:
        return [(hit.api.tool, hit.api.name) for hit in catalog.search(text, _CUT, dense=False)]

    def fused(text: str) -> list[Name]:
        return [(hit.api.tool, hit.api.name) for hit in catalog.search(text, _CUT)]

    return {"words (BM25, clauses fused)": words, "words and meaning": fused}


def measured(search: Searcher, asked: Sequence[Query], label: str) -> list[dict[str, float]]:
    """The figures of each query."""
    search(asked[0].text)  # what is loaded once is not part of a query
    found = []
    for query in track(asked, description=label):
        began = time.perf_counter()
        ranked = list(dict.fromkeys(search(query.text)))
        seconds = time.perf_counter() - began
        figures = {f"recall@{k}": recall(ranked, query.gold, k) for k in (5, 20, 64)}
        found.append({f"NDCG@{k}": ndcg(ranked, query.gold, k) for k in (1, 5)} | figures | {"ms": 1000 * seconds})
    return found


def table(asked: Sequence[Query], rows: list[dict[str, float]]) -> str:
    """A Markdown table by group: means of both halves, and latencies."""
    names = [name for name in rows[0] if name != "ms"]
    lines = [
        f"| queries | n | {' | '.join(names)} | p50 ms | p95 ms |",
        f"|{' --- |' * (len(names) + 4)}",
    ]
    for group in dict.fromkeys(query.group for query in asked):
        for half in (0, 1):
            part = [row for query, row in zip(asked, rows, strict=True) if (query.group, query.half) == (group, half)]
            means = " | ".join(f"{sum(row[name] for row in part) / len(part):.3f}" for name in names)
            times = sorted(row["ms"] for row in part)
            p50, p95 = (times[int(share * (len(times) - 1))] for share in (0.5, 0.95))
            lines.append(f"| {group}, half {half + 1} | {len(part)} | {means} | {p50:.1f} | {p95:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Build the catalogue, ask the queries, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=0, help="only so many queries, for a quick look")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    asked = queries()
    if options.limit:
        asked = random.Random(1).sample(asked, options.limit)
    with tempfile.TemporaryDirectory() as folder, Catalog.create(Path(folder) / "apis.db") as catalog:
        apis = read_toolbench(DATA / "toolbench" / "catalogue_toolbench16k.jsonl.gz", "toolbench:bench")
        began = time.perf_counter()
        catalog.sync(Source(key="toolbench:bench", kind="toolbench"), apis)
        build = time.perf_counter() - began
        parts = []
        for name, search in searchers(catalog).items():
            parts += [f"## {name}\n", table(asked, measured(search, asked, name)) + "\n"]
        head = _HEAD.format(
            apis=len(apis),
            build=build,
            speed=len(apis) / build,
            size=catalog.path.stat().st_size / 1e6,
            memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        )
    page = "\n".join([head, *parts])
    print(page)
    if options.report:
        options.report.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
