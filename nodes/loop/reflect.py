"""Reflection: why was the query not solved, and what follows from it? (AnyTool, 4.3)"""

from __future__ import annotations

from typing import Literal

from toolquiver.models import tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.loop.anytool_state import AnyToolState, stands_on_failed
from toolquiver.nodes.loop.set_out import search_ends
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.filling import added_by
from toolquiver.nodes.search.telling import told
from toolquiver.nodes.waking import LEVELS, next_level

_LEAST = 1_000  # tokens: with less nothing can come of another try
_WOKEN: dict[str, int] = {"none": 0, "tools": 1, "categories": 2, "all": 3}


async def reflect(state: AnyToolState, run: Run) -> Update:
    """Take the reason from the judge or from the solver, and tell it to all agents that have not finished.

    The APIs that the solver named as failed leave the pool for good. Nobody is woken where there is nothing to add: all
    that the catalogue has was in the pool, or what agents have found fills it. What search has filled in gives way. At
    the limit of reflections, or of the budget, it ends instead.
    """
    spent = tokens(state["usage"])
    best = {"best": state["answer"].strip() or state["best"]}
    if state["stopped"]:  # by the budget, or by what a model cannot or may not read: that is told beside it
        return {**best, "decided": "no model may be asked any more"}
    if run.context.token_budget - spent < _LEAST:
        return {**best, "decided": "the budget is spent"}
    if state["reflections"] >= run.context.max_reflections:
        return {**best, "decided": "the reflections are used up"}
    given_up, reason = state["given_up"], state["verdict_reason"]
    if given_up and not reason:
        reason = given_up["reason"]
    failed = given_up["failed"] if given_up else []
    if stands_on_failed(state):
        best = {"best": ""}
    pool = [api for api in state["pool"] if api not in failed]
    removed = [*state["removed"], *(api for api in failed if api not in state["removed"])]
    full = len(added_by(state["agents"]) - set(removed)) >= run.context.pool_size
    all_seen = len({*pool, *removed}) >= await run.size()
    return {
        **best,
        "reflections": state["reflections"] + 1,
        "failures": [*state["failures"], reason or state["reason"]],
        "pool": pool,
        "removed": removed,
        "histories": {
            agent["id"]: [told(reason or state["reason"])]
            for agent in state["agents"].values()
            if agent["status"] != "finished" and state["histories"].get(agent["id"])
        },
        "levels": [] if full or all_seen else list(LEVELS[: _WOKEN[run.context.reactivated]]),
        "retrieval_ends": search_ends(spent, run),
        "solvable": False,
        "decided": "tries again",
    }


async def reflect_or_end(state: AnyToolState, run: Run) -> Update:
    """The same, but where nothing can come of another try, because all is as it was, it ends.

    That is so when no agent is left to wake, and there is no pool, or the solver was told this reason with these APIs.
    """
    update = await reflect(state, run)
    if update["decided"] != "tries again" or next_level(state["agents"], update["levels"]):
        return update
    if _told_before(state, update) or not (update["pool"] or run.context.least_pool):
        kept = {key: update[key] for key in ("best", "pool", "removed")}
        return {**kept, "decided": "no agent is left to wake, and there is nothing new to try"}
    return update


def _told_before(state: AnyToolState, update: Update) -> bool:
    """Whether a try with these APIs, for this reason, was made already."""
    return update["removed"] == state["removed"] and update["failures"][-1] in state["failures"]


def after_reflect(
    state: AnyToolState,
) -> Literal["tool agents first", "category agents first", "meta agent first", "no agent to wake", "at the limit"]:
    """The agents nearest to the APIs are woken first; the solver tries again alone where there is none."""
    if state["decided"] != "tries again":
        return "at the limit"
    level = next_level(state["agents"], state["levels"])
    if level == "tool":
        return "tool agents first"
    if level == "category":
        return "category agents first"
    return "meta agent first" if level else "no agent to wake"
