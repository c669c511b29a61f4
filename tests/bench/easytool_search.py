"""How well search finds what a query needs, with documents as they are, by rule, and with instructions (Table 5).

Over the whole of ToolBench no model is needed: there are no instructions then. A kind of documentation is written down
when all its queries are asked; a run that was stopped goes on there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from tests.bench.easytool_rows import Row, add, rows
from tests.bench.search_queries import Query, apis, queries
from toolquiver.catalog import API, Catalog
from toolquiver.evaluation.metrics import ndcg, recall

_WANTED = 64
_REPORTED = 1  # the half of the queries that search's weights were not chosen on


def asked_of(catalog: Catalog) -> list[Query]:
    """The queries whose golds are all in the catalogue."""
    there = {(api.tool, api.name) for api in catalog.apis()}
    return [query for query in queries() if query.gold <= there]


def over_all(path: Path, limit: int | None) -> list[Row]:
    """The whole of ToolBench, as it is and condensed; at most so many of the queries that are reported."""
    asked = [query for query in queries() if query.half == _REPORTED][:limit]
    found = list[Row]()
    for kind in ("raw", "condensed"):
        done = {row["key"]: row for row in rows(path) if row["kind"] == kind}
        if left := [query for query in asked if query.text not in done]:
            catalog = _of(apis())
            used = _of(_condensed(catalog)) if kind == "condensed" else catalog
            add(path, new := _measured("all of ToolBench", kind, used, left))
            done |= {row["key"]: row for row in new}
        found += [done[query.text] for query in asked]
    return found


def over_some(catalog: Catalog) -> list[Row]:
    """The tools of a catalogue, which has instructions for them."""
    asked, plain = asked_of(catalog), catalog.shown("raw").apis()
    kinds = {"raw": _of(plain), "condensed": _of(_condensed(catalog)), "instructions": catalog}
    part = f"{len(plain):,} APIs"
    return [row for kind, used in kinds.items() for row in _measured(part, kind, used, asked)]


def _measured(part: str, kind: str, catalog: Catalog, asked: Sequence[Query]) -> list[Row]:
    label = f"search over {part}, {kind}"
    return [{"part": part, "kind": kind} | _asked(catalog, query) for query in track(asked, label)]


def _asked(catalog: Catalog, query: Query) -> Row:
    found = [(hit.api.tool, hit.api.name) for hit in catalog.search(query.text, _WANTED)]
    figures = {f"NDCG@{k}": ndcg(found, query.gold, k) for k in (1, 5)}
    figures |= {f"recall@{k}": recall(found, query.gold, k) for k in (5, 20, 64)}
    return {"key": query.text, "group": query.group} | figures


def _condensed(catalog: Catalog) -> list[API]:
    return catalog.shown("condensed").apis()


def _of(found: Sequence[API]) -> Catalog:
    catalog = Catalog.create()
    catalog.add(*found)
    return catalog
