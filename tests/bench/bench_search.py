"""Search over ToolBench's 16,463 APIs: how much of what a query needs is found, how far up, and how fast.

`make bench-search` writes `docs/results/search.md`. The data are not part of the project: TOOLQUIVER_DATA names their
folder. Weights are chosen on one half of the queries; both halves are reported, each for itself.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from tests.bench.everyday import EVERYDAY
from tests.bench.out_of_domain import OUT_OF_DOMAIN
from tests.bench.pages import section, write_page
from tests.bench.search_peers import CUT, PEERS, Searcher, installed
from tests.bench.search_queries import SOURCE, Query, apis, queries
from toolquiver.catalog import Catalog, Source
from toolquiver.catalog.named import load_catalog
from toolquiver.evaluation.metrics import ndcg, recall

_HEAD = """# Search over ToolBench's catalogue

Written by `make bench-search`. {apis:,} APIs, stored and indexed in {wall:.1f} s, {cpu:.1f} s of them processor time
({speed:,.0f} APIs a second of it); a file of {size:.0f} MB; {memory:.0f} MB of memory in all after the last query of
ours. No model is asked. Golds are pairs of tool and API name, as the queries give them. Each query wants 64 APIs and is
asked alone. `ms` is time on the clock, of a machine that did other work too (load {load:.1f} on {cores} processors);
`cpu ms` is the processor's.

Weights were chosen on half 1, and with an eye on 80 one-call tasks over the demo; half 2 took no part in that, nor the
second half of the texts that nothing fits in choosing the floor. The few queries that slow peers get say how slow they
are, not how good.
"""


def measured(search: Searcher, asked: Sequence[Query], label: str) -> list[dict[str, float]]:
    """The figures of each query."""
    search(asked[0].text)  # what is loaded once is not part of a query
    found = []
    for query in track(asked, description=label):
        began, worked = time.perf_counter(), time.process_time()
        ranked = list(dict.fromkeys(search(query.text)))
        took = {"ms": 1000 * (time.perf_counter() - began), "cpu ms": 1000 * (time.process_time() - worked)}
        figures = {f"recall@{k}": recall(ranked, query.gold, k) for k in (5, 20, 64)}
        found.append({f"NDCG@{k}": ndcg(ranked, query.gold, k) for k in (1, 5)} | figures | took)
    return found


def table(asked: Sequence[Query], rows: list[dict[str, float]]) -> str:
    """A Markdown table by half and group: means and latencies."""
    names = [name for name in rows[0] if not name.endswith("ms")]
    lines = [
        f"| queries | n | {' | '.join(names)} | p50 ms | p95 ms | p50 cpu ms | p95 cpu ms |",
        f"|{' --- |' * (len(names) + 6)}",
    ]
    for half in (0, 1):
        for group in dict.fromkeys(query.group for query in asked):
            part = [row for query, row in zip(asked, rows, strict=True) if (query.group, query.half) == (group, half)]
            if part:
                means = " | ".join(f"{sum(row[name] for row in part) / len(part):.3f}" for name in names)
                lines.append(f"| half {half + 1}: {group} | {len(part)} | {means} | {_latencies(part)} |")
    return "\n".join(lines)


def _latencies(rows: list[dict[str, float]]) -> str:
    found = []
    for name in ("ms", "cpu ms"):
        times = sorted(row[name] for row in rows)
        found += [f"{times[int(share * (len(times) - 1))]:.1f}" for share in (0.5, 0.95)]
    return " | ".join(found)


def floor(catalog: Catalog, asked: Sequence[Query]) -> str:
    """How many texts that nothing fits get nothing, and how many queries lose what they need."""
    lines = [
        "| by | nothing for what nothing fits, half 1 | half 2 | nothing for queries, half 1 | half 2 |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, dense in (("words", False), ("words and meaning", True)):
        parts = [OUT_OF_DOMAIN[half::2] for half in (0, 1)]
        parts += [tuple(query.text for query in asked if query.half == half) for half in (0, 1)]
        empty = [sum(not catalog.search(text, 1, dense=dense) for text in part) for part in parts]
        shares = [f"{count} of {len(part)}" for count, part in zip(empty, parts, strict=True)]
        lines.append(f"| {name} | {' | '.join(shares)} |")
    return "\n".join(lines)


def everyday() -> str:
    """How many questions in everyday words find an API of the demo that answers them."""
    catalog = load_catalog("demo")
    lines = [
        "| by | n | the first is right | one of the first five | nothing is found |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, dense in (("words", False), ("words and meaning", True)):
        for half in (0, 1):
            asked = [one for one in EVERYDAY if one.half == half]
            found = [[hit.api.name for hit in catalog.search(one.text, 5, dense=dense)] for one in asked]
            first, five = (
                sum(not one.apis.isdisjoint(names[:k]) for one, names in zip(asked, found, strict=True)) for k in (1, 5)
            )
            lines.append(f"| {name}, half {half + 1} | {len(asked)} | {first} | {five} | {found.count([])} |")
    return "\n".join(lines)


def ours(catalog: Catalog, *, dense: bool) -> Searcher:
    """The catalogue's own search."""
    return lambda text: [(hit.api.tool, hit.api.name) for hit in catalog.search(text, CUT, dense=dense)]


def main() -> None:
    """Build the catalogue, ask the queries, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=0, help="only so many queries, for a quick look")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    parser.add_argument(
        "--without",
        nargs="*",
        default=(),
        metavar="PEER",
        help="peers to leave out, by name; what the page says of them stays",
    )
    options = parser.parse_args()
    asked = queries()
    if options.limit:
        asked = random.Random(1).sample(asked, options.limit)
    with tempfile.TemporaryDirectory() as folder, Catalog.create(Path(folder) / "apis.db") as catalog:
        parts = report(catalog, asked, options.without, options.report)
    page = "\n".join(parts)
    print(page)
    if options.report:
        write_page(options.report, page)


def report(catalog: Catalog, asked: Sequence[Query], without: Sequence[str], before: Path | None) -> list[str]:
    """The page, in parts; of a peer that is not measured what the page `before` says of it."""
    known = apis()
    began, worked = time.perf_counter(), time.process_time()
    catalog.sync(Source(key=SOURCE, kind="toolbench"), known)
    wall, cpu = time.perf_counter() - began, time.process_time() - worked
    parts = []
    for name, dense in (("Words and meaning", True), ("Words alone", False)):
        parts += [f"## {name}\n", table(asked, measured(ours(catalog, dense=dense), asked, name)) + "\n"]
    parts += ["## Where nothing fits\n", floor(catalog, asked) + "\n"]
    parts += ["## Questions in everyday words, over the demo\n", everyday() + "\n"]
    assert catalog.path is not None
    head = _HEAD.format(
        apis=len(known),
        wall=wall,
        cpu=cpu,
        speed=len(known) / cpu,
        size=catalog.path.stat().st_size / 1e6,
        memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        load=os.getloadavg()[0],
        cores=os.cpu_count(),
    )
    for peer in PEERS:
        if peer.name in without or not installed(peer):
            parts += [f"## {peer.name}\n", ((before and section(before, peer.name)) or "Not measured.") + "\n"]
            continue
        some = random.Random(2).sample(asked, peer.sample) if 0 < peer.sample < len(asked) else asked
        note = f"A sample of {len(some)} queries, for it is slow.\n" if len(some) < len(asked) else ""
        parts += [f"## {peer.name}\n", note, table(some, measured(peer.make(known), some, peer.name)) + "\n"]
    return [head, *filter(None, parts)]


if __name__ == "__main__":
    main()
