"""Describe tool: what it is for, and each of its functions in a line (EasyTool, 4.1).

What is too long or says nothing is replaced by the documentation, condensed by rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, Field

from toolquiver.catalog import API
from toolquiver.catalog.condense import condensed
from toolquiver.catalog.instruction import LONGEST_LINE, by_rule, purpose_by_rule
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documenting import Documenting, documented
from toolquiver.nodes.open_document import tool_apis
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("describe_tool")


class Description(BaseModel):
    """What a tool is for, and what each function does."""

    purpose: str = Field(max_length=LONGEST_LINE)
    functions: dict[str, str]


async def describe_tool(state: Documenting, run: Run) -> Update:
    """Describe the next part of the document; the first part that says what the tool is for decides that."""
    part, *parts = state["parts"]
    every = await tool_apis(state, run)
    apis = [api for api in every if api.id in part]
    decision, cost = await run.decide("describe_tool", described_as(apis), described_from(apis), state)
    said = decision.functions if decision else {}
    lines = {api.id: line_of(said.get(api.function, ""), by_rule(api).description, api.name) for api in apis}
    purpose = state["purpose"] or line_of(decision.purpose if decision else "", "", state["tool"])
    if not parts and not purpose:
        purpose = purpose_by_rule(every).purpose
    return {"parts": parts, "lines": {**state["lines"], **lines}, "purpose": purpose, **cost}


def described_from(apis: Sequence[API]) -> list[BaseMessage]:
    """The question to the model, about these functions of one tool."""
    about = condensed(apis[0].tool_description, 1_000, apis[0].tool)
    return _PROMPT.messages(tool=apis[0].tool, about=about, documents=[documented(api) for api in apis])


def described_as(apis: Sequence[API]) -> type[Description]:
    """A `Description` with a line for exactly these functions."""
    line = {"type": "string", "minLength": 1, "maxLength": LONGEST_LINE}
    functions: dict[str, Any] = {
        "type": "object",
        "properties": {api.function: line for api in apis},
        "required": [api.function for api in apis],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {"purpose": line, "functions": functions},
        "required": ["purpose", "functions"],
        "additionalProperties": False,
    }
    return shaped(Description, schema, lambda _: [])


def line_of(text: str, otherwise: str, name: str) -> str:
    """A line that a model wrote, as it goes through the rules; `otherwise` where nothing of it is left."""
    return condensed(text, LONGEST_LINE, name) or otherwise


def after_describe_tool(state: Documenting) -> Literal["another part", "in several parts", "described"]:
    """A document that came in parts is joined at their end."""
    if state["parts"]:
        return "another part"
    return "in several parts" if state["several"] else "described"
