"""The beginning of the whole: nothing known, nothing spent, all agents asleep."""

from __future__ import annotations

from langgraph.types import Overwrite

from toolquiver.nodes.agents import Agent
from toolquiver.nodes.begin import first_agents
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.check import check
from toolquiver.nodes.quivering import Quivering
from toolquiver.nodes.run import Run
from toolquiver.nodes.set_out import unjudged

_WHY = "it was not needed so far"


async def outset(state: Quivering, run: Run) -> Update:
    """Begin afresh, also on a thread that had a run before; with `tool_check` ask whether a tool is needed.

    Raises:
        InputError: the query is empty, or a candidate is not in the catalogue.
    """
    checked = await check(state, run)
    searches = run.context.agents and checked["allowed"] is None
    agents = first_agents(run) if searches else {}
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
        "answer": "",
        "reason": "",
    }


def asleep(agent: Agent) -> Agent:
    """An agent that can be woken, but has not been."""
    return {**agent, "status": "parked", "why": _WHY}
