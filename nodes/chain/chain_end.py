"""The end of a reverse chain: the answer to all goals, or the plan."""

from __future__ import annotations

from toolquiver.nodes.answering import compose as composing
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.frames import ChainState
from toolquiver.nodes.chain.plan_text import undocumented
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Status

_PLANNED = "Planned, and nothing was called."


async def compose(state: ChainState, run: Run) -> Update:
    """One answer for all goals; the reason says what each goal lacked, and what stands in a description only."""
    update = await composing.compose(state, run)
    return update | {"reason": await _reason(_lacking(state) or update["reason"], state, run)}


async def show_plan(state: ChainState, run: Run) -> Update:
    """The plan as the answer, a line a goal; nothing was called."""
    every = len(state["known"]) == len(state["subtasks"]) and not state.get("unplanned")
    whole = every and all(found["solved"] for found in state["known"])
    status: Status = "solved" if whole else "partial"
    return {
        "answer": "\n".join(state["plan"]),
        "status": status if state["plan"] else "failed",
        "reason": await _reason(_lacking(state) or _PLANNED, state, run),
    }


async def _reason(said: str, state: ChainState, run: Run) -> str:
    return " ".join(filter(None, [said, await undocumented(state["frames"], run)]))


def _lacking(state: ChainState) -> str:
    if state["stopped"]:
        return state["stopped"]
    unplanned = [f"{question}." for question in composing.without_room(state)]
    return " ".join([*(found["answer"] for found in state["known"] if not found["solved"]), *unplanned])
