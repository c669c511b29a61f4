"""Tool check: does the query need a tool at all? (Smurfs, appendix D.)"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Answered
from toolquiver.prompts import load_prompt

from toolquiver.errors import InputError

_CHECK, _DIRECT = load_prompt("check"), load_prompt("direct")


class NeedsTool(BaseModel):
    """Whether a tool is needed."""

    needs_tool: bool


class DirectAnswer(BaseModel):
    """An answer out of the model's own knowledge."""

    answer: str


async def check(state: Answered, run: Run) -> Update:
    """Refuse an empty query; with `tool_check`, let the model say whether a tool is needed.

    Raises:
        InputError: the query is empty.
    """
    if not state.get("query", "").strip():
        raise InputError("The question is empty. Ask something.")
    fresh: Update = {"subtasks": [], "current": 0, "known": [], "stopped": "", "decided": "needs tools"}
    if not run.context.tool_check:
        return fresh
    decision, cost = await run.decide("check", NeedsTool, _CHECK.messages(query=state["query"]), state)
    direct = decision is not None and not decision.needs_tool
    return fresh | {"decided": "needs none" if direct else "needs tools", **cost}


def after_check(state: Answered) -> Literal["needs tools", "needs none"]:
    """A query that needs no tool is answered directly."""
    return "needs none" if state["decided"] == "needs none" else "needs tools"


async def reply(state: Answered, run: Run) -> Update:
    """Answer without tools."""
    decision, cost = await run.decide("reply", DirectAnswer, _DIRECT.messages(query=state["query"]), state)
    if decision is None:
        return {"answer": "", "status": "failed", "reason": "The model gave no answer.", **cost}
    return {
        "answer": decision.answer,
        "status": "solved",
        "reason": "Answered without tools.",
        **cost,
    }
