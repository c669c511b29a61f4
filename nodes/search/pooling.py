"""The pool of candidates: what agents put into it, and whether it suffices (AnyTool, 4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from toolquiver.catalog import ApiId
from toolquiver.nodes.costs import after, refused
from toolquiver.nodes.judging.solvable import Equipped, solvable
from toolquiver.nodes.judging.voting import UNSURE
from toolquiver.nodes.search.agent_functions import APIS
from toolquiver.nodes.search.early_stop import run_until_stopped, stop_event
from toolquiver.nodes.search.turn import Turn

_NOT_ASKED = "This was not asked, for too few tokens were left. Ask again, or finish."


async def add_to_pool(turn: Turn, arguments: Mapping[str, Any]) -> str:
    """Put APIs into the pool: what fits of them, none twice, none removed; the agent hears what did not fit."""
    apis, unknown = await turn.apis(arguments, APIS)
    removed = [api.function for api in apis if api.id in turn.state["removed"]]
    new = fitting([api.id for api in apis], turn.pool, turn.state["removed"], turn.run.context.pool_size)
    turn.report["adds"] += new
    left = [api.function for api in apis if api.id not in [*turn.pool, *turn.state["removed"]]]
    full = f"No room for {', '.join(left)}." if left else ""
    room = turn.run.context.pool_size - len(turn.pool)
    gone = f"Removed before, because it did not help: {', '.join(removed)}." if removed else ""
    return " ".join(filter(None, [f"{len(new)} added, room for {room} more.", full, gone, unknown]))


def fitting(wanted: Sequence[ApiId], pool: Sequence[str], removed: Sequence[ApiId], size: int) -> list[ApiId]:
    """Of the APIs wanted, those that are new to the pool and fit into it."""
    new = [api for api in dict.fromkeys(wanted) if api not in pool and api not in removed]
    return new[: max(0, size - len(pool))]


async def check(turn: Turn, _: Mapping[str, Any]) -> str:
    """Whether the query can be solved with the pool; a yes ends the search for all.

    Where the agent's share of the budget does not hold the question, it has its next turn with all that is left.
    """
    turn.report["checked"] = len(turn.pool)
    if not turn.pool:
        return "No: the pool is empty."
    equipped, stop = _equipped(turn), stop_event(turn.state["round"])
    ruled, lost = await run_until_stopped(stop, turn.run, lambda metered: solvable(equipped, metered))
    if ruled is None:
        turn.spend(lost)
        return "Another agent has ended the search."
    turn.spend(ruled)
    if ruled["verdict"] == UNSURE and "stopped" in ruled and not refused(ruled):
        turn.report |= {"checked": 0, "unasked": turn.agent["kind"] != "plain"}  # that one reads on
        return _NOT_ASKED
    suffices = ruled["verdict"] == "solvable"
    turn.report["solvable"] = turn.report["solvable"] or suffices  # an earlier yes of the same turn holds
    return f"{'Yes' if suffices else 'No'}: {ruled['verdict_reason']}"


def _equipped(turn: Turn) -> Equipped:
    """The question with the pool as it is, and why it did not suffice before."""
    failures = "".join(f"\nThis was tried and failed: {reason}" for reason in turn.state["failures"])
    state = after(turn.state, turn.spent)
    return cast("Equipped", {**state, "query": f"{turn.state['query']}{failures}", "candidates": turn.pool})
