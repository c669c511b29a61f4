"""The places of the pool that agents left open: search fills them, from where the agents looked first (AnyTool, 4.1).

What agents added stays. To give a category or a tool to an agent says that what is needed may be there, also where the
agent then found nothing, or had no tokens left. So four rankings are fused by their reciprocal ranks (Cormack et al.,
2009): what search finds, what of that is in the categories that have agents, what is in the tools that were given to
one, and what agents added. The fused ranking says what fills the pool up, and in which order all of it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toolquiver.catalog import API, ApiId
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import Agent, RetrieverState

_RANKED = 300  # hits of search that are ranked anew
_DAMPING = 10  # how little the first places count before the next; 60 as published puts agents' word above all
_AGENTS_VOTE = (
    0.25  # search counts 1; with more, a small model that adds a whole tool would push search's best far down
)


async def filled(state: RetrieverState, run: Run) -> list[ApiId]:
    """The pool, and with it what search finds, until it has `least_pool` APIs; none that was removed."""
    pool = state["pool"]
    least = min(run.context.least_pool, run.context.pool_size)
    if not least or state["allowed"] is not None:
        return pool
    hits = [hit.api for hit in await run.hits(state["query"], _RANKED)]
    ranked = fused(hits, pool, state["agents"].values())
    taken = {*pool, *state["removed"]}
    more = [api for api in ranked if api not in taken][: max(0, least - len(pool))]
    kept = {*pool, *more}
    return [api for api in ranked if api in kept]


def found_by_agents(pool: Sequence[ApiId], agents: Mapping[str, Agent]) -> list[ApiId]:
    """The pool without what search has filled it up with."""
    added = added_by(agents)
    return [api for api in pool if api in added]


def added_by(agents: Mapping[str, Agent]) -> set[ApiId]:
    """All that agents have put into the pool, what has left it since too."""
    return {api for agent in agents.values() for api in agent["added"]}


def fused(hits: Sequence[API], pool: Sequence[ApiId], agents: Iterable[Agent]) -> list[ApiId]:
    """The hits and the pool in one ranking, those that agents speak for further up."""
    categories, tools = set[str](), set[tuple[str, str]]()
    for agent in agents:
        categories |= {agent["category"]} - {""}
        tools |= {(agent["category"], tool) for tool in agent["tools"]}
    rankings = [
        (1, [api.id for api in hits]),
        (_AGENTS_VOTE, [api.id for api in hits if api.category in categories]),
        (_AGENTS_VOTE, [api.id for api in hits if (api.category, api.tool) in tools]),
        (_AGENTS_VOTE, pool),
    ]
    scores = dict[ApiId, float]()
    for weight, ranked in rankings:
        for rank, api in enumerate(ranked):
            scores[api] = scores.get(api, 0) + weight / (_DAMPING + rank)
    return sorted(scores, key=lambda api: -scores[api])
