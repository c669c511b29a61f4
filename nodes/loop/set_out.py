"""The beginning of a run with search, solver and reflection."""

from __future__ import annotations

from langgraph.types import Overwrite

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.loop.anytool_state import AnyToolState
from toolquiver.nodes.question import must_call
from toolquiver.nodes.run import Run
from toolquiver.nodes.search.begin import begin


async def set_out(state: AnyToolState, run: Run) -> Update:
    """Begin afresh, also on a thread that had a run before. The search may spend a part of the budget.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or `plan_only` is set.
    """
    must_call(run)
    begun = await begin(state, run)
    return {
        **begun,
        "approval": run.context.approval,
        "retrieval_ends": search_ends(0, run),
        "calls": Overwrite([]),
        "messages": [],
        "tree": [],
        "registered": [],
        "given_up": None,
        **unjudged(),
    }


def unjudged() -> Update:
    """Nothing is judged yet, and nothing reflected on."""
    return {
        "reflections": 0,
        "levels": [],
        "wakings": Overwrite([]),
        "best": "",
        "passed": False,
        "verdict": "unsure",
        "verdict_reason": "",
    }


def search_ends(spent: int, run: Run) -> int:
    """How many tokens may be spent in all when a search is over that begins now."""
    return spent + int((run.context.token_budget - spent) * run.context.retrieval_part)
