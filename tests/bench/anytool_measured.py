"""AnyTool with a real model over ToolBench's catalogue: what is measured of one query."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig

from tests.bench.search_queries import DATA, SOURCE, Query, apis
from toolquiver.calling.replay import Recordings, Simulator, import_toolbench, replay_callers
from toolquiver.catalog import API, Catalog
from toolquiver.context import Context
from toolquiver.graphs import anytool, retriever
from toolquiver.models import total_usage
from toolquiver.prompts import load_prompt

Row = dict[str, Any]

_HELD_OUT = 1  # the half of the queries that nothing of search was chosen on
# A small model is shown less and asked less, so that more agents have a turn for the same tokens.
_SMALL: Row = {
    "token_budget": 15_000,
    "agent_turns": 2,
    "page": 12,
    "agent_context": 1_500,
    "parallel_agents": 4,
    "check_function": False,
    "least_pool": 64,
}
RETRIEVAL: dict[str, Row] = {
    "hierarchy": _SMALL,
    "flat": _SMALL | {"retriever": "flat", "agent_turns": 12},
    "agents alone": _SMALL | {"least_pool": 0},
    "agents alone, with checks": _SMALL | {"least_pool": 0, "check_function": True},
    "embedding": _SMALL | {"retriever": "embedding"},
}
_LOOP = _SMALL | {
    "token_budget": 40_000,
    "least_pool": 20,
    "retrieval_part": 0.4,
    "registration": "auto",
    "register_above": 3_000,  # as the graph's own form has it: the pool's schemas stand in the prompt, which is cached
    "max_steps": 6,  # so that the first try leaves enough of the budget for a second one
    "max_reflections": 2,
}
FIRST = "at its first verdict"
LOOP: dict[str, Row] = {
    "whole": _LOOP,
    FIRST: _LOOP,  # a part of the whole run
    "without reflection": _LOOP | {"max_reflections": 0},
    "without hierarchy": _LOOP | {"retriever": "flat", "agent_turns": 12},
}


class Asked(NamedTuple):
    """A query and the APIs that it needs."""

    group: str
    text: str
    needed: list[API]


class World(NamedTuple):
    """ToolBench's catalogue, and the model that is asked."""

    catalog: Catalog
    model: BaseChatModel


def toolbench() -> Catalog:
    """ToolBench's catalogue of 2023."""
    catalog = Catalog.create()
    catalog.add(*apis())
    return catalog


def in_turn(queries: Iterable[Query], apis: Iterable[API], seed: int = 0, half: int = _HELD_OUT) -> list[Asked]:
    """The queries of a half, the held-out one unless told, whose APIs are all there, one of each group after the other.

    Each group is in an order of its own that `seed` fixes, so that any first part is an even random sample.
    """
    named = {(api.tool, api.name): api for api in apis}
    groups = defaultdict[str, list[Asked]](list)
    for query in queries:
        if query.half == half and all(name in named for name in query.gold):
            needed = [named[name] for name in sorted(query.gold)]
            groups[query.group].append(Asked(query.group, query.text, needed))
    for group in groups.values():
        random.Random(seed).shuffle(group)
    return [asked for asked in chain.from_iterable(zip_longest(*groups.values())) if asked]


def recorded(asked: list[Asked]) -> list[Asked]:
    """Of these queries those for each of whose APIs a call is recorded: they can be solved without invention."""
    with Recordings.open(_RECORDINGS) as recordings:
        return [one for one in asked if all(recordings.examples(api.id, 1) for api in one.needed)]


async def retrieve(world: World, context: Context, asked: Asked) -> Row:
    """One search: the pool in its order, and where agents have looked."""
    graph = retriever.build(model=world.model, catalog=world.catalog)
    result = await graph.ainvoke({"query": asked.text}, {"recursion_limit": 1_000}, context=context)
    agents = result["agents"].values()
    return {
        "pool": result["pool"],
        "added": sum(len(agent["added"]) for agent in agents),
        "looked": [
            (agent["kind"], agent["category"], agent["tools"], agent["turns"], agent["why"]) for agent in agents
        ],
        "status": result["status"],
        "reason": result["reason"],
        **_cost(result),
    }


async def solve(world: World, context: Context, asked: Asked) -> Row:
    """One run of the loop over recorded responses; what is not recorded, the model makes up, outside the budget.

    `first` is what the same run had come to when it was first reflected on, or ended.
    """
    began, first, result = time.perf_counter(), Row(), Row()
    with Recordings.open(_RECORDINGS) as recordings:
        simulator = Simulator(world.model, load_prompt("simulate").messages, token_budget=10**9)
        callers = replay_callers(world.catalog, recordings, simulator)
        graph = anytool.build(model=world.model, catalog=world.catalog, callers={**callers, SOURCE: callers[""]})
        config: RunnableConfig = {"recursion_limit": 2_000}
        async for kind, said in graph.astream(
            {"query": asked.text}, config, context=context, stream_mode=["values", "updates"]
        ):
            if kind == "values":
                result = said
            elif not first and {"reflect", "deliver"} & said.keys():
                solved = result["verdict"] == "solved"  # its `status` is still the solver's own word for it
                status = "solved" if solved else "partial" if result["answer"] else "failed"
                seconds = round(time.perf_counter() - began, 1)
                first = _came_to(result, asked, simulator) | {"status": status, "seconds": seconds}
        return _came_to(result, asked, simulator) | {"first": first}


def _came_to(result: Row, asked: Asked, simulator: Simulator) -> Row:
    """What a run has come to so far."""
    called = {call["api"] for call in result["calls"] if call["ok"]}
    simulated = total_usage(simulator.usage)
    return {
        "pool": result["pool"],
        "called": sorted(called),
        "calls": len(result["calls"]),
        "by_path": all(api.id in called for api in asked.needed),
        "status": result["status"],
        "answer": result["answer"],
        "reason": result["reason"],
        "reflections": result["reflections"],
        "woken": [(waking["level"], len(waking["agents"])) for waking in result["wakings"]],
        "simulated": simulated["prompt"] + simulated["completion"],
        **_cost(result),
    }


_RECORDINGS = Path(".bench") / "anytool" / "recordings.db"


def record(catalog: Catalog) -> None:
    """Make the file of recorded calls, whole or not at all."""
    if not _RECORDINGS.is_file():
        _RECORDINGS.parent.mkdir(parents=True, exist_ok=True)
        part = _RECORDINGS.with_suffix(".part")
        part.unlink(missing_ok=True)
        with Recordings.create(part) as fresh:
            import_toolbench(DATA / "toolbench_responses" / "observed_calls.jsonl.gz", fresh, catalog.apis())
        part.rename(_RECORDINGS)


def figures(row: Row) -> Row:
    """What of a run may be kept in the repository: places and counts, no text and no name of the data."""
    needed = row["needed"]
    texts = ("text", "needed", "pool", "search", "looked", "called", "answer", "reason", "error")
    kept = {key: value for key, value in row.items() if key not in texts}
    places = {
        f"{ranking}_at": [row[ranking].index(api) for api in needed if api in row[ranking]]
        for ranking in ("pool", "search")
        if ranking in row
    }
    if "error" in row:
        return kept | places | {"needed": len(needed), "error": row["error"].partition(":")[0]}
    looked = {"agents": len(row["looked"])} if "looked" in row else {}
    return kept | places | looked | {"needed": len(needed), "pool": len(row["pool"])}


def _cost(result: Row) -> Row:
    spent = total_usage(result["usage"])
    return {
        "tokens": spent["prompt"] + spent["completion"],
        "prompt": spent["prompt"],
        "completion": spent["completion"],
        "model_calls": spent["calls"],
        "by_role": result["usage"],
    }
