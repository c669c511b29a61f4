"""The beginning and the end of a search, alone and within another graph."""

from __future__ import annotations

from langgraph.types import Overwrite

from toolquiver.contexts import RetrieverContext
from toolquiver.models import tokens, usage_since
from toolquiver.nodes.agents import Agent, Kind, new_agent
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.retriever.state import AfterBegin, EmbeddedState, SearchState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search_io import EMPTY, WHY_ENDED, HandedToSearch, numbers_of

_CHARACTERS_A_TOKEN = 3  # of listings; a window must not be larger than its tokens
_PART = 0.25  # of the tokens left, that a search within another graph may spend unless that one says how many
_FIRST: dict[str, Kind] = {"hierarchy": "meta", "flat": "flat"}
_HOW: dict[str, AfterBegin] = {"plain": "group by group", "embedding": "by embeddings"}
_NAMED = 10  # APIs that are named in the answer


async def begin(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """Begin a search afresh, also on a thread that had a run before: one agent, an empty pool, the whole budget.

    Candidates that are given are the pool, and nothing is searched; so it is with a catalogue without an API.

    Raises:
        InputError: the query is empty, or a candidate is not in the catalogue.
    """
    given = await candidates_given(state, run)
    searches = given is None and await run.has_apis()
    return {
        **_begun(run),
        "agents": _first_agents(run) if searches else {},
        **({} if searches else {"decided": "candidates given"}),
        "usage": Overwrite({}),
        "histories": Overwrite({}),
        "pool": given or [],
        "removed": [],
        "failures": [],
        "search_ends": run.context.token_budget,
    }


async def begin_handed(state: HandedToSearch, run: Run[RetrieverContext]) -> Update:
    """Begin within another graph: with its agents, the pool so far, and a part of its budget."""
    spent = tokens(state["usage"])
    part = spent + int((run.context.token_budget - spent) * _PART)
    return {
        **_begun(run),
        "agents": state["agents"] or _first_agents(run),
        "pool": state["found"],
        "spent_so_far": state["usage"],
        "said": {agent: len(messages) for agent, messages in state.get("histories", {}).items()},
        "search_ends": state.get("search_ends", part),
    }


def _begun(run: Run[RetrieverContext]) -> Update:
    return {
        "decided": _HOW.get(run.context.retriever, "agents search"),
        "stopped": "",
        "reports": Overwrite([]),
        "wave": [],
        "withheld": 0,
        "asking": {},
        "checked": None,
        "solvable": False,
        "ended": "",
        "window": run.context.agent_context * _CHARACTERS_A_TOKEN,
        "group": 0,
        "lost": 0,
        **NOT_ENDED,
    }


def _first_agents(run: Run[RetrieverContext]) -> dict[str, Agent]:
    """The agent that a search begins with; the baselines have none."""
    kind = _FIRST.get(run.context.retriever)
    return {kind: new_agent(kind, kind, None)} if kind else {}


def after_begin(state: SearchState) -> AfterBegin:
    """How to search is a setting; given candidates need no search."""
    return state["decided"]


async def settle(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """Say how it ended: solved if the pool was found to suffice or all have finished, else partial, or failed."""
    apis = await run.apis(state["pool"])
    names = ", ".join(api.function for api in apis[:_NAMED])
    more = f" and {len(apis) - _NAMED} more" if len(apis) > _NAMED else ""
    stopped = [agent["why"] for agent in state["agents"].values() if agent["status"] == "parked"]
    if not stopped and state["ended"] not in ("", "done"):
        stopped = [WHY_ENDED[state["ended"]]]
    reason = f"Agents stopped because {', '.join(dict.fromkeys(stopped))}." if stopped else "All agents have finished."
    if state["lost"]:
        reason = f"{reason} For {state['lost']} of {state['group']} groups of APIs the model gave no valid answer."
    if state["decided"] == "candidates given":
        reason = "The candidates were given." if await run.has_apis() else EMPTY
    whole = state["solvable"] or (apis and not stopped and not state["lost"])
    return {
        "answer": f"{len(apis)} APIs: {names}{more}." if apis else "",
        "reason": state["stopped"] or state["reason"] or reason,
        "status": "solved" if whole else "partial" if apis else "failed",
        "calls": [],
        "numbers": numbers_of(state["usage"], state["pool"], state["agents"]),
    }


async def hand_back(state: EmbeddedState, _: Run[RetrieverContext]) -> Update:
    """Hand back what was found, and of cost and conversations only what is new."""
    new = {agent: said[state["said"].get(agent, 0) :] for agent, said in state["histories"].items()}
    return {
        "found": state["pool"],
        "histories": Overwrite({agent: messages for agent, messages in new.items() if messages}),
        "usage": Overwrite(usage_since(state["spent_so_far"], state["usage"])),
    }
