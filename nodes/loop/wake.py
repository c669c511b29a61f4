"""Re-activation: parked agents of one level go on, told why (AnyTool, 4.3)."""

from __future__ import annotations

from typing import Literal

from langgraph.types import Send
from typing_extensions import ReadOnly, TypedDict

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.loop.anytool_state import LEVELS, AnyToolState, Level, Waking, sleeping
from toolquiver.nodes.loop.reflect import next_level
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import Agent
from toolquiver.nodes.search.coordinate import sent


class Awake(TypedDict):
    """What says who is to be woken next."""

    agents: dict[str, Agent]
    levels: list[Level]
    decided: ReadOnly[str]


async def wake_tool_agents(state: AnyToolState, _: Run) -> Update:
    """Wake the tool agents that have not finished."""
    return _woken(state, "tool")


async def wake_category_agents(state: AnyToolState, _: Run) -> Update:
    """Wake the category agents that have not finished."""
    return _woken(state, "category")


async def wake_meta_agent(state: AnyToolState, _: Run) -> Update:
    """Wake the meta agent."""
    return _woken(state, "meta")


def _woken(state: AnyToolState, level: Level) -> Update:
    """The agents of a level at work again, with all their turns; what is left are the levels above."""
    why = state["failures"][-1]
    woken = sleeping(state["agents"], level)
    names = [agent["id"] for agent in woken]
    return {
        "agents": state["agents"] | {agent["id"]: _at_work(agent, why) for agent in woken},
        "levels": [other for other in state["levels"] if LEVELS.index(other) > LEVELS.index(level)],
        "wakings": [Waking(reflection=state["reflections"], level=level, agents=names, why=why)],
    }


def _at_work(agent: Agent, why: str) -> Agent:
    return {**agent, "status": "active", "why": f"woken: {why}", "turns": 0, "idle": 0, "short": False}


def fan_out_or_climb(
    state: AnyToolState,
) -> (
    list[Send]
    | Literal[
        "meta agent",
        "category agents",
        "tool agents",
        "flat agent",
        "plain agent",
        "category agents next",
        "meta agent next",
        "the pool is ready",
    ]
):
    """A turn for each agent of the wave; when all are done with theirs, the level above is woken, if it may be."""
    if going := sent(state):
        return list(going)
    level = level_above(state)
    if level is None:
        return "the pool is ready"
    return "meta agent next" if level == "meta" else "category agents next"


def level_above(state: Awake) -> Level | None:
    """The level to be woken next, once the agents at work are done with theirs."""
    return next_level(state["agents"], state["levels"]) if state["decided"] == "agents are done" else None
