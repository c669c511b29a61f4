"""The beginning of the whole: nothing known, nothing spent, all agents asleep."""

from __future__ import annotations

from typing import get_args

from langgraph.types import Overwrite

from toolquiver.bounds import AgentSearch
from toolquiver.errors import InputError
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.executor.check import check
from toolquiver.nodes.loop.quiver_state import QuiverState
from toolquiver.nodes.loop.set_out import unjudged
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import Agent
from toolquiver.nodes.search.begin import first_agents

_WHY = "it was not needed so far"


async def outset(state: QuiverState, run: Run) -> Update:
    """Begin afresh, also on a thread that had a run before; with `tool_check` ask whether a tool is needed.

    A catalogue that fits in the pool has no agents: what they could find is in the pool.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, `plan_only` is set, or agents are to
            search and none of quiver's do as `retriever` says.
    """
    searches = run.context.agents and state.get("candidates") is None
    if searches and run.context.retriever not in get_args(AgentSearch):
        raise InputError(
            f"retriever is {run.context.retriever!r}, but quiver's agents search as one of: "
            f"{', '.join(get_args(AgentSearch))}. The graph retriever has them all."
        )
    checked = await check(state, run)
    agents = first_agents(run) if searches and not await run.is_small() else {}
    return {
        **checked,
        **unjudged(),
        "verdict_votes": [],
        "agents": {name: asleep(agent) for name, agent in agents.items()},
        "histories": Overwrite({}),
        "planned": [],
        "pool": [],
        "found": [],
        "removed": [],
        "lesson": "",
        "failures": [],
        "solvable": False,
        "tried": 0,
        "stock": 0,
        "frames": [],
        "unfilled": [],
        "said": [],
        "asked": 0,
        "problem": "",
        "declined": [],
        "evidence": [],
        "lacking": [],
    }


def asleep(agent: Agent) -> Agent:
    """An agent that can be woken, but has not been."""
    return {**agent, "status": "parked", "why": _WHY}
