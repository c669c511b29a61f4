"""The pool of candidates: what agents put into it, and whether it suffices (AnyTool, 4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from toolquiver.catalog import ApiId
from toolquiver.nodes.costs import after
from toolquiver.nodes.judging.solvable import Equipped, solvable
from toolquiver.nodes.search.agent_functions import APIS
from toolquiver.nodes.search.desk import Desk
from toolquiver.nodes.search.early_stop import bell, unless


async def add_to_pool(desk: Desk, arguments: Mapping[str, Any]) -> str:
    """Put APIs into the pool: what fits of them, none twice, none removed; the agent hears what did not fit."""
    apis, unknown = await desk.apis(arguments, APIS)
    removed = [api.function for api in apis if api.id in desk.state["removed"]]
    new = fitting([api.id for api in apis], desk.pool, desk.state["removed"], desk.run.context.pool_size)
    desk.report["adds"] += new
    left = [api.function for api in apis if api.id not in [*desk.pool, *desk.state["removed"]]]
    full = f"No room for {', '.join(left)}." if left else ""
    room = desk.run.context.pool_size - len(desk.pool)
    gone = f"Removed before, because it did not help: {', '.join(removed)}." if removed else ""
    return " ".join(filter(None, [f"{len(new)} added, room for {room} more.", full, gone, unknown]))


def fitting(wanted: Sequence[ApiId], pool: Sequence[str], removed: Sequence[ApiId], size: int) -> list[ApiId]:
    """Of the APIs wanted, those that are new to the pool and fit into it."""
    new = [api for api in dict.fromkeys(wanted) if api not in pool and api not in removed]
    return new[: max(0, size - len(pool))]


async def check(desk: Desk, _: Mapping[str, Any]) -> str:
    """Whether the query can be solved with the pool; a yes ends the search for all."""
    desk.report["checked"] = len(desk.pool)
    if not desk.pool:
        return "No: the pool is empty."
    equipped, rung = _equipped(desk), bell(desk.state["round"])
    ruled, lost = await unless(rung, desk.run, lambda metered: solvable(equipped, metered))
    if ruled is None:
        desk.spend(lost)
        return "Another agent has ended the search."
    desk.spend(ruled)
    suffices = ruled["verdict"] == "solvable"
    desk.report["solvable"] = desk.report["solvable"] or suffices  # an earlier yes of the same turn holds
    return f"{'Yes' if suffices else 'No'}: {ruled['verdict_reason']}"


def _equipped(desk: Desk) -> Equipped:
    """The question with the pool as it is, and why it did not suffice before."""
    failures = "".join(f"\nThis was tried and failed: {reason}" for reason in desk.state["failures"])
    state = after(desk.state, desk.spent)
    return cast("Equipped", {**state, "query": f"{desk.state['query']}{failures}", "candidates": desk.pool})
