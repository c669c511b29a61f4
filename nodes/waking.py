"""Re-activation: parked agents go on level by level, those nearest to the APIs first (AnyTool, 4.3)."""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal

from langgraph.channels import DeltaChannel
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.nodes.agents import Agent, Histories, Kind, extended, new_agent
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run

Level = Literal["tool", "category", "meta"]
LEVELS: tuple[Level, ...] = ("tool", "category", "meta")
"""In which order agents are woken."""

KINDS: dict[Level, tuple[Kind, ...]] = {"tool": ("tool",), "category": ("category",), "meta": ("meta", "flat")}
"""The agents of each level."""


class Waking(TypedDict):
    """Agents that were woken: in which reflection, of which level, and why."""

    reflection: int
    level: Level
    agents: list[str]
    why: str


class WakingState(TypedDict):
    """The slice of a graph that wakes agents.

    `levels` are those that may still be woken in this reflection, `failures` why each try before failed. `found` are
    the APIs that agents have found, `removed` those that are not to be used.
    """

    agents: dict[str, Agent]
    histories: Annotated[Histories, DeltaChannel(extended, dict)]
    found: list[ApiId]
    removed: list[ApiId]
    failures: list[str]
    reflections: int
    levels: list[Level]
    wakings: Annotated[list[Waking], operator.add]


def asleep() -> dict[str, Agent]:
    """The agents of a run that has searched without them: the meta agent alone, ready to be woken."""
    return {"meta": {**new_agent("meta", "meta", None), "status": "parked", "why": "not needed yet"}}


def sleeping(agents: dict[str, Agent], level: Level) -> list[Agent]:
    """The agents of a level that can be woken: never those that finished."""
    return [agent for agent in agents.values() if agent["kind"] in KINDS[level] and agent["status"] == "parked"]


def next_level(agents: dict[str, Agent], levels: list[Level]) -> Level | None:
    """The first level with agents that can be woken."""
    return next((level for level in levels if sleeping(agents, level)), None)


async def wake_tool_agents(state: WakingState, _: Run[Any]) -> Update:
    """Wake the tool agents that have not finished."""
    return _woken(state, "tool")


async def wake_category_agents(state: WakingState, _: Run[Any]) -> Update:
    """Wake the category agents that have not finished."""
    return _woken(state, "category")


async def wake_meta_agent(state: WakingState, _: Run[Any]) -> Update:
    """Wake the meta agent."""
    return _woken(state, "meta")


def _woken(state: WakingState, level: Level) -> Update:
    """The agents of a level at work again, with all their turns; what is left are the levels above.

    Each agent hears the reasons in its next turn, in the words of its level.
    """
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
