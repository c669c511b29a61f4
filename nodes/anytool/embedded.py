"""The search as a part of another graph: from agents that were woken to what they have found."""

from __future__ import annotations

from langgraph.types import Overwrite
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.contexts import RetrieverContext
from toolquiver.models import Usage, tokens, usage_since
from toolquiver.nodes.agents import Agent, Histories
from toolquiver.nodes.anytool.begin import begin
from toolquiver.nodes.anytool.state import SearchState
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
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


class Searched(SearchState):
    """The search's own state besides: `spent_so_far` and `said` are what was spent, and said by each agent, before."""

    found: list[ApiId]
    spent_so_far: Usage
    said: dict[str, int]


class SearchOutput(TypedDict):
    """What the search changes in the graph around it: what it alone has cost and added, and all that was found."""

    agents: dict[str, Agent]
    histories: Histories
    found: list[ApiId]
    solvable: bool
    usage: Usage


async def begin_search(state: Searched, run: Run[RetrieverContext]) -> Update:
    """The pool as it was found so far, and a part of the budget of its own."""
    fresh, spent = await begin(state, run), tokens(state["usage"])
    kept = ("wave", "reports", "asking", "checked", "window", "solvable", "ended")
    return {
        **{key: fresh[key] for key in kept},
        "pool": list(state["found"]),
        "spent_so_far": state["usage"],
        "said": {agent: len(messages) for agent, messages in state.get("histories", {}).items()},
        "search_ends": spent + int((run.context.token_budget - spent) * _PART),
    }


async def end_search(state: Searched, _: Run[RetrieverContext]) -> Update:
    """The pool as what was found, and of cost and conversations only what is new."""
    added = {agent: messages[state["said"].get(agent, 0) :] for agent, messages in state["histories"].items()}
    return {
        "found": state["pool"],
        "histories": Overwrite({agent: messages for agent, messages in added.items() if messages}),
        "usage": Overwrite(usage_since(state["spent_so_far"], state["usage"])),
    }
