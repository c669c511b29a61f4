"""Planning agent: the query as subtasks that one tool each can do (Smurfs, 3.3)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import api_line
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Answered
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("plan")

Subtask = Annotated[str, Field(min_length=3, max_length=240)]


class Plan(BaseModel):
    """The subtasks, in the order in which they are to be done."""

    subtasks: list[Subtask] = Field(min_length=1, max_length=6)


async def plan(state: Answered, run: Run) -> Update:
    """Split the query; the query itself is the only subtask when the planner is off or gives nothing valid."""
    query = state["query"]
    if not run.context.planner:
        return {"subtasks": [query]}
    ids = state.get("candidates") or await run.search(query, run.context.top_k)
    tools = [api_line(api) for api in await run.apis(ids)]
    decision, cost = await run.decide("plan", Plan, _PROMPT.messages(query=query, tools=tools), state)
    subtasks = [query] if decision is None else list(dict.fromkeys(decision.subtasks))
    return {"subtasks": subtasks[: run.context.max_subtasks], **cost}
