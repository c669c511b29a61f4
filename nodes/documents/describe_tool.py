"""Describe tool: what it is for, and each of its functions in a line (EasyTool, 4.1).

Only what the documentation does not say in a line is asked for. An answer that is too long or says nothing is replaced
by the documentation, condensed by rule, and the state keeps that it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, Field

from toolquiver.catalog import API, JsonSchema
from toolquiver.catalog.condense import cleaned, condensed
from toolquiver.catalog.instruction import LONGEST_LINE, by_rule, purpose_by_rule
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.ask import ask
from toolquiver.nodes.documents.documenting import WHOLE, EasyToolState, documented
from toolquiver.nodes.documents.open_document import tool_apis
from toolquiver.nodes.run import Run
from toolquiver.nodes.texts.broken_off import ended
from toolquiver.prompts import load_prompt

_NOTHING = "The model wrote no valid description."
_PROMPT = load_prompt("describe_tool")


class Description(BaseModel):
    """What a tool is for, and what each function does."""

    purpose: str = Field(default="", max_length=LONGEST_LINE)
    functions: dict[str, str]


async def describe_tool(state: EasyToolState, run: Run) -> Update:
    """Describe the next part of the document, if there is one; a part that is the whole also says what that is for.

    Where a part does not fit the model's context, each of its functions becomes a part.
    """
    if not state["parts"]:
        return {}
    part, *parts = state["parts"]
    every = await tool_apis(state, run)
    apis = [api for api in every if api.id in part]
    whole = state["asks_purpose"] and not state["several"]
    messages = described_from(apis, whole=whole)
    decision, cost, too_long = await ask("describe_tool", described_as(apis, whole=whole), messages, state, run)
    if too_long and len(part) > 1:
        return {"parts": [*([id_] for id_ in part), *parts], "several": True, **cost}
    said = decision.functions if decision else {}
    written = {str(api.id): line_of(said.get(api.function, ""), api.name) for api in apis}
    lines = {api.id: written[api.id] or by_rule(api).description for api in apis}
    purpose = state["purpose"]
    if whole:
        written[WHOLE] = line_of(decision.purpose if decision else "", state["tool"])
        purpose = written[WHOLE] or purpose_by_rule(every).purpose
    unwritten = unwritten_with(state, written, too_long, cost)
    return {"parts": parts, "lines": {**state["lines"], **lines}, "purpose": purpose, "unwritten": unwritten, **cost}


def described_from(apis: Sequence[API], *, whole: bool) -> list[BaseMessage]:
    """The question to the model, about these functions of one tool; `whole`: also what the tool is for."""
    about = condensed(apis[0].tool_description, 1_000, apis[0].tool)
    documents = [documented(api) for api in apis]
    return _PROMPT.messages(tool=apis[0].tool, about=about, documents=documents, asks_purpose=whole)


def described_as(apis: Sequence[API], *, whole: bool) -> type[Description]:
    """A `Description` with a line for exactly these functions; `whole`: and one for the tool."""
    line: JsonSchema = {"type": "string", "minLength": 1, "maxLength": LONGEST_LINE}
    functions: JsonSchema = {
        "type": "object",
        "properties": {api.function: line for api in apis},
        "required": [api.function for api in apis],
        "additionalProperties": False,
    }
    properties: JsonSchema = ({"purpose": line} if whole else {}) | {"functions": functions}
    schema: JsonSchema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return shaped(Description, schema, lambda _: [])


def line_of(text: str, name: str) -> str:
    """A line that a model wrote, without markup; empty where nothing of it is left."""
    return cleaned(ended(text, LONGEST_LINE), LONGEST_LINE, name)


def unwritten_with(
    state: EasyToolState, written: Mapping[str, str], too_long: str, cost: Mapping[str, Any]
) -> dict[str, str]:
    """Why lines are not the model's, with those of what it has written now that are empty.

    `too_long` and `cost` are those of its answer, as `ask` has them.
    """
    why = too_long or cost.get("stopped") or state["stopped"] or _NOTHING
    return state["unwritten"] | {subject: why for subject, line in written.items() if not line}


def after_describe_tool(
    state: EasyToolState,
) -> Literal["another part", "in several parts", "described", "no function"]:
    """Of a document in parts, also in those that needed no model, the purpose is said at their end."""
    if state["parts"]:
        return "another part"
    if state["several"] and state["asks_purpose"]:
        return "in several parts"
    return "described" if state["todo"] else "no function"
