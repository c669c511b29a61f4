"""Rollback: what follows from a failed call is a rule, never the model's choice (Smurfs, 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import HumanMessage

from toolquiver.calling import FailureKind
from toolquiver.catalog import ApiId
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.sight import names_of
from toolquiver.nodes.quiver.state import Made, QuiverState, call_with, trail
from toolquiver.nodes.run import Run

MENDED_BY_ARGUMENTS: frozenset[FailureKind] = frozenset(["invalid_arguments", "not_found", "tool_error", "blocked"])
"""Failures that other arguments may mend: the API stays for a few tries."""
TRIES = 3
"""Failures of one API in one step, until it leaves the list of the step all the same."""
CHOICES = 3
"""APIs that may leave a step before the call before it goes too: what suits a step is fewer than all that is known."""
_FAILED = "{problem}\n{stays} Variables that were set before are kept. Write the program from that line on."
_STAYS = "Another call may mend that."
_LEAVES = "{api} cannot be used for this step any more. Use another function, or search for one."
_STEP_BACK = (
    "{problem}\nThis step has failed in each way tried. The result of {api} before it is set aside; do that step in"
    " another way."
)


def step_of(state: QuiverState) -> int:
    """The step that the run is at: the number of calls in its trail."""
    return len(trail(state))


def banned_at(banned: Sequence[Sequence[ApiId]], step: int, api: ApiId) -> list[list[ApiId]]:
    """The lists with an API gone at this step. Those of later steps are forgotten: a new step has a fresh list."""
    lists = [list(one) for one in banned[: step + 1]]
    lists += [[] for _ in range(step + 1 - len(lists))]
    lists[step] = [*lists[step], *([] if api in lists[step] else [api])]
    return lists


def leaves(failed: Made, before: Sequence[Made]) -> bool:
    """Whether an API leaves its step: other arguments cannot mend it, or it has failed so often there."""
    again = sum(call["api"] == failed["api"] for call in before)
    return failed["failure"] not in MENDED_BY_ARGUMENTS or again >= TRIES


async def rollback(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Take what failed off the list of its step; with none left there, take the call before off too.

    The list of a step is empty when all that the planner knows has left it, or, unless it is the first, `CHOICES` APIs.
    The planner is told what failed, why, and what goes with it. It writes the rest.
    """
    steps, problem, banned, update = trail(state), state["problem"], state["banned"], Update()
    steps_back = state["decided"] == "the step before goes too"
    last = steps.pop() if steps_back else call_with(state["calls"], state["failed"])
    assert last is not None
    if steps_back:
        update["set_aside"] = [*state["set_aside"], last["request"]]
    gone = [last["api"]] if steps_back else _gone(last, state)
    for api in gone:
        banned = banned_at(banned, len(steps), api)
    update["banned"] = banned
    if last["api"] not in gone:
        return update | _told(_FAILED.format(problem=problem, stays=_STAYS))
    if set(state["pool"]) <= set(banned[-1]) or (steps and len(banned[-1]) >= CHOICES):
        return update | {"decided": "the step before goes too" if steps else "nothing left", "reason": problem}
    name = (await names_of(state, run)).get(last["api"], last["api"])
    if steps_back:
        return update | _told(_STEP_BACK.format(problem=problem, api=name))
    return update | _told(_FAILED.format(problem=problem, stays=_LEAVES.format(api=name)))


def _gone(failed: Made, state: QuiverState) -> list[ApiId]:
    """The APIs that leave the step: of the call that stopped the program, and of failures that it caught."""
    here = _failures_here(state)
    caught = [call for call in here if call["program"] == failed["program"] and call["request"] != failed["request"]]
    return [call["api"] for call in [*caught, failed] if leaves(call, here)]


def _failures_here(state: QuiverState) -> list[Made]:
    """The calls that failed since the last one that answered."""
    found: list[Made] = []
    for call in state["calls"]:
        found = [] if call["ok"] else [*found, call]
    return found


def _told(text: str) -> Update:
    return {"messages": [HumanMessage(text)], "decided": "the rest is planned anew"}
