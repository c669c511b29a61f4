"""The beginning of a run of one agent: the APIs it may use, those given or those that search finds."""

from __future__ import annotations

from typing import Literal

from langgraph.types import Overwrite

from toolquiver.catalog import ApiId
from toolquiver.nodes.approve import approval_of
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.dialogue import SolverState, as_messages
from toolquiver.nodes.question import candidates_given, must_call
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.expand import expanded
from toolquiver.nodes.state import Query
from toolquiver.registration import Registered


async def gather(state: SolverState, run: Run) -> Update:
    """Begin afresh, also on a thread that had a run before; APIs that need no registration are callable at once.

    What was said before, if anything is handed over, goes on, and what it says is registered still is.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or `plan_only` is set.
    """
    must_call(run)
    given = await candidates_given(state, run)
    return {**await _gathered(state, given, run), "approval": run.context.approval}


async def gather_handed(state: SolverState, run: Run) -> Update:
    """The same within another graph: the APIs are those of its pool, and whoever asked there is asked here."""
    must_call(run)
    given = await candidates_given(Query(query=state["query"], candidates=state["pool"]), run)
    return {**await _gathered(state, given, run), "approval": approval_of(state, run)}


async def _gathered(state: SolverState, given: list[ApiId] | None, run: Run) -> Update:
    query = state["query"]
    fresh: Update = {
        "allowed": given,
        "subtasks": [query],
        "expansions": {},
        "spent_before": state.get("spent") or 0,
        "messages": Overwrite(as_messages(state.get("earlier") or [])),
        "made_before": state.get("made") or [],
        "calls": Overwrite([]),
        "requests": [],
        "turn": 0,
        "stopped": "",
        "decided": "",
        **NOT_ENDED,
    }
    begun: SolverState = {
        **state,
        "allowed": given,
        "expansions": {},
        "usage": {},
        "spent_before": fresh["spent_before"],
        "stopped": "",
    }
    text, cost = await expanded(query, begun, run)
    apis = await run.search(text) if given is None else await run.apis(given)
    before, everything = state.get("registered_before") or [], (await run.registering(apis)).mode == "all"
    free = [api for api in apis if everything or api.id in before]
    return {
        **fresh,
        **cost,
        "usage": Overwrite(cost.get("usage", {})),
        "pool": [api.id for api in apis],
        "registered": [Registered(api=api.id, since=0, until=None) for api in free],
    }


def after_gather(state: SolverState) -> Literal["tools found", "no tool fits"]:
    """Without a tool there is nothing to do."""
    return "tools found" if state["pool"] else "no tool fits"
