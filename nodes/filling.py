"""The places of the pool that agents left open: search fills them, from where the agents looked first (AnyTool, 4.1).

To give a category or a tool to an agent says that what is needed may be there, also where the agent then found nothing,
or had no tokens left. So three rankings are fused by their reciprocal ranks (Cormack et al., 2009): what search finds,
what of that is in the categories that have agents, and what is in the tools that were given to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toolquiver.catalog import API, ApiId
from toolquiver.nodes.agents import Agent, Retrieving
from toolquiver.nodes.run import Run

_RANKED = 300  # hits of search that are ranked anew
_DAMPING = 10  # how little the first places count before the next; 60 as published puts agents' word above all


async def filled(state: Retrieving, run: Run) -> list[ApiId]:
    """The pool, and behind it what search finds, until it has `least_pool` APIs; none that was removed."""
    pool = state["pool"]
    least = min(run.context.least_pool, run.context.pool_size)
    if len(pool) >= least or state["allowed"] is not None:
        return pool
    hits = [hit.api for hit in await run.hits(state["query"], _RANKED)]
    taken = {*pool, *state["removed"]}
    return [*pool, *(api for api in fused(hits, state["agents"].values()) if api not in taken)][:least]


def found_by_agents(pool: Sequence[ApiId], agents: Mapping[str, Agent]) -> list[ApiId]:
    """The pool without what search has filled it up with."""
    added = {api for agent in agents.values() for api in agent["added"]}
    return [api for api in pool if api in added]


def fused(hits: Sequence[API], agents: Iterable[Agent]) -> list[ApiId]:
    """The hits anew, those that agents speak for further up."""
    categories, tools = set[str](), set[tuple[str, str]]()
    for agent in agents:
        categories |= {agent["category"]} - {""}
        tools |= {(agent["category"], tool) for tool in agent["tools"]}
    rankings = [
        hits,
        [api for api in hits if api.category in categories],
        [api for api in hits if (api.category, api.tool) in tools],
    ]
    scores = dict[ApiId, float]()
    for ranked in rankings:
        for rank, api in enumerate(ranked):
            scores[api.id] = scores.get(api.id, 0) + 1 / (_DAMPING + rank)
    return sorted(scores, key=lambda api: -scores[api])
