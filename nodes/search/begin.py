"""The beginning of a search by agents: the meta agent alone, an empty pool."""

from __future__ import annotations

from typing import Literal
from uuid import uuid4

from langgraph.types import Overwrite

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import Agent, Kind, RetrieverState, new_agent

_CHARACTERS_A_TOKEN = 3  # of listings; a window must not be larger than its tokens
_FIRST: dict[str, Kind] = {"hierarchy": "meta", "flat": "flat", "plain": "plain"}


async def begin(state: RetrieverState, run: Run) -> Update:
    """Begin afresh, also on a thread that had a run before. The search may spend the whole budget.

    A catalogue without an API is not searched: there are no candidates then.

    Raises:
        InputError: the query is empty, or a candidate is not in the catalogue.
    """
    given = await candidates_given(state, run)
    if given is None and not await run.has_apis():
        given = []
    return {
        "allowed": given,
        "subtasks": [state["query"]],
        "expansions": {},
        "usage": Overwrite({}),
        "stopped": "",
        "agents": first_agents(run) if given is None else {},
        "histories": Overwrite({}),
        "reports": Overwrite([]),
        "wave": [],
        "pool": list(dict.fromkeys(given or [])),
        "removed": [],
        "failures": [],
        "solvable": False,
        "round": 0,
        "run": uuid4().hex,
        "retrieval_ends": run.context.token_budget,
        "window": run.context.agent_context * _CHARACTERS_A_TOKEN,
        "decided": "",
        **NOT_ENDED,
    }


def first_agents(run: Run) -> dict[str, Agent]:
    """The agent that a search begins with; searching by embeddings has none."""
    kind = _FIRST.get(run.context.retriever)
    return {kind: new_agent(kind, kind, None)} if kind else {}


def after_begin(state: RetrieverState) -> Literal["agents search", "by embeddings", "candidates given"]:
    """Given candidates need no search."""
    if state["allowed"] is not None:
        return "candidates given"
    return "agents search" if state["agents"] else "by embeddings"
