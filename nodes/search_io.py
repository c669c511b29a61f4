"""What a search by agents takes and gives: shared by the retriever and by graphs that embed it (AnyTool, 4.1)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import Usage, total_usage
from toolquiver.nodes.agents import Agent, Histories
from toolquiver.nodes.records import Call
from toolquiver.nodes.state import Budgeted, Status

EMPTY = "The catalogue has no API. Import some: toolquiver catalog import."
SearchEnd = Literal["", "done", "suffices", "full", "budget"]
"""Why no agent goes on; empty while agents are at work."""

WHY_ENDED: dict[SearchEnd, str] = {
    "": "",
    "done": "all agents are done",
    "suffices": "the pool suffices",
    "full": "the pool is full",
    "budget": "the budget is spent",
}
"""Each end of a search as people read it."""


class Numbers(TypedDict):
    """What a run took: tokens, model calls, reflections; candidates in the pool at its end, agents made."""

    tokens: int
    model_calls: int
    reflections: int
    candidates: int
    agents: int


class HandedToSearch(Budgeted):
    """What a graph hands to a search within it: the query, the agents that were woken, and what is known of the pool.

    Without agents the search begins with its first. `search_ends` is how many tokens may be spent, by all, when it is
    over; a quarter of those left unless it is given.
    """

    query: str
    agents: dict[str, Agent]
    histories: Histories
    found: list[ApiId]
    removed: list[ApiId]
    failures: list[str]
    search_ends: NotRequired[int]


class HandedBack(TypedDict):
    """What a search changes in the graph around it: what it alone has cost and said, and all that was found."""

    agents: dict[str, Agent]
    histories: Histories
    found: list[ApiId]
    solvable: bool
    ended: SearchEnd
    usage: Usage


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


def numbers_of(usage: Usage, pool: Collection[ApiId], agents: Collection[str], reflections: int = 0) -> Numbers:
    """What a run took so far."""
    spent = total_usage(usage)
    return Numbers(
        tokens=spent["prompt"] + spent["completion"],
        model_calls=spent["calls"],
        reflections=reflections,
        candidates=len(pool),
        agents=len(agents),
    )
