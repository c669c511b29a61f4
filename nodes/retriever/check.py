"""The check whether the pool that all agents fill suffices (AnyTool, 4.1)."""

from __future__ import annotations

from typing import Literal, cast

from langchain_core.messages import ToolMessage

from toolquiver.catalog import ApiId
from toolquiver.contexts import RetrieverContext
from toolquiver.nodes.agents import parked
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.retriever.state import Checked, SearchState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search_io import WHY_ENDED
from toolquiver.nodes.solvability import solvability

_NOT_ASKED = "This could not be asked. Go on, or finish."


async def check(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """check_if_request_solvable: one question about the one pool, answered to all agents that have asked.

    A yes parks all agents. The same pool is not asked about twice in a search.
    """
    last, cost, suffices = state["checked"], Update(), False
    if not state["pool"]:
        answer = "No: the pool is empty."
    elif last and last["pool"] == state["pool"]:
        answer = last["answer"]
    else:
        suffices, answer, cost = await ruled(state["pool"], state, run)
    agents = {
        name: parked(agent, WHY_ENDED["suffices"]) if suffices else agent for name, agent in state["agents"].items()
    }
    return {
        **cost,
        "agents": agents,
        "histories": {
            agent: [ToolMessage(answer, tool_call_id=one) for one in ids] for agent, ids in state["asking"].items()
        },
        "asking": {},
        "checked": Checked(pool=state["pool"], answer=answer),
        "solvable": suffices,
        "ended": "suffices" if suffices else "",
    }


async def ruled(pool: list[ApiId], state: SearchState, run: Run[RetrieverContext]) -> tuple[bool, str, Update]:
    """Whether a pool suffices, that in words, and what it costs to ask."""
    told = await solvability(
        state["query"], await run.apis(pool), within_search(state, run), run, failures=state["failures"]
    )
    suffices = told["verdict"] == "solvable"
    answer = _NOT_ASKED if "stopped" in told else f"{'Yes' if suffices else 'No'}: {told['verdict_reason']}"
    return suffices, answer, {"usage": told.get("usage", {})}


def after_check(state: SearchState) -> Literal["it suffices", "it does not"]:
    """A yes ends the search for all."""
    return "it suffices" if state["solvable"] else "it does not"


def within_search(state: SearchState, run: Run[RetrieverContext]) -> SearchState:
    """The state with the search's own part of the budget: the rest is kept for what comes after it."""
    return cast("SearchState", {**state, "spent_before": run.context.token_budget - state["search_ends"]})
