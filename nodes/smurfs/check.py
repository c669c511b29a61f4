"""The tool check, and the direct answer of a subtask that needs no tool (Smurfs, figure 8)."""

from __future__ import annotations

from typing import cast

from pydantic import BaseModel

from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.sight import before
from toolquiver.nodes.smurfs.state import AfterCheck, AfterReply, SmurfsState, task
from toolquiver.prompts import load_prompt

_CHECK, _REPLY = load_prompt("smurfs/check"), load_prompt("smurfs/reply")


class NeedsTool(BaseModel):
    """Why, and whether a tool is needed."""

    reason: str
    needs_tool: bool


class DirectAnswer(BaseModel):
    """An answer without a tool; empty where there is none."""

    answer: str


async def check(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Ask whether the subtask needs a tool, after what is known already. Without `tool_check` it does."""
    if not run.context.tool_check:
        return {"decided": "needs a tool"}
    messages = _CHECK.messages(query=state["query"], known=before(state["known"]), task=task(state), **clock(state))
    decision, cost = await run.decide("check", NeedsTool, messages, state)
    needs: AfterCheck = "needs a tool" if decision is None or decision.needs_tool else "needs no tool"
    return {**cost, "decided": needs}


async def reply(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Answer the subtask without a tool. Without an answer it goes on as one that needs a tool."""
    messages = _REPLY.messages(query=state["query"], known=before(state["known"]), task=task(state), **clock(state))
    decision, cost = await run.decide("reply", DirectAnswer, messages, state)
    said = decision.answer.strip() if decision else ""
    answered: AfterReply = "answered directly" if said else "needs a tool after all"
    return {**cost, "step_answer": said, "decided": answered}


def after_check(state: SmurfsState) -> AfterCheck:
    """The edge that the node has decided on."""
    return cast("AfterCheck", state["decided"])


def after_reply(state: SmurfsState) -> AfterReply:
    """The edge that the node has decided on."""
    return cast("AfterReply", state["decided"])
