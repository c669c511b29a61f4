"""Executor, first of four: a thought on what the next step must do (Smurfs, eq. 2)."""

from __future__ import annotations

from pydantic import BaseModel

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import step_view
from toolquiver.nodes.executor.choosable import choosable
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import brief
from toolquiver.nodes.state import ExecutorState, resumed
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("think")


class Thought(BaseModel):
    """What the next step must find out, in a sentence."""

    thought: str = brief(120)


async def think(state: ExecutorState, run: Run) -> Update:
    """Think over the tools left at this step, the local memory and the verifier's hint, where there is a choice."""
    first = not (state["trail"] or state["hint"])
    if not run.context.thinker or (first and not run.context.think_first) or resumed(state):
        return {"thought": ""}
    apis = await choosable(state, run)
    if len(apis) == 1:
        return {"thought": ""}
    messages = _PROMPT.messages(**step_view(state, apis, await run.registering(apis)))
    decision, cost = await run.decide("think", Thought, messages, state)
    return {"thought": "" if decision is None else decision.thought, **cost}
