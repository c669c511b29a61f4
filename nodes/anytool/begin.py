"""The beginning of a run with search, solver, judge and reflection."""

from __future__ import annotations

from typing import Literal

from langgraph.types import Overwrite

from toolquiver.contexts import AnyToolContext
from toolquiver.nodes.anytool.state import AnyToolState
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run


async def begin(state: AnyToolState, run: Run[AnyToolContext]) -> Update:
    """Begin afresh, also on a thread that had a run before. Candidates that are given are the pool.

    Raises:
        InputError: the query is empty, or a candidate is not in the catalogue.
    """
    given = await candidates_given(state, run)
    return {
        "searches": given is None and await run.has_apis(),
        "approval": run.context.approval,
        "solver": run.context.solver,
        **{key: Overwrite({}) for key in ("usage", "histories")},
        **{key: Overwrite([]) for key in ("calls", "wakings")},
        **{key: [] for key in ("messages", "tree", "registered", "removed", "failures", "levels")},
        "agents": {},
        "found": given or [],
        "pool": [],
        "search_ends": search_ends(0, run),
        "solvable": False,
        "ended": "",
        "given_up": None,
        "verdict": "unsure",
        "verdict_reason": "",
        "passed": False,
        "reflections": 0,
        "gives_out": "",
        "best": None,
        "stopped": "",
        **NOT_ENDED,
    }


def search_ends(spent: int, run: Run[AnyToolContext]) -> int:
    """How many tokens may be spent in all when a search is over that begins now."""
    return spent + int((run.context.token_budget - spent) * run.context.retrieval_part)


def after_begin(state: AnyToolState) -> Literal["the agents search", "nothing to search"]:
    """Given candidates need no search, and a catalogue without an API allows none."""
    return "the agents search" if state["searches"] else "nothing to search"
