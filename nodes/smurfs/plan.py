"""The planning agent: the request as subtasks that one tool each can do (Smurfs, 3.3)."""

from __future__ import annotations

from typing import Annotated

from langgraph.types import Overwrite
from pydantic import BaseModel, Field, StringConstraints, create_model

from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock, clock_at
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.state import SmurfsState
from toolquiver.nodes.state import Budgeted
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("smurfs/plan")

Subtask = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Plan(BaseModel):
    """The subtasks, in the order in which they are to be done; none where the request is one itself."""

    subtasks: list[Subtask]


async def plan(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Begin a run afresh, and split the request by one question to the planner. Its list is used as it is.

    The request is the only subtask without the planner, and where the planner does not split it.

    Raises:
        InputError: the request is empty, a candidate is not in the catalogue, there is no such time zone, or the
            budget is too small for the first question.
    """
    given = await candidates_given(state, run)
    began = clock_at(run.context.today, run.context.time_zone)
    fresh: Update = {
        "approval": run.context.approval,
        "allowed": given,
        **began,
        "subtasks": [state["query"]],
        "current": 0,
        **{key: [] for key in ("known", "pool", "tool_lists", "trail", "registered", "missing")},
        **dict.fromkeys(("hint", "thought", "step_answer", "decided", "stopped"), ""),
        **{key: Overwrite([]) for key in ("history", "calls")},
        "usage": Overwrite({}),
        "chosen": None,
        "arguments": None,
        "returned": 0,
        **NOT_ENDED,
    }
    if not run.context.planner:
        return fresh
    subtasks = (list[Subtask], Field(max_length=run.context.max_subtasks))
    shape = create_model("Plan", __base__=Plan, subtasks=subtasks)
    messages = _PROMPT.messages(query=state["query"], most=str(run.context.max_subtasks), **clock(began))
    budget = Budgeted(usage={}, spent_before=state.get("spent_before", 0), stopped="")
    decision, cost = await run.decide("plan", shape, messages, budget)
    found = decision.subtasks if decision else []
    return fresh | cost | {"subtasks": found or [state["query"]], "usage": Overwrite(cost.get("usage", {}))}
