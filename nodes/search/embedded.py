"""The agents' search as a part of another graph: from the agents that were woken to what they have found."""

from __future__ import annotations

from langgraph.types import Overwrite
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import Usage, tokens, usage_since
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import Agent, Histories, RetrieverState
from toolquiver.nodes.search.begin import begin
from toolquiver.nodes.state import Budgeted

_PART = 0.25  # of the tokens left, that the agents may spend each time they are woken


class SearchInput(Budgeted):
    """What the search is given: the query, the agents that were woken, and what is known of the pool."""

    query: str
    agents: dict[str, Agent]
    histories: Histories
    found: list[ApiId]
    removed: list[ApiId]
    failures: list[str]


class Searched(RetrieverState):
    """The search's own state besides: `spent` and `said` are what the run had cost, and each agent had said, before."""

    found: list[ApiId]
    spent: Usage
    said: dict[str, int]


class SearchOutput(TypedDict):
    """What the search changes in the graph around it: what it alone has cost and added, and all that was found."""

    agents: dict[str, Agent]
    histories: Histories
    found: list[ApiId]
    solvable: bool
    usage: Usage


async def begin_search(state: Searched, run: Run) -> Update:
    """The pool as it was found so far, and a part of the budget of its own."""
    spent = tokens(state["usage"])
    fresh = await begin(state, run)
    kept = ("wave", "reports", "round", "run", "window", "solvable", "decided")
    return {
        **{key: fresh[key] for key in kept},
        "pool": list(state["found"]),
        "spent": state["usage"],
        "said": {agent: len(messages) for agent, messages in state.get("histories", {}).items()},
        "retrieval_ends": spent + int((run.context.token_budget - spent) * _PART),
    }


async def end_search(state: Searched, _: Run) -> Update:
    """The pool as what was found, and of cost and conversations only what is new."""
    said = state["said"]
    added = {agent: messages[said.get(agent, 0) :] for agent, messages in state["histories"].items()}
    return {
        "found": state["pool"],
        "histories": Overwrite({agent: messages for agent, messages in added.items() if messages}),
        "usage": Overwrite(usage_since(state["spent"], state["usage"])),
    }
