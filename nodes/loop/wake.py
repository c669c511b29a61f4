"""The wave of AnyTool's agents, and the level above once all are done (AnyTool, 4.3)."""

from __future__ import annotations

from typing import Literal

from langgraph.types import Send

from toolquiver.nodes.loop.anytool_state import AnyToolState
from toolquiver.nodes.search.coordinate import sent
from toolquiver.nodes.waking import Level, next_level


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


def level_above(state: AnyToolState) -> Level | None:
    """The level to be woken next, once the agents at work are done with theirs."""
    return next_level(state["agents"], state["levels"]) if state["decided"] == "agents are done" else None
