"""Tool description: what a tool is for, and each of its functions in a line (EasyTool, 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, Field

from toolquiver.catalog import API, JsonSchema
from toolquiver.catalog.instruction import LONGEST_LINE
from toolquiver.contexts import EasyToolContext
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.easytool.documents import as_read, ask, tool_apis, tool_document
from toolquiver.nodes.easytool.state import WHOLE, AfterDescribe, AfterJoin, EasyToolState
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_NOTHING = "The model wrote no valid description."
_DESCRIBE, _JOIN = load_prompt("easytool/describe"), load_prompt("easytool/join")
_MOST_LINES = 200  # of functions, from which a purpose is joined


class Description(BaseModel):
    """What a tool is for, and what each function does."""

    purpose: str = ""
    functions: dict[str, str]


class Joined(BaseModel):
    """What the tool is for."""

    purpose: str = Field(min_length=1, json_schema_extra={"maxLength": LONGEST_LINE})


async def describe_tool(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Describe the next part of the document, if there is one; a part that is the whole also says what that is for.

    A part that does not fit the model's context is halved. Where the model gives no valid line, the documentation
    without markup stays as the line, and the state keeps why.
    """
    if not state["parts"]:
        return {}
    part, *parts = state["parts"]
    apis, whole = await as_read(part, run), state["writes_purpose"] and not state["several"]
    said, cost, too_long = await ask(
        "describe_tool", described_as(apis, whole=whole), described_from(apis, whole=whole), state, run
    )
    if too_long and len(part) > 1:
        half = len(part) // 2
        return {"parts": [part[:half], part[half:], *parts], "several": True, **cost}
    written = {str(api.id): one_line(said.functions[api.function]) if said else "" for api in apis}
    if whole:
        written[WHOLE] = one_line(said.purpose) if said else ""
    why = too_long or str(cost.get("stopped") or state["stopped"] or _NOTHING)
    return {
        "parts": parts,
        "lines": state["lines"] | {api.id: written[api.id] or state["lines"][api.id] for api in apis},
        "purpose": written.get(WHOLE) or state["purpose"],
        "unwritten": state["unwritten"] | {subject: why for subject, line in written.items() if not line},
        **cost,
    }


async def join_parts(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Say what the whole tool is for whose document was read in parts, from the lines of all its functions."""
    apis = await tool_apis(state, run)
    messages = joined_from(apis, [state["lines"][api.id] for api in apis])
    said, cost, too_long = await ask("describe_tool", Joined, messages, state, run)
    if said and (purpose := one_line(said.purpose)):
        return {"purpose": purpose, **cost}
    why = too_long or str(cost.get("stopped") or state["stopped"] or _NOTHING)
    return {"unwritten": state["unwritten"] | {WHOLE: why}, **cost}


def described_from(apis: Sequence[API], *, whole: bool) -> list[BaseMessage]:
    """The question to the model, about these functions of one tool; `whole`: also what the tool is for."""
    return _DESCRIBE.messages(document=tool_document(apis), part=not whole, longest=LONGEST_LINE)


def joined_from(apis: Sequence[API], lines: Iterable[str]) -> list[BaseMessage]:
    """The question to the model, about a tool whose functions have these lines."""
    every = list(lines)
    more = len(every) - _MOST_LINES
    return _JOIN.messages(
        tool=apis[0].tool,
        about=apis[0].tool_description,
        lines=every[:_MOST_LINES],
        more=f"{more:,}" if more > 0 else "",
        longest=LONGEST_LINE,
    )


def described_as(apis: Sequence[API], *, whole: bool) -> type[Description]:
    """A `Description` with a line for exactly these functions: none is lost, none invented."""
    names = [api.function for api in apis]
    line: JsonSchema = {"type": "string", "minLength": 1, "maxLength": LONGEST_LINE}
    functions = object_of(dict.fromkeys(names, line))
    schema = object_of(({"purpose": line} if whole else {}) | {"functions": functions})

    def wrong(said: Description) -> list[str]:
        lost, invented = set(names) - said.functions.keys(), said.functions.keys() - set(names)
        return [f"There is no function {name!r}." for name in sorted(invented)] + [
            f"The function {name!r} is missing." for name in sorted(lost)
        ]

    return shaped(Description, schema, wrong)


def object_of(properties: JsonSchema) -> JsonSchema:
    """The schema of an object that has all of these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def one_line(text: str) -> str:
    """What a model wrote, on one line."""
    return " ".join(text.split())


def after_describe_tool(state: EasyToolState) -> AfterDescribe:
    """Of a document in parts the purpose is said at their end."""
    if state["parts"]:
        return "another part"
    if state["several"] and state["writes_purpose"]:
        return "in several parts"
    return "described" if state["todo"] else "no function"


def after_join(state: EasyToolState) -> AfterJoin:
    """Whether a function is left: what the whole is for may be all that was to be written."""
    return "described" if state["todo"] else "no function"
