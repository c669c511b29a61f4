"""Executor, first of four: a thought on what the next step must do (Smurfs, eq. 2)."""

from __future__ import annotations

from pydantic import BaseModel, Field
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import api_line
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("think")


class Thought(BaseModel):
    """What is known and which tool helps, in a sentence or two."""

    thought: str = Field(max_length=300)


async def think(state: Executed, run: Run) -> Update:
    """Think over the tools left at this step, the local memory and the verifier's hint."""
    messages = _PROMPT.messages(
        tools=[api_line(api) for api in await run.apis(state["tool_lists"][-1])],
        known=state["known"],
        task=state["subtasks"][state["current"]],
        steps=state["trail"],
        hint=state["hint"],
    )
    decision, cost = await run.decide("think", Thought, messages, state)
    return {"thought": "" if decision is None else decision.thought, **cost}
