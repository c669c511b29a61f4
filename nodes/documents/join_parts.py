"""Join: what a tool is for whose document was not described as a whole, from the lines of all its functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, Field

from toolquiver.catalog import API
from toolquiver.catalog.condense import condensed
from toolquiver.catalog.instruction import LONGEST_LINE, purpose_by_rule
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.ask import ask
from toolquiver.nodes.documents.describe_tool import line_of, unwritten_with
from toolquiver.nodes.documents.documenting import WHOLE, EasyToolState
from toolquiver.nodes.documents.open_document import tool_apis
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("join_parts")
_MOST_LINES = 60
_LONGEST = 1_000  # characters of the tool's own description


class Joined(BaseModel):
    """What the tool is for."""

    purpose: str = Field(min_length=1, max_length=LONGEST_LINE)


async def join_parts(state: EasyToolState, run: Run) -> Update:
    """Say what the whole tool is for; without a valid answer, what its documentation begins with."""
    apis = await tool_apis(state, run)
    messages = joined_from(apis, state["lines"].values())
    decision, cost, too_long = await ask("describe_tool", Joined, messages, state, run)
    purpose = line_of(decision.purpose if decision else "", state["tool"])
    unwritten = unwritten_with(state, {WHOLE: purpose}, too_long, cost)
    return {"purpose": purpose or purpose_by_rule(apis).purpose, "unwritten": unwritten, **cost}


def after_join(state: EasyToolState) -> Literal["described", "no function"]:
    """Whether a function is left: what only the whole is for may be all that was to be written."""
    return "described" if state["todo"] else "no function"


def joined_from(apis: Sequence[API], lines: Iterable[str]) -> list[BaseMessage]:
    """The question to the model, about a tool whose functions have these lines; of many it is told how many more."""
    about = condensed(apis[0].tool_description, _LONGEST, apis[0].tool)
    every = list(lines)
    shown, more = every[:_MOST_LINES], every[_MOST_LINES:]
    left_out = [f"and {len(more):,} more functions, which are left out here"] if more else []
    return _PROMPT.messages(tool=apis[0].tool, about=about, documents=shown + left_out)
