"""The agents' search as a part of another graph: from the agents that were woken to what they have found."""

from __future__ import annotations

from typing import Literal

from langgraph.types import Overwrite
from typing_extensions import TypedDict

from toolquiver.calling.outcome import PASSING
from toolquiver.catalog import ApiId
from toolquiver.models import Usage, tokens, usage_since
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.loop.quiver_state import QuiverState
from toolquiver.nodes.loop.wake import level_above
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.agents import Agent, Histories, RetrieverState
from toolquiver.nodes.search.begin import begin
from toolquiver.nodes.state import Budgeted


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
    decided: str
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
        "said": {agent: len(messages) for agent, messages in state["histories"].items()},
        "retrieval_ends": spent + min(run.context.agents_budget, run.context.token_budget - spent),
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


def after_search(
    state: QuiverState,
) -> Literal["category agents next", "meta agent next", "nothing new", "try again", "plan with these"]:
    """When all agents at work are done, those a level above are woken, if they may be; then the work goes on.

    Before anything is planned, only agents that have finished by their own word say that nothing fits. What was found,
    what was taken away, and a failure of the moment are each a reason to try again.
    """
    level = level_above(state)
    if level is not None:
        return "meta agent next" if level == "meta" else "category agents next"
    if not state["subtasks"]:
        given_up = all(agent["status"] == "finished" for agent in state["agents"].values())
        return "nothing new" if given_up and not state.get("found") else "plan with these"
    last = {call["api"]: call for call in state["calls"]}.values()
    gone = any(not call["ok"] and call["api"] in state.get("removed", []) for call in last)
    passing = any(call["failure"] in PASSING for call in last)
    return "try again" if gone or passing or len(state.get("found", [])) > state["stock"] else "nothing new"
