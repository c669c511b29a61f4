"""ReAct: think, call, observe, until the model ends (EcoAct, figure 1; the CoT solver of AnyTool, 4.2)."""

from __future__ import annotations

from typing import cast

from langchain_core.messages import HumanMessage
from langgraph.types import Overwrite, Send

from toolquiver.contexts import SolverContext
from toolquiver.models.turn import never_empty
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.solver.offer import ANSWER, GIVE_ANSWER, GIVE_UP, GIVING_UP
from toolquiver.nodes.solver.register import registered_after
from toolquiver.nodes.solver.state import AfterAct, AfterObserve, SolverState, requested
from toolquiver.nodes.solver.turn import EMPTY, answers_to, read, take

_ENDS = (ANSWER, GIVE_UP)


async def act(state: SolverState, run: Run[SolverContext]) -> Update:
    """Take the next turn: requests, an answer, or giving up. In the last turn the model can only end.

    An empty reply is told once; a second one is the end.
    """
    before, last = state["messages"], state["turn"] + 1 >= run.context.max_steps
    message, update = await take("act", before, state, run, ends=[GIVE_ANSWER, GIVING_UP], last=last)
    if message is None:
        return update
    said = read(message, await run.apis(state["pool"]), _ENDS, before)
    if said["decided"] == "acts":
        return {**update, **said, "messages": [message]}
    if said["decided"] == "says nothing":
        if last or (before and before[-1].text == EMPTY):
            return {**update, "decided": "no answer came"}
        return {**update, **said, "messages": [never_empty(message), HumanMessage(EMPTY)]}
    return {**update, **said}


def after_act(state: SolverState) -> list[Send] | AfterAct:
    """A node visit for each request, side by side; every end leads to the finish."""
    if state["decided"] == "acts":
        return cast("list[Send] | AfterAct", requested(state))
    return "says nothing" if state["decided"] == "says nothing" else "ends"


async def observe(state: SolverState, run: Run[SolverContext]) -> Update:
    """Answer each request of the turn in the conversation, good ones and bad ones."""
    enough = state["turn"] >= run.context.max_steps
    return {
        **registered_after(state),
        "messages": answers_to(state),
        "requests": [],
        "outcomes": Overwrite([]),
        "decided": "the steps are used up" if enough else "next turn",
    }


def after_observe(state: SolverState) -> AfterObserve:
    """On to the next turn, unless that was the last."""
    return cast("AfterObserve", state["decided"])
