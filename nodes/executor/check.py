"""Tool check: does the query need a tool at all? (Smurfs, appendix D.)"""

from __future__ import annotations

from typing import Literal

from langgraph.types import Overwrite
from pydantic import BaseModel

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.question import candidates_given, must_call
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState
from toolquiver.prompts import load_prompt

_CHECK, _DIRECT = load_prompt("check"), load_prompt("direct")


class NeedsTool(BaseModel):
    """Whether a tool is needed."""

    needs_tool: bool


class DirectAnswer(BaseModel):
    """An answer out of the model's own knowledge."""

    answer: str


async def check(state: ExecutorState, run: Run) -> Update:
    """Begin a run afresh, also on a thread that had one before; refuse an empty query.

    With `tool_check` the model says whether a tool is needed.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or `plan_only` is set.
    """
    must_call(run)
    given = await candidates_given(state, run)
    fresh: Update = {
        "approval": run.context.approval,
        "allowed": given,
        "subtasks": [],
        "current": 0,
        "known": [],
        "unplanned": [],
        "expansions": {},
        "lookups": {},
        "reused": {},
        "siblings": {},
        "drafts": {},
        "registered": [],
        "stopped": "",
        "decided": "needs tools",
        "history": Overwrite([]),
        "chained": Overwrite([]),
        **NOT_ENDED,
        "responses": Overwrite([]),
        "calls": Overwrite([]),
        "usage": Overwrite({}),
    }
    if not run.context.tool_check:
        return fresh
    asked: ExecutorState = {**state, "usage": {}, "stopped": ""}
    decision, cost = await run.decide("check", NeedsTool, _CHECK.messages(query=state["query"]), asked)
    direct = decision is not None and not decision.needs_tool
    decided = "needs none" if direct else "needs tools"
    return fresh | cost | {"decided": decided, "usage": Overwrite(cost.get("usage", {}))}


def after_check(state: ExecutorState) -> Literal["needs tools", "needs none"]:
    """A query that needs no tool is answered directly."""
    return "needs none" if state["decided"] == "needs none" else "needs tools"


async def reply(state: ExecutorState, run: Run) -> Update:
    """Answer without tools."""
    decision, cost = await run.decide("reply", DirectAnswer, _DIRECT.messages(query=state["query"]), state)
    if decision is None or not decision.answer.strip():
        return {"answer": "", "status": "failed", "reason": cost.get("stopped", "The model gave no answer."), **cost}
    return {
        "answer": decision.answer,
        "status": "solved",
        "reason": "Answered without tools.",
        **cost,
    }
