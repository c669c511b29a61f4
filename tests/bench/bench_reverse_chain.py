"""Reverse Chain against one-call planning and ReAct: `make bench-reverse-chain` writes `docs/results/reverse_chain.md`.

On compositions of the demo's APIs, which are executed and checked, and on published sets, which are planned only.
Every finished request is a line in a journal; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.progress import track

from tests.bench.bench_smurfs import read, revision
from tests.bench.chain_sets import SETS, Case
from tests.bench.chain_systems import Outcome, System, systems
from tests.bench.compositions import Composition, compositions, executed
from tests.bench.nested import Nested, calls_of, cause, edges_of, f1, same
from tests.bench.pages import write_page
from toolquiver import Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.models import load_model

Row = dict[str, Any]

_COMPOSITIONS = "compositions"
_HEAD = """# Reverse Chain

Written by `make bench-reverse-chain`. Model: {model}, temperature 0. `exact` is the share of requests whose nested plan
has the same APIs and arguments as the gold; `executed` the share in which the last call that was made is the gold's,
arguments and all. `names` is the share with the right sequence of APIs, `contained` that in which the
gold's sequence is a subsequence of the plan's (RestBench's correct path), `edges` the mean F1 of which output goes to
which argument, `asked` the share in which exactly the missing arguments are asked for. Figures of tokens and model
calls are means a request.
"""


def scored(outcome: Outcome, gold: Sequence[Nested], asked: frozenset[str] | None = None) -> Row:
    """How good the plans are."""
    plan, first = (outcome.plans or [None])[0], next(iter(gold), None)
    names = [[call.api for call in _once(plans)] for plans in (outcome.plans, gold)]
    edges = [sum((edges_of(call) for call in plans), Counter()) for plans in (outcome.plans, gold)]
    exact = len(outcome.plans) == len(gold) and all(map(same, outcome.plans, gold))
    return {
        "exact": exact,
        "names": names[0] == names[1],
        "contained": _contained(names[1], names[0]),
        "edges": f1(edges[0], edges[1]),
        "cause": cause(plan, first) if first and len(gold) == 1 else "" if exact else "other",
        "asked": None if asked is None else frozenset(outcome.unfilled) == asked,
    }


def _contained(path: list[str], calls: list[str]) -> bool:
    """Whether the path is a subsequence of the calls: RestBench's correct path."""
    left = iter(calls)
    return all(name in left for name in path)


def _once(plans: Sequence[Nested]) -> Iterator[Nested]:
    """The calls of the plans in their order, each once."""
    seen = list[Nested]()
    for call in (call for plan in plans for call in calls_of(plan)):
        if not any(same(call, other) for other in seen):
            seen.append(call)
            yield call


async def _composition(one: Composition, system: System, catalog: Catalog) -> Row:
    apis = [api for name in one.candidates if (api := catalog.by_function(name))]
    outcome = await system(one.query, apis, ())
    arguments, _ = await executed(one.gold, catalog)
    right = outcome.last == (one.gold.api, arguments)
    if not outcome.plans and outcome.last:  # ReAct: what it called shows where it ended
        outcome = outcome._replace(plans=[Nested(outcome.last[0], outcome.last[1])])
    return _row(outcome, scored(outcome, [one.gold])) | {"level": one.level, "executed": right}


async def _case(case: Case, name: str, model: Any) -> Row:
    catalog = Catalog.create()
    catalog.add(*case.apis)
    apis = [catalog.get(api.id) for api in case.apis]
    outcome = await systems(catalog, model, run=False)[name](case.query, apis, case.conversation)
    return _row(outcome, scored(outcome, case.gold, case.asked)) | {"level": 0, "executed": None}


def _row(outcome: Outcome, scores: Row) -> Row:
    costs = {key: getattr(outcome, key) for key in ("model_calls", "prompt", "completion")}
    return scores | costs | {"text": outcome.text[:2_000], "unfilled": outcome.unfilled}


async def measure(set_name: str, names: Sequence[str], most: int, journal: Path, model_name: str) -> None:
    """Run what the journal does not have yet; a system that breaks has the request wrong."""
    done = {(row["set"], row["system"], row["id"]) for row in read(journal) if row["model"] == model_name}
    demo, model = load_catalog("demo"), load_model(model_name)
    made = systems(demo, model, run=True)
    cases: Sequence[Composition | Case] = _spread(
        compositions() if set_name == _COMPOSITIONS else SETS[set_name](), most
    )
    work = [(name, case) for case in cases for name in names if (set_name, name, case.id) not in done]
    with journal.open("a", encoding="utf-8") as file:
        for name, case in track(work, description=set_name):
            if isinstance(case, Case) and name == "ReAct":  # nothing can be called there
                continue
            began = time.perf_counter()
            try:
                row = await (
                    _composition(case, made[name], demo) if isinstance(case, Composition) else _case(case, name, model)
                )
            except Exception as error:  # noqa: BLE001 - it has not planned
                row = _row(Outcome([], [], None, 0, 0, 0, f"{type(error).__name__}: {error}"), scored_as_broken())
            row |= {"set": set_name, "system": name, "id": case.id, "query": case.query, "model": model_name}
            row |= {"revision": revision(), "seconds": round(time.perf_counter() - began, 1)}
            file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
            file.flush()


def scored_as_broken() -> Row:
    """The scores of a system that gave nothing."""
    return {
        "exact": False,
        "names": False,
        "contained": False,
        "edges": 0.0,
        "cause": "other",
        "asked": False,
        "level": 0,
        "executed": False,
    }


def _spread(cases: Sequence[Any], most: int) -> list[Any]:
    """At most so many, from all over the list: templates stand beside each other."""
    return [cases[place * len(cases) // most] for place in range(most)] if 0 < most < len(cases) else list(cases)


def report(rows: Sequence[Row], model: str) -> str:
    """The page of results: a table a set, by level where it has levels, and what was wrong."""
    parts = [_HEAD.format(model=model)]
    for set_name in dict.fromkeys(row["set"] for row in rows):
        part = [row for row in rows if row["set"] == set_name]
        parts.append(f"## {set_name.capitalize()}\n\n{_table(part)}\n")
        if set_name == _COMPOSITIONS:
            parts.append(_causes(part))
    return "\n".join(parts)


def _table(rows: Sequence[Row]) -> str:
    columns = ("exact", "executed", "names", "contained", "edges", "asked")
    lines = [
        f"| system | level | n | {' | '.join(columns)} | model calls | prompt | completion |",
        "| --- " * (len(columns) + 6) + "|",
    ]
    for system in dict.fromkeys(row["system"] for row in rows):
        own = [row for row in rows if row["system"] == system]
        levels = sorted({row["level"] for row in own})
        for level in [*levels, "all"] if len(levels) > 1 else ["all"]:
            part = [row for row in own if level in (row["level"], "all")]
            shares = " | ".join(_share([row.get(column) for row in part]) for column in columns)
            costs = " | ".join(
                f"{_mean(row[key] for row in part):,.1f}" for key in ("model_calls", "prompt", "completion")
            )
            lines.append(f"| {system} | {level} | {len(part)} | {shares} | {costs} |")
    return "\n".join(lines)


def _share(values: Sequence[Any]) -> str:
    known = [float(value) for value in values if value is not None]
    return f"{100 * _mean(known):.1f}" if known else ""


def _mean(values: Any) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _causes(rows: Sequence[Row]) -> str:
    names = ("wrong final tool", "wrong argument: API", "wrong argument: value", "other")
    lines = [f"| system | {' | '.join(names)} |", "| --- " * (len(names) + 1) + "|"]
    for system in dict.fromkeys(row["system"] for row in rows):
        counts = Counter(row["cause"] for row in rows if row["system"] == system)
        lines.append(f"| {system} | {' | '.join(str(counts[name]) for name in names)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what the journal lacks, then write the page over all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join([_COMPOSITIONS, *SETS]))
    parser.add_argument(
        "--systems", default="reverse chain,one by one,three step,zero-shot,few-shot,zero-shot CoT,few-shot CoT,ReAct"
    )
    parser.add_argument("--most", type=int, default=0, help="requests a set; 0: all")
    parser.add_argument("--journal", type=Path, default=Path(".bench/reverse_chain.jsonl"))
    parser.add_argument("--model", default="local")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    options.journal.parent.mkdir(parents=True, exist_ok=True)
    for set_name in options.sets.split(","):
        asyncio.run(measure(set_name, options.systems.split(","), options.most, options.journal, options.model))
    page = report([row for row in read(options.journal) if row["model"] == options.model], options.model)
    print(page)
    if options.report:
        write_page(options.report, page)


if __name__ == "__main__":
    main()
