"""The beginning of a run, and the end of a search that stands alone."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.types import Overwrite

from toolquiver.contexts import AnyToolContext, RetrieverContext
from toolquiver.models import tokens
from toolquiver.nodes.agents import Agent, Kind, new_agent
from toolquiver.nodes.anytool.state import RetrieverState, SearchState, numbers_of
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run

EMPTY = "The catalogue has no API. Import some: toolquiver catalog import."
_CHARACTERS_A_TOKEN = 3  # of listings; a window must not be larger than its tokens
_FIRST: dict[str, Kind] = {"hierarchy": "meta", "flat": "flat", "plain": "plain"}
_NAMED = 10  # APIs that are named in the answer


async def begin(state: SearchState, run: Run[Any]) -> Update:
    """Begin a search afresh, also on a thread that had a run before: one agent, an empty pool, the whole budget.

    Candidates that are given are the pool, and nothing is searched; so it is with a catalogue without an API.

    Raises:
        InputError: the query is empty, or a candidate is not in the catalogue.
    """
    given = await candidates_given(state, run)
    if given is None and not await run.has_apis():
        given = []
    return {
        "allowed": given,
        "usage": Overwrite({}),
        "stopped": "",
        "agents": _first_agents(run) if given is None else {},
        "histories": Overwrite({}),
        "reports": Overwrite([]),
        "wave": [],
        "asking": {},
        "checked": None,
        "pool": list(given or []),
        "removed": [],
        "failures": [],
        "solvable": False,
        "ended": "",
        "search_ends": run.context.token_budget,
        "window": run.context.agent_context * _CHARACTERS_A_TOKEN,
        **NOT_ENDED,
    }


def _first_agents(run: Run[RetrieverContext]) -> dict[str, Agent]:
    """The agent that a search begins with; searching by embeddings has none."""
    kind = _FIRST.get(run.context.retriever)
    return {kind: new_agent(kind, kind, None)} if kind else {}


async def set_out(state: SearchState, run: Run[AnyToolContext]) -> Update:
    """Begin a run with solver, judge and reflection. The search may spend a part of the budget.

    Raises:
        InputError: the query is empty, or a candidate is not in the catalogue.
    """
    return {
        **await begin(state, run),
        "approval": run.context.approval,
        "search_ends": search_ends(0, run),
        "solver": run.context.solver,
        **{key: Overwrite([]) for key in ("calls", "wakings")},
        **{key: [] for key in ("earlier", "made", "messages", "tree", "registered", "registered_before", "levels")},
        "spent": 0,
        "given_up": None,
        "verdict": "unsure",
        "verdict_reason": "",
        "passed": False,
        "reflections": 0,
        "gives_out": "",
        "best": None,
    }


def search_ends(spent: int, run: Run[AnyToolContext]) -> int:
    """How many tokens may be spent in all when a search is over that begins now."""
    return spent + int((run.context.token_budget - spent) * run.context.retrieval_part)


def after_begin(state: SearchState) -> Literal["agents search", "by embeddings", "candidates given"]:
    """Given candidates need no search."""
    if state["allowed"] is not None:
        return "candidates given"
    return "agents search" if state["agents"] else "by embeddings"


def is_too_small(state: SearchState) -> bool:
    """Whether nothing was found because the budget did not hold a single turn."""
    return not state["pool"] and not state["usage"] and any(agent["short"] for agent in state["agents"].values())


async def settle(state: RetrieverState, run: Run[RetrieverContext]) -> Update:
    """Say how the search ended: solved if the pool was found to suffice or all have finished, partial if there is one.

    Raises:
        InputError: the budget did not hold a single turn.
    """
    if is_too_small(state):
        raise run.too_small()
    apis = await run.apis(state["pool"])
    names = ", ".join(api.function for api in apis[:_NAMED])
    more = f" and {len(apis) - _NAMED} more" if len(apis) > _NAMED else ""
    lost, groups = (sum(agent[key] for agent in state["agents"].values()) for key in ("lost", "page"))
    stopped = list(dict.fromkeys(agent["why"] for agent in state["agents"].values() if agent["status"] == "parked"))
    reason = f"Agents stopped because {', '.join(stopped)}." if stopped else "All agents have finished."
    reason = state["stopped"] or state["reason"] or reason
    if lost:
        reason = f"{reason} For {lost} of {groups} groups of APIs the model gave no valid answer."
    if state["allowed"] is not None:
        reason = "The candidates were given." if await run.has_apis() else EMPTY
    whole = state["solvable"] or (apis and not stopped and not lost)
    return {
        "answer": f"{len(apis)} APIs: {names}{more}." if apis else "",
        "reason": reason,
        "status": "solved" if whole else "partial" if apis else "failed",
        "calls": [],
        "numbers": numbers_of(state),
    }


def left_of(state: SearchState, run: Run[AnyToolContext]) -> int:
    """The tokens of the budget that are left."""
    return run.context.token_budget - tokens(state["usage"])
