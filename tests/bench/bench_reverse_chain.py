"""Reverse Chain against one-call planning and ReAct: `make bench-reverse-chain` writes `docs/results/reverse_chain.md`.

On compositions of the demo's APIs, which are executed and checked, and on published sets, which are planned only.
Every finished request is a line of figures in a journal in `tests/bench/figures`, without a text of the data, and is
not measured again. A part is measured by
`make bench-reverse-chain PARTS='--sets compositions --systems "at once,few-shot" --limit 24 --minutes 40'`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.progress import track

from tests.bench.bench_smurfs import append, read, revision
from tests.bench.chain_page import KEYS, report
from tests.bench.chain_sets import SETS, Case
from tests.bench.chain_systems import CHAINS, REACT, Outcome, System, systems
from tests.bench.compositions import Composition, compositions, executed, values_of
from tests.bench.nested import Nested, calls_of, cause, cause_of_call, edges_of, f1, level_of, same, without
from tests.bench.pages import with_earlier, write_page
from toolquiver import Catalog
from toolquiver.catalog.named import load_catalog
from toolquiver.errors import ModelError
from toolquiver.models import load_model

Row = dict[str, Any]

_COMPOSED: dict[str, Callable[[], list[Composition]]] = {"compositions": compositions}
_SYSTEMS = (*CHAINS, "zero-shot", "few-shot", "zero-shot-cot", "few-shot-cot", REACT)
_SEED = 11


def scored(outcome: Outcome, gold: Sequence[Nested], asked: frozenset[str] | None = None, *, path: bool = False) -> Row:
    """How good the plans are; None for what the set does not know."""
    plans, wanted = roots(outcome.plans), roots(gold)
    plan, first = (plans or [None])[0], next(iter(wanted), None)
    names = [[call.api for call in _once(every)] for every in (outcome.plans, gold)]
    edges = [sum((edges_of(call) for call in whole), Counter()) for whole in (plans, wanted)]
    exact = len(plans) == len(wanted) and all(map(same, plans, wanted))
    scores = {
        "right": exact,
        "names": names[0] == names[1],
        "contained": _contained(names[1], names[0]),
        "edges": f1(edges[0], edges[1]),
        "cause": cause(plan, first) if first and len(wanted) == 1 else "" if exact else "other",
        "asked": None if asked is None else frozenset(outcome.unfilled) == asked,
    }
    unknown = ("right", "edges") if path else () if gold else ("right", "names", "contained", "edges")
    return scores | dict.fromkeys(unknown)


def roots(plans: Sequence[Nested]) -> list[Nested]:
    """The plans that are no part of another, each once: to list a part beside the whole says nothing else."""
    kept = list[Nested]()
    for plan in plans:
        inside = any(same(call, plan) for other in plans for call in calls_of(other) if call is not other)
        if not inside and not any(same(plan, one) for one in kept):
            kept.append(plan)
    return kept


def _scored(outcome: Outcome, case: Composition | Case) -> Row:
    if isinstance(case, Composition):
        also = case.gold.also
        plans = [plan._replace(arguments=without(plan.arguments, also)) for plan in outcome.plans]
        return scored(outcome._replace(plans=plans), [case.gold])
    return scored(outcome, case.gold, case.asked, path=case.path)


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
    also = await values_of(one.gold.also, catalog)
    last = outcome.last and (outcome.last[0], without(outcome.last[1], also))
    wrong = cause_of_call(last, one.gold, arguments)
    row = _row(outcome, _scored(outcome, one)) | {"executed": not wrong if outcome.calls else None}
    if outcome.calls and not outcome.plans:  # ReAct: what it called last shows where it ended
        row |= {"right": not wrong, "names": None, "contained": None, "edges": None, "cause": wrong}
    return row


async def _case(case: Case, name: str, model: Any) -> Row:
    catalog = Catalog.create()
    catalog.add(*case.apis)
    apis = [catalog.get(api.id) for api in case.apis]
    outcome = await systems(catalog, model, run=False)[name](case.query, apis, case.conversation)
    return _row(outcome, _scored(outcome, case)) | {"executed": None}


def _row(outcome: Outcome, scores: Row) -> Row:
    costs = {key: getattr(outcome, key) for key in ("model_calls", "prompt", "completion")}
    return scores | costs


async def measure(names: Sequence[str], set_name: str, cases: Sequence[Composition | Case], options: Any) -> None:
    """Run what the journal does not have yet, until the time is up; a system that breaks has the request wrong.

    Raises:
        ModelError: the model cannot be used; what is done is in the journal.
    """
    at, rows = revision(), read(options.journal)
    done = {(row["set"], row["system"], row["id"]) for row in rows if row["model"] == options.model}
    demo, model = load_catalog("demo"), load_model(options.model)
    made = systems(demo, model, run=True)
    work = [(name, case) for case in cases for name in names if (set_name, name, case.id) not in done]
    for name, case in track(work, description=set_name):
        if time.monotonic() > options.until:
            break
        if isinstance(case, Case) and name == REACT:  # nothing can be called there
            continue
        began = time.perf_counter()
        try:
            row = await (
                _composition(case, made[name], demo) if isinstance(case, Composition) else _case(case, name, model)
            )
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001 - it has not planned
            broken = Outcome([], [], None, 0, 0, 0, f"{type(error).__name__}: {error}")
            row = _row(broken, _scored(broken, case)) | {"executed": False}
        row |= {"set": set_name, "system": name, "id": case.id, "level": level_of(_gold(case))}
        row |= {"model": options.model, "revision": at, "seconds": round(time.perf_counter() - began, 1)}
        append(options.journal, row)


def _gold(case: Composition | Case) -> list[Nested]:
    return [case.gold] if isinstance(case, Composition) else case.gold


def sampled(cases: Sequence[Composition | Case], limit: int, levels: Sequence[int] = ()) -> list[Composition | Case]:
    """At most `limit` of these levels, the same ones in every run, and as many of each level and template as of others.

    A longer sample begins with a shorter one, so that its journal can be gone on with.
    """
    kept = [case for case in cases if not levels or level_of(_gold(case)) in levels]
    mixed = random.Random(_SEED).sample(kept, len(kept))
    mixed = _in_turns(mixed, lambda case: case.id.rpartition("-")[0] if isinstance(case, Composition) else "")
    return _in_turns(mixed, lambda case: level_of(_gold(case)))[: limit or None]


def _in_turns(cases: Sequence[Any], kind: Callable[[Any], Any]) -> list[Any]:
    """The first of each kind, then the second of each, and so on."""
    turns, ranked = Counter[Any](), list[tuple[int, Any]]()
    for case in cases:
        turns[kind(case)] += 1
        ranked.append((turns[kind(case)], case))
    return [case for _, case in sorted(ranked, key=lambda pair: pair[0])]


def main() -> None:
    """Run what the journal lacks, then write the page over all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join([*_COMPOSED, *SETS]))
    parser.add_argument("--systems", default=",".join(_SYSTEMS))
    parser.add_argument("--limit", type=int, default=0, help="requests a set, evenly over levels and templates; 0: all")
    parser.add_argument("--levels", default="", help="only these depths of nesting, such as 2,3")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no request after so many minutes")
    parser.add_argument("--journal", type=Path, default=Path("tests/bench/figures/reverse_chain.jsonl"))
    parser.add_argument("--model", default="local")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    options = parser.parse_args()
    options.journal.parent.mkdir(parents=True, exist_ok=True)
    options.until = time.monotonic() + 60 * options.minutes
    levels = [int(level) for level in options.levels.split(",") if level]
    for set_name in options.sets.split(","):
        every = ({**_COMPOSED, **SETS})[set_name]()
        cases = sampled(every, options.limit, levels)
        asyncio.run(measure(options.systems.split(","), set_name, cases, options))
    rows = [row for row in read(options.journal) if row["model"] == options.model]
    page = report(rows, options.model, _COMPOSED, _SYSTEMS)
    print(page)
    if options.report:
        write_page(options.report, with_earlier(page, options.report, KEYS))


if __name__ == "__main__":
    main()
