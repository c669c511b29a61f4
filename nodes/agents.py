"""The record of a search agent, which AnyTool and quiver both keep in their states (AnyTool, 4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from langchain_core.messages import AnyMessage
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.nodes.dialogue import added

Kind = Literal["meta", "category", "tool", "flat"]
AgentStatus = Literal["active", "finished", "parked"]
"""At work; finished by its own word, for good; stopped from outside, so that it may be woken."""

Histories = dict[str, list[AnyMessage]]
"""Each agent's conversation, by the agent's id."""


class Agent(TypedDict):
    """One agent of the search.

    `tools` are those it looks through, `added` the APIs that it put into the pool. `why` says why it was parked, or
    woken. `turns` counts since it was last woken, `idle` the turns in a row that changed nothing. `heard` is how many
    of the run's failures it was told. `short` is set where its share of the budget did not hold a turn.
    """

    id: str
    kind: Kind
    parent: str | None
    category: str
    tools: list[str]
    status: AgentStatus
    why: str
    turns: int
    idle: int
    heard: int
    short: bool
    added: list[ApiId]


def new_agent(agent_id: str, kind: Kind, parent: str | None, category: str = "", tools: Sequence[str] = ()) -> Agent:
    """An agent at its beginning."""
    return Agent(
        id=agent_id,
        kind=kind,
        parent=parent,
        category=category,
        tools=list(tools),
        status="active",
        why="",
        turns=0,
        idle=0,
        heard=0,
        short=False,
        added=[],
    )


def parked(agent: Agent, why: str) -> Agent:
    """The agent stopped from outside, if it is at work; else as it is."""
    return {**agent, "status": "parked", "why": why} if agent["status"] == "active" else agent


def active(agents: Mapping[str, Agent]) -> list[Agent]:
    """The agents at work, in the order they were made."""
    return [agent for agent in agents.values() if agent["status"] == "active"]


def extended(histories: Mapping[str, Sequence[AnyMessage]], said: Sequence[Histories]) -> Histories:
    """The reducer of histories: each agent's conversation followed by what was said since."""
    grown: Histories = {agent: list(messages) for agent, messages in histories.items()}
    for part in said:
        for agent, messages in part.items():
            grown[agent] = added(grown.get(agent, []), messages)
    return grown
