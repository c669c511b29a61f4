"""What a search by agents, and AnyTool's loop around it, keep. Texts, ids and counters only."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import Usage, total_usage
from toolquiver.nodes.agents import Agent, Histories, Kind, extended
from toolquiver.nodes.dialogue import joined
from toolquiver.nodes.records import Call
from toolquiver.nodes.state import ApprovalState, Budgeted, Query, Status
from toolquiver.nodes.waking import Level, Waking
from toolquiver.registration import Registered

T = TypeVar("T")

SearchEnd = Literal["", "all agents are done", "the pool suffices", "the pool is full", "the budget is spent"]
"""Why no agent goes on; empty while agents are at work."""

LoopEnd = Literal["", "the reflections are used up", "the budget is spent", "no agent is left to wake, and no API"]
"""Why an unsolved query is not tried again; empty while it is."""

Outcome = Literal["acts", "finishes", "idles", "short"]


class NewAgent(TypedDict):
    """An agent that another wants made."""

    kind: Kind
    category: str
    tools: list[str]


class Report(TypedDict):
    """What came of an agent's turn.

    `outcome`: it acted, it finished, it changed nothing, or its share of the budget held no turn. `unreadable` is why
    its model cannot or may not read the turn. `asks` are the ids of its calls of check_if_request_solvable, which are
    answered for all agents at once. `left_out` are names of APIs that did not fit into the pool.
    """

    agent: str
    outcome: Outcome
    creates: list[NewAgent]
    adds: list[ApiId]
    left_out: list[ApiId]
    asks: list[str]
    heard: int
    page: int
    lost: bool
    unreadable: str


class Share(TypedDict):
    """An agent that takes the next turn; `withheld` are the tokens that are kept from it, for the others."""

    agent: str
    withheld: int


class Checked(TypedDict):
    """The last check of the pool: what was in it, how many failures were known, and what came of it."""

    pool: list[ApiId]
    failures: int
    answer: str


class Numbers(TypedDict):
    """What a run took: tokens, model calls, reflections; candidates in the pool at its end, agents made."""

    tokens: int
    model_calls: int
    reflections: int
    candidates: int
    agents: int


class SearchState(Budgeted, Query):
    """The state of the search.

    `allowed` are the candidates that were given, None where agents search. `wave` are the agents that take the next
    turn, `reports` what came of the last. `asking` are the calls, by agent, that wait for the check of the pool.
    `removed` are APIs that may not come into the pool again, `failures` why each try failed. `search_ends` is how many
    tokens may be spent, by all, when the search is over; `window` how many characters an agent sees of its
    conversation.
    """

    allowed: list[ApiId] | None
    agents: dict[str, Agent]
    histories: Annotated[Histories, DeltaChannel(extended, dict)]
    reports: Annotated[list[Report], operator.add]
    wave: list[Share]
    asking: dict[str, list[str]]
    checked: Checked | None
    pool: list[ApiId]
    removed: list[ApiId]
    failures: list[str]
    solvable: bool
    ended: SearchEnd
    search_ends: int
    window: int
    answer: str
    status: Status
    reason: str
    numbers: Numbers


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


class RetrieverResult(TypedDict):
    """What comes out: the pool in words and by ids, the agents, whether the pool was found to suffice, the cost."""

    answer: str
    status: Status
    reason: str
    calls: list[Call]
    usage: Usage
    pool: list[ApiId]
    agents: dict[str, Agent]
    solvable: bool
    numbers: Numbers


class RetrieverState(SearchState):
    """The state of the retriever alone; it makes no calls."""

    calls: list[Call]


class GivenUp(TypedDict):
    """Why the solver gave up, and which APIs it says have failed or are irrelevant."""

    reason: str
    failed: list[ApiId]


class Best(TypedDict):
    """An answer that was judged, and how."""

    answer: str
    verdict: str


def latest(_: T, said: Sequence[T]) -> T:
    """The reducer of what is large and seldom written: checkpoints hold it once, not at every step."""
    return said[-1]


class AnyToolState(SearchState, ApprovalState):
    """The state of the loop around search and solver.

    `messages` is the solver's last conversation, `tree` its last tree, `best` the best answer so far. `earlier`,
    `registered_before`, `made` and `spent` are handed to the solver. `levels` are those that may still be woken in this
    reflection. `passed` is what the verdict counts as.
    """

    earlier: Annotated[list[AnyMessage], DeltaChannel(latest, list)]
    registered_before: list[ApiId]
    made: Annotated[list[Call], DeltaChannel(latest, list)]
    spent: int
    solver: Literal["dfsdt", "react"]
    calls: Annotated[list[Call], DeltaChannel(joined, list)]
    messages: Annotated[list[AnyMessage], DeltaChannel(latest, list)]
    tree: Annotated[list[dict[str, Any]], DeltaChannel(latest, list)]
    registered: list[Registered]
    given_up: GivenUp | None
    verdict: Literal["solved", "unsolved", "unsure"]
    verdict_reason: str
    verdict_votes: list[str]
    passed: bool
    reflections: int
    levels: list[Level]
    wakings: Annotated[list[Waking], operator.add]
    gives_out: LoopEnd
    best: Best | None


class AnyToolResult(RetrieverResult):
    """What comes out: also the verdict, who was woken and why, and what was tried.

    `removed` are the APIs that left the pool for good, `failures` why each try before the last failed.
    """

    verdict: str
    verdict_reason: str
    reflections: int
    wakings: list[Waking]
    removed: list[ApiId]
    failures: list[str]


def a_report(agent: Agent, outcome: Outcome) -> Report:
    """A report that says nothing but how the turn went."""
    return Report(
        agent=agent["id"],
        outcome=outcome,
        creates=[],
        adds=[],
        left_out=[],
        asks=[],
        heard=agent["heard"],
        page=agent["page"],
        lost=False,
        unreadable="",
    )


def numbers_of(state: SearchState, reflections: int = 0) -> Numbers:
    """What the run took so far."""
    spent = total_usage(state["usage"])
    return Numbers(
        tokens=spent["prompt"] + spent["completion"],
        model_calls=spent["calls"],
        reflections=reflections,
        candidates=len(state["pool"]),
        agents=len(state["agents"]),
    )
