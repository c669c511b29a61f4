"""The retriever and the whole loop with a real model, a query at a time, in a journal that is gone on with."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rich.progress import track

from tests.bench.anytool_scripted import sample
from tests.bench.search_queries import DATA, SOURCE, apis
from toolquiver.calling.replay import Recordings, Simulator, import_toolbench, replay_callers
from toolquiver.catalog import API, Catalog
from toolquiver.context import Context
from toolquiver.graphs import anytool, retriever
from toolquiver.models import load_model, total_usage
from toolquiver.nodes.describe import api_line, parameter_line
from toolquiver.prompts import load_prompt

Row = dict[str, Any]

# A small model is shown less, and so takes fewer turns for the same tokens.
_SMALL: Row = {"token_budget": 15_000, "agent_turns": 4, "page": 12, "agent_context": 1_500, "parallel_agents": 4}
RETRIEVAL: dict[str, Row] = {"hierarchy": _SMALL, "flat": _SMALL | {"retriever": "flat", "agent_turns": 20}}
LOOP: dict[str, Row] = {
    "whole": _SMALL | {"token_budget": 60_000, "max_reflections": 2},
    "without reflection": _SMALL | {"token_budget": 60_000, "max_reflections": 0},
    "without hierarchy": _SMALL | {"token_budget": 60_000, "max_reflections": 2, "retriever": "flat"},
}


class Data:
    """ToolBench's catalogue, its queries with their needed APIs, and the model that is asked."""

    def __init__(self, model: str, per_group: int) -> None:
        self.catalog = Catalog.create()
        self.catalog.add(*apis())
        self.queries = sample(per_group, {(api.tool, api.name): api for api in self.catalog.apis()})
        self.model = load_model(model)


def journal(path: Path) -> list[Row]:
    """What was measured so far; a line that was cut by a stop is measured again."""
    if not path.is_file():
        return []
    rows = []
    for line in path.read_text("utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return rows


def measure(path: Path, systems: dict[str, Row], data: Data, most: int, run: Callable[..., Row]) -> None:
    """Run every system on every query that the journal does not have, at most so many runs."""
    done = {(row["system"], row["query"]) for row in journal(path)}
    todo = [(name, *query) for query in data.queries for name in systems if (name, query[1]) not in done]
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, group, text, needed in track(todo[:most], path.stem):
        before = time.perf_counter()
        row = run(data, Context(**systems[name]), text, needed)
        row |= {"system": name, "group": group, "query": text, "seconds": time.perf_counter() - before}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def retrieve(data: Data, context: Context, text: str, needed: list[API]) -> Row:
    """One search, and what the catalogue's own search finds in as many places."""
    graph = retriever.build(model=data.model, catalog=data.catalog)
    result = asyncio.run(graph.ainvoke({"query": text}, {"recursion_limit": 1_000}, context=context))
    pool = result["pool"]
    by_search = [hit.api.id for hit in data.catalog.search(text, len(pool))] if pool else []
    return {
        "recall": _share(needed, pool),
        "recall_of_search": _share(needed, by_search),
        "pool": pool,
        "needed": [api.id for api in needed],
        "agents": len(result["agents"]),
        "solvable": result["solvable"],
        "reason": result["reason"],
        **_cost(result),
    }


def solve(data: Data, context: Context, text: str, needed: list[API]) -> Row:
    """One run of the loop over recorded responses; what is not recorded, the model makes up, which is marked."""
    path = Path(".venv") / "anytool" / "recordings.db"
    if not path.is_file():
        with Recordings.create(path) as fresh:
            import_toolbench(DATA / "toolbench_responses" / "observed_calls.jsonl.gz", fresh, data.catalog.apis())
    with Recordings.open(path) as recordings:
        simulator = Simulator(data.model, _told, token_budget=10**9)
        callers = replay_callers(data.catalog, recordings, simulator) | {}
        callers[SOURCE] = callers[""]
        graph = anytool.build(model=data.model, catalog=data.catalog, callers=callers)
        result = asyncio.run(graph.ainvoke({"query": text}, {"recursion_limit": 2_000}, context=context))
    return {
        "status": result["status"],
        "answer": result["answer"],
        "reason": result["reason"],
        "reflections": result["reflections"],
        "recall": _share(needed, result["pool"]),
        "pool": result["pool"],
        "agents": len(result["agents"]),
        "called": len(result["calls"]),
        **_cost(result),
    }


def _told(api: API, arguments: str, schema: str, examples: list[dict[str, str]]) -> Any:
    """What the model is told that stands in for an API."""
    return load_prompt("simulate").messages(
        name=api_line(api),
        description=api.description,
        parameters=[parameter_line(one) for one in api.parameter_list()],
        arguments=arguments,
        schema=schema,
        examples=examples,
    )


def _share(needed: list[API], found: Iterable[str]) -> float:
    known = set(found)
    return sum(api.id in known for api in needed) / len(needed)


def _cost(result: Row) -> Row:
    spent = total_usage(result["usage"])
    return {"tokens": spent["prompt"] + spent["completion"], "model_calls": spent["calls"]}
