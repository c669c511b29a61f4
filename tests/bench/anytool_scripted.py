"""The retriever with scripted agents: what waiting costs beyond the critical path, what pool and K do."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from typing import Any, NamedTuple

from rich.progress import track

from tests.bench.anytool_policies import FINISH, Call, Delayed, Oracle, names, said, turn_of
from tests.bench.search_queries import GROUPS, apis, queries
from toolquiver.catalog import API, Catalog, api_id
from toolquiver.context import Context
from toolquiver.graphs import retriever
from toolquiver.models import scripted, total_usage

SECONDS = 0.05  # of a model call
SHAPES = {1: (), 6: (4,), 18: (5, 5, 4)}
"""Agents in all, and how many tool agents each category agent makes; one alone works without hierarchy."""

_STEPS = 6  # model calls one after the other in a full run
_SLOW = 20  # times slower are the calls that an early stop must not wait for
_POOLS, _KS = (16, 32, 64), (3, 5, 10)


class Timing(NamedTuple):
    """Milliseconds of a run: the critical path of its model calls, and what was measured, by the way to run it.

    `measured` are the median of wall time, the fastest, and the median of processor time.
    """

    agents: int
    stop: bool
    ideal: float
    measured: dict[str, tuple[float, float, float]]


def _catalog(shape: tuple[int, ...]) -> Catalog:
    catalog = Catalog.create()
    sizes = [6 * tools for tools in shape] or [6]
    catalog.add(
        *(
            API(
                id=api_id(f"Group {group}", f"Tool {group} {tool}", "look"),
                name=f"look {group} {tool}",
                tool=f"Tool {group} {tool}",
                category=f"Group {group}",
            )
            for group, size in enumerate(sizes)
            for tool in range(size)
        )
    )
    return catalog


class _Timed:
    """Meta, category and tool agents whose longest chain is six calls, or four where one stops all."""

    def __init__(self, shape: tuple[int, ...], *, stop: bool) -> None:
        self.shape, self.stop = shape, stop

    def __call__(self, messages: list[Any], schema: dict[str, Any]) -> Any:
        if schema.get("title") != "Turn":
            return {"reason": "It is there.", "verdict": "solvable" if self.stop else "unsolvable"}
        turn, number = turn_of(messages), len(messages)
        if categories := names(schema, "create_agent_category_level", "category_name"):
            made = [("create_agent_category_level", {"category_name": one}) for one in categories]
            return said(FINISH if turn else made, number)
        if tools := names(schema, "create_agent_tool_level", "tools"):
            count = self.shape[int(tools[0].split()[1])]
            made = [("create_agent_tool_level", {"tools": tools[at : at + 5]}) for at in range(0, 5 * count, 5)]
            return said(FINISH if turn else made, number)
        return self._tool(messages, schema, turn)

    def _tool(self, messages: list[Any], schema: dict[str, Any], turn: int) -> Any:
        own = names(schema, "add_API_into_API_pool", "APIs")
        first = self.shape == () or any(one.endswith("_0_0") for one in own)
        last = _STEPS - 1 if self.shape == () else _STEPS - 3
        calls: list[Call] = [("check_if_request_solvable", {})] if own else []
        if self.shape == () and turn < 2:
            tools = names(schema, "get_APIs_in_tool", "tool_name")
            look = ("get_APIs_in_tool", {"tool_name": tools[0]}) if tools else None
            return said([look or ("get_tools_in_category", {"category_name": "Group 0"})], len(messages))
        if self.stop and first:
            return said([("add_API_into_API_pool", {"APIs": own[:1]}), *calls], len(messages))
        if self.stop:
            return said([("get_API_detail", {"APIs": own[:1]})], len(messages), response_metadata={"slow": _SLOW})
        if turn >= last:
            return said(FINISH, len(messages))
        look = "get_API_detail" if turn % 2 else "add_API_into_API_pool"
        return said([(look, {"APIs": own[:1]})], len(messages))


def timings(repeats: int) -> list[Timing]:
    """Full runs and early stops, with each number of agents, from `invoke` and from `ainvoke`."""
    found = []
    for stop in (False, True):
        for agents, shape in SHAPES.items():
            ideal = (4 if stop else _STEPS) * SECONDS * 1_000
            policy = _Timed(shape, stop=stop)
            model = Delayed(script=policy, profile=scripted(policy).profile, seconds=SECONDS)
            graph = retriever.build(model=model, catalog=_catalog(shape))
            context = Context(retriever="hierarchy" if shape else "flat", page=100)
            measured = {how: _run(graph, context, agents, how, repeats) for how in ("invoke", "ainvoke")}
            measured["waiting alone"] = _waiting(round(ideal / (SECONDS * 1_000)), repeats)
            found.append(Timing(agents, stop, ideal, measured))
    return found


def _run(graph: Any, context: Context, agents: int, how: str, repeats: int) -> tuple[float, float, float]:
    asked = {"query": "look"}
    walls, works = [], []
    for _ in track(range(repeats + 1), f"{agents} agents, {how}", transient=True):
        before, worked = time.perf_counter(), time.process_time()
        if how == "invoke":
            result = graph.invoke(asked, context=context)
        else:
            result = asyncio.run(graph.ainvoke(asked, context=context))
        walls.append((time.perf_counter() - before) * 1_000)
        works.append((time.process_time() - worked) * 1_000)
        assert len(result["agents"]) == agents, len(result["agents"])
    return statistics.median(walls[1:]), min(walls[1:]), statistics.median(works[1:])  # the first one warms up


def _waiting(steps: int, repeats: int) -> tuple[float, float, float]:
    """A program that does nothing but wait as often, one time after the other: what the machine adds by itself."""

    async def wait() -> None:
        for _ in range(steps):
            await asyncio.sleep(SECONDS)

    walls, works = [], []
    for _ in range(repeats):
        before, worked = time.perf_counter(), time.process_time()
        asyncio.run(wait())
        walls.append((time.perf_counter() - before) * 1_000)
        works.append((time.process_time() - worked) * 1_000)
    return statistics.median(walls), min(walls), statistics.median(works)


class Sized(NamedTuple):
    """A setting of pool and K, and the means of its queries."""

    pool_size: int
    tools_per_agent: int
    n: int
    recall: float
    pool: float
    agents: float
    model_calls: float
    tokens: float


def sizes(per_group: int) -> list[Sized]:
    """Pools of three sizes with K of 5, and three K with a pool of 64, on queries of each group of ToolBench."""
    catalog = Catalog.create()
    catalog.add(*apis())
    named = {(api.tool, api.name): api for api in catalog.apis()}
    asked = sample(per_group, named)
    settings = [(size, 5) for size in _POOLS] + [(64, most) for most in _KS if most != 5]
    return [_sized(catalog, asked, *setting) for setting in settings]


def sample(per_group: int, named: dict[tuple[str, str], API]) -> list[tuple[str, str, list[API]]]:
    """So many queries of each group: group, text, needed APIs. Those are left out that need what is not there."""
    found, all_queries = [], queries()
    for group in (*GROUPS, "AnyToolBench"):
        known = [query for query in all_queries if query.group == group and all(name in named for name in query.gold)]
        chosen = random.Random(0).sample(known, min(per_group, len(known)))
        found += [(group, query.text, [named[name] for name in sorted(query.gold)]) for query in chosen]
    return found


def _sized(catalog: Catalog, asked: list[tuple[str, str, list[API]]], pool_size: int, most: int) -> Sized:
    rows = []
    for _, text, needed in track(asked, f"pool {pool_size}, K {most}"):
        graph = retriever.build(model=scripted(Oracle(catalog, needed, most)), catalog=catalog)
        context = Context(pool_size=pool_size, tools_per_agent=most, token_budget=10**9, agent_context=100_000)
        result = asyncio.run(graph.ainvoke({"query": text}, {"recursion_limit": 1_000}, context=context))
        spent = total_usage(result["usage"])
        recall = sum(api.id in result["pool"] for api in needed) / len(needed)
        tokens = spent["prompt"] + spent["completion"]
        rows.append((recall, len(result["pool"]), len(result["agents"]), spent["calls"], tokens))
    return Sized(pool_size, most, len(rows), *(statistics.mean(column) for column in zip(*rows, strict=True)))
