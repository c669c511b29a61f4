"""Solvability check: do the tools that search has found suffice, or must agents search? (AnyTool, 3.2 and 4.1.)"""

from __future__ import annotations

from typing import Literal, cast

from pydantic import BaseModel, create_model

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import api_line
from toolquiver.nodes.judging.solvable import Equipped, solvable
from toolquiver.nodes.loop.quiver_state import QuiverState
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.sureness import helps
from toolquiver.nodes.shapes import brief, one_of
from toolquiver.prompts import load_prompt

_HELPS = load_prompt("helps")
_NONE = "none"


class Help(BaseModel):
    """What is wanted, and the tool for it."""

    wants: str = brief(60)
    tool: str


async def suffices(state: QuiverState, run: Run) -> Update:
    """Ask the judge of tools about the pool; only a plain no wakes the agents, who are told the reason.

    Where the pool is all that there is or may be used, agents could find no more: then it is asked which of them helps.
    Without agents a plain no is the end.
    """
    if state["allowed"] is not None or len(state["pool"]) == await run.size():
        return await _any_helps(state, run)
    asked = cast("Equipped", {**state, "candidates": state["pool"]})
    ruled = await solvable(asked, run)
    cost: Update = {key: value for key, value in ruled.items() if key in ("usage", "stopped", "refused")}
    if ruled["verdict"] != "unsolvable":
        return {"solvable": ruled["verdict"] == "solvable", **cost}
    ended = {} if state["agents"] else {"pool": [], "decided": "no tool fits"}
    return {"solvable": False, "failures": [ruled["verdict_reason"]], **ended, **cost}


async def _any_helps(state: QuiverState, run: Run) -> Update:
    """Whether any tool does: asked which one, a small model does not refuse the right one, as a judge of all does.

    That one is believed where a rule finds it possible, and without an answer all are. What search has behind the first
    `top_k` is listed by name, and counts as found, as by an agent, where it is named.
    """
    apis = await run.apis(state["pool"])
    shape = create_model("Help", __base__=Help, tool=(one_of([*(api.function for api in apis), _NONE]), ...))
    shown = run.context.top_k if state["allowed"] is None else len(apis)
    near, far = apis[:shown], [api.function for api in apis[shown:]]
    messages = _HELPS.messages(tools=[*map(api_line, near), *far], query=state["query"])
    decision, cost = await run.decide("solvable", shape, messages, state)
    if decision is None:
        return {"solvable": False, **cost}
    named = next((api for api in apis if api.function == decision.tool), None)
    if named and helps(named, decision.wants, state["query"], apis, await run.hits(state["query"])):
        found = [named.id] if named.function in far else []
        return {"solvable": True, "found": found, **cost}
    return {"solvable": False, "pool": [], "decided": "no tool fits", **cost}


def after_suffices(state: QuiverState) -> Literal["they suffice", "they do not", "no tool fits"]:
    """Without a reason against the pool it is worked with."""
    if state["decided"] == "no tool fits":
        return "no tool fits"
    return "they do not" if state["failures"] else "they suffice"
