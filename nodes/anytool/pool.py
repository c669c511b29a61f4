"""The pool that all agents fill, and the check whether it suffices (AnyTool, 4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import ToolMessage

from toolquiver.catalog import ApiId
from toolquiver.contexts import RetrieverContext
from toolquiver.models import tokens
from toolquiver.nodes.agents import parked
from toolquiver.nodes.anytool.sight import Said
from toolquiver.nodes.anytool.state import Checked, SearchEnd, SearchState
from toolquiver.nodes.anytool.turn import Turn
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after
from toolquiver.nodes.run import Run
from toolquiver.nodes.solvability import solvability

_NOT_ASKED = "This could not be asked. Go on, or finish."
SUFFICES: SearchEnd = "the pool suffices"


def add_to_pool(turn: Turn, arguments: Mapping[str, Any]) -> Said:
    """add_API_into_API_pool: takes what fits, none twice, none that was removed; the agent hears what did not fit."""
    apis, unknown = turn.sight.apis_named(arguments)
    removed, report = turn.state["removed"], turn.report
    pool = [*turn.state["pool"], *report["adds"]]
    new = fitting([api.id for api in apis], pool, removed, turn.run.context.pool_size)
    report["adds"] += new
    left = [api for api in apis if api.id not in {*pool, *new, *removed}]
    report["left_out"] += [api.id for api in left]
    gone = [api.function for api in apis if api.id in removed]
    told = [
        f"{len(new)} added; the pool has room for {turn.run.context.pool_size - len(pool) - len(new)} more.",
        f"No room for {', '.join(api.function for api in left)}." if left else "",
        f"Removed earlier, because it did not help: {', '.join(gone)}." if gone else "",
        unknown,
    ]
    return Said(" ".join(filter(None, told)), valid=not unknown)


def fitting(wanted: Sequence[ApiId], pool: Sequence[ApiId], removed: Sequence[ApiId], size: int) -> list[ApiId]:
    """Of the APIs wanted, those that are new to the pool and fit into it."""
    new = [api for api in dict.fromkeys(wanted) if api not in pool and api not in removed]
    return new[: max(0, size - len(pool))]


async def check(state: SearchState, run: Run[RetrieverContext]) -> Update:
    """check_if_request_solvable: one question about the one pool, answered to all agents that have asked.

    A yes parks all agents. The same pool is not asked about twice, unless a try has failed since.
    """
    known = {"pool": state["pool"], "failures": len(state["failures"])}
    last, cost, suffices = state["checked"], Update(), False
    if not state["pool"]:
        answer = "No: the pool is empty."
    elif last and known == {key: last[key] for key in known}:  # type: ignore[literal-required]
        answer = last["answer"]
    else:
        budget = after(state, {"spent_before": run.context.token_budget - state["search_ends"]})
        ruled = await solvability(
            state["query"], await run.apis(state["pool"]), budget, run, failures=state["failures"]
        )
        cost = {"usage": ruled.get("usage", {})}
        suffices = ruled["verdict"] == "solvable"
        answer = f"{'Yes' if suffices else 'No'}: {ruled['verdict_reason']}"
        if "stopped" in ruled:
            answer = _NOT_ASKED
    told = {agent: [ToolMessage(answer, tool_call_id=one) for one in ids] for agent, ids in state["asking"].items()}
    told.pop("plain", None)  # that one reads on
    agents = {name: parked(agent, SUFFICES) if suffices else agent for name, agent in state["agents"].items()}
    return {
        **cost,
        "agents": agents,
        "histories": told,
        "asking": {},
        "checked": Checked(pool=state["pool"], failures=len(state["failures"]), answer=answer),
        "solvable": suffices,
        "ended": SUFFICES if suffices else "",
    }


def after_check(state: SearchState) -> Literal["it suffices", "it does not"]:
    """A yes ends the search for all."""
    return "it suffices" if state["solvable"] else "it does not"


def left_for_search(state: SearchState, run: Run[RetrieverContext]) -> int:
    """The tokens that the search may still spend."""
    return min(run.context.token_budget, state["search_ends"]) - tokens(state["usage"])
