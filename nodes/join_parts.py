"""Join: what a tool is for whose document was read in parts, from the lines of all its functions."""

from __future__ import annotations

from pydantic import BaseModel, Field

from toolquiver.catalog.instruction import LONGEST_LINE
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe_tool import line_of
from toolquiver.nodes.documenting import Documenting
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("join_parts")
_MOST_LINES = 60


class Joined(BaseModel):
    """What the tool is for."""

    purpose: str = Field(min_length=1, max_length=LONGEST_LINE)


async def join_parts(state: Documenting, run: Run) -> Update:
    """Say anew what the whole tool is for; without a valid answer, what the first part came to stays."""
    lines = list(state["lines"].values())[:_MOST_LINES]
    messages = _PROMPT.messages(tool=state["tool"], about=state["purpose"], documents=lines)
    decision, cost = await run.decide("describe_tool", Joined, messages, state)
    return {"purpose": line_of(decision.purpose if decision else "", state["purpose"], state["tool"]), **cost}
