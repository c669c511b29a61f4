"""What a search by agents keeps. Texts, ids and counters only."""

from __future__ import annotations

import operator
from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import Usage
from toolquiver.nodes.agents import Agent, Histories, Kind, extended
from toolquiver.nodes.records import Call
from toolquiver.nodes.search_io import Numbers, SearchEnd
from toolquiver.nodes.state import Budgeted, Query, Status

AfterBegin = Literal["agents search", "group by group", "by embeddings", "candidates given"]
Outcome = Literal["acts", "finishes", "idles", "short", "refused"]


class NewAgent(TypedDict):
    """An agent that another wants made."""

    kind: Kind
    category: str
    tools: list[str]


class Report(TypedDict):
    """What came of an agent's turn.

    `outcome`: it acted, it finished, it changed nothing, its share of the budget held no turn, or its model refused
    (`why`). `asks` are the ids of its calls of check_if_request_solvable, which are answered for all agents at once.
    `heard` is how many of the run's failures it was told.
    """

    agent: str
    outcome: Outcome
    why: str
    creates: list[NewAgent]
    adds: list[ApiId]
    asks: list[str]
    heard: int


class Checked(TypedDict):
    """The last check: the pool that was asked about, and the answer."""

    pool: list[ApiId]
    answer: str


class SearchState(Budgeted, Query):
    """The state of the search.

    `wave` are the agents that take the next turn, `withheld` the tokens that are kept from each of them for the others,
    `reports` what came of the last turns. `asking` are the calls, by agent, that wait for the check of the pool.
    `removed` are APIs that may not come into the pool again, `failures` why each try failed. `search_ends` is how many
    tokens may be spent, by all, when the search is over; `window` how many characters an agent sees of its
    conversation. `group` is the group that a plain agent reads next, `lost` how many groups it said nothing valid of.
    """

    decided: AfterBegin
    agents: dict[str, Agent]
    histories: Annotated[Histories, DeltaChannel(extended, dict)]
    reports: Annotated[list[Report], operator.add]
    wave: list[str]
    withheld: int
    asking: dict[str, list[str]]
    checked: Checked | None
    pool: list[ApiId]
    removed: list[ApiId]
    failures: list[str]
    solvable: bool
    ended: SearchEnd
    search_ends: int
    window: int
    group: int
    lost: int
    answer: str
    status: Status
    reason: str
    calls: list[Call]
    numbers: Numbers


class EmbeddedState(SearchState):
    """The state of a search within another graph; what was spent, and said by each agent, before it."""

    found: list[ApiId]
    spent_so_far: Usage
    said: dict[str, int]


class AgentInput(Budgeted):
    """What an agent is sent for a turn: itself, its conversation as far as it is shown, and the pool.

    `explored` are the categories, or the tools of its category, that have an agent.
    """

    query: str
    agent: Agent
    history: list[AnyMessage]
    explored: list[str]
    pool: list[ApiId]
    removed: list[ApiId]
    failures: list[str]
