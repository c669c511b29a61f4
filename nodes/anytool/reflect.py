"""Self-reflection: why was the query not solved, who is woken, and what is delivered in the end? (AnyTool, 4.3)"""

from __future__ import annotations

from typing import Literal

from toolquiver.contexts import AnyToolContext
from toolquiver.models import tokens
from toolquiver.nodes.anytool.begin import search_ends
from toolquiver.nodes.anytool.state import AnyToolState, Best, LoopEnd
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.search_io import EMPTY, numbers_of
from toolquiver.nodes.waking import LEVELS, next_level

_LEAST = 1_000  # tokens: with less nothing can come of another try
_WOKEN: dict[str, int] = {"none": 0, "tools": 1, "categories": 2, "all": 3}
_WHY_ENDED: dict[LoopEnd, str] = {
    "": "",
    "reflections": "the reflections are used up",
    "budget": "the budget is spent",
    "nobody": "no agent is left to wake, and no API",
}
_RANK = {"solved": 2, "unsure": 1, "unsolved": 0}


async def reflect(state: AnyToolState, run: Run[AnyToolContext]) -> Update:
    """Take the reason from the judge or the solver, and say which levels of agents may be woken.

    The APIs that the solver named as failed or irrelevant leave the pool for good. Nobody is woken for a pool that is
    still full. At the limit of reflections or of the budget it ends instead.
    """
    given_up = state["given_up"]
    failed = given_up["failed"] if given_up else []
    pool = [api for api in state["pool"] if api not in failed]
    levels = list(LEVELS[: _WOKEN[run.context.reactivated]]) if len(pool) < run.context.pool_size else []
    ends: LoopEnd = ""
    if state["stopped"] or run.left(state) < _LEAST:
        ends = "budget"
    elif state["reflections"] >= run.context.max_reflections:
        ends = "reflections"
    elif not pool and not next_level(state["agents"], levels):
        ends = "nobody"
    update: Update = {
        "best": _better(state),
        **dict.fromkeys(("found", "pool"), pool),
        "removed": [*state["removed"], *(api for api in failed if api not in state["removed"])],
        "gives_out": ends,
    }
    if ends:
        return update
    reason = given_up["reason"] if given_up else state["verdict_reason"]
    return update | {
        "reflections": state["reflections"] + 1,
        "failures": [*state["failures"], reason or state["reason"]],
        "levels": levels,
        "search_ends": search_ends(tokens(state["usage"]), run),
        "solvable": False,
    }


def after_reflect(
    state: AnyToolState,
) -> Literal["tool agents first", "category agents first", "meta agent first", "no agent to wake", "at the limit"]:
    """The agents nearest to the APIs are woken first; the solver tries again alone where there is none."""
    if state["gives_out"]:
        return "at the limit"
    level = next_level(state["agents"], state["levels"])
    if level == "tool":
        return "tool agents first"
    if level == "category":
        return "category agents first"
    return "meta agent first" if level else "no agent to wake"


def after_search(state: AnyToolState) -> Literal["category agents next", "meta agent next", "the search is over"]:
    """Once all agents are done with theirs, the level above is woken, if it may be; then the solver goes on."""
    level = next_level(state["agents"], state["levels"]) if state["ended"] == "done" else None
    if level is None:
        return "the search is over"
    return "meta agent next" if level == "meta" else "category agents next"


def _better(state: AnyToolState) -> Best | None:
    """The better of the last answer and the best so far, by verdict; of two alike the last.

    What a solver knew when it gave up is an answer too; nobody has judged it, and it does not solve the query.
    """
    answer, before = state["answer"].strip(), state["best"]
    if not answer:
        return before
    verdict = "unsolved" if state["given_up"] else state["verdict"]
    if before and _RANK[before["verdict"]] > _RANK[verdict]:
        return before
    return Best(answer=answer, verdict=verdict)


async def deliver(state: AnyToolState, run: Run[AnyToolContext]) -> Update:
    """The answer that was judged to solve the query, else the best of all tries; and why it ended."""
    numbers = {"numbers": numbers_of(state["usage"], state["pool"], state["agents"], state["reflections"])}
    if state["passed"]:
        return {"status": "solved", "reason": state["verdict_reason"], **numbers}
    best = state["best"]
    if not state["pool"] and not await run.has_apis():
        return {"answer": "", "status": "failed", "reason": EMPTY, **numbers}
    why = state["stopped"] or state["verdict_reason"] or state["reason"]
    if not state["pool"] and state["ended"] == "budget":
        why = "The search had too few tokens to find an API. Raise token_budget."
    return {
        "answer": best["answer"] if best else "",
        "status": "partial" if best else "failed",
        "reason": f"Not solved, and {_WHY_ENDED[state['gives_out']]}. {why}",
        **numbers,
    }
