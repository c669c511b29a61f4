"""Tool selection, the third of the four stages: one of the K tools, and the arguments of its call (EasyTool, 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from pydantic import BaseModel, Field, create_model

from toolquiver.calling import problems
from toolquiver.calling.arguments import closed
from toolquiver.catalog import API, JsonSchema
from toolquiver.catalog.document import document
from toolquiver.contexts import PipelineContext
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.easytool_pipeline.state import AfterFill, AfterSelect, PipelineState, Tried, not_tried, results
from toolquiver.nodes.room import cut, room
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_SELECT, _FILL = load_prompt("easytool/select"), load_prompt("easytool/fill")
_NONE = "none of these"  # no function is called so: function names have no spaces


class Choice(BaseModel):
    """The tool, by its function name, or none of them."""

    tool: str


class Filled(BaseModel):
    """The arguments of a call, and the required parameters whose value nothing gives."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    missing: list[str] = Field(default_factory=list)


async def select(state: PipelineState, run: Run[PipelineContext]) -> Update:
    """Choose the tool for the current subtask by the tools' descriptions, or none of them.

    Those that were tried for it are no choice any more.
    """
    apis = await run.apis(list(not_tried(state)))
    named: Any = Literal[(*(api.function for api in apis), _NONE)]
    choice = create_model("Choice", __base__=Choice, tool=(named, ...))
    messages = _SELECT.messages(
        query=state["query"],
        task=state["subtasks"][state["current"]],
        results=results(state, await room("select", state, run)),
        tools=[_described(api) for api in apis],
        failed=await _failed(state["tried"], run),
        none=_NONE,
    )
    decision, cost = await run.decide("select", choice, messages, state)
    chosen = next((api.id for api in apis if decision and api.function == decision.tool), None)
    if chosen is not None:
        return {**cost, "chosen": chosen, "decided": "a tool is selected"}
    why = "None of the tools can do it." if decision else cost.get("stopped") or "The model made no valid choice."
    return {**cost, "chosen": None, "problem": why, "decided": "no tool is selected"}


def _described(api: API) -> str:
    """A tool as it is selected by: its name with its provider, and what it does."""
    return f"{api.function} ({api.tool}): {' '.join(api.description.split()) or 'not documented'}"


async def _failed(tried: Sequence[Tried], run: Run[PipelineContext]) -> list[str]:
    names = {api.id: api.function for api in await run.apis([one["api"] for one in tried])}
    return [f"{names.get(one['api'], one['api'])}: {one['why']}" for one in tried]


async def fill(state: PipelineState, run: Run[PipelineContext]) -> Update:
    """Write the arguments, with the selected tool's whole documentation in sight.

    A tool whose required value nothing gives cannot be called: it counts as tried.
    """
    assert state["chosen"] is not None
    api, characters = await run.whole(state["chosen"]), await room("fill", state, run)
    messages = _FILL.messages(
        query=state["query"],
        task=state["subtasks"][state["current"]],
        results=results(state, characters),
        document=cut(document(api), characters),
        **clock(state),
    )
    decision, cost = await run.decide("fill", filled_as(api), messages, state)
    if decision and not decision.missing:
        return {**cost, "arguments": decision.arguments, "decided": "filled"}
    why = f"Nothing gives {', '.join(decision.missing)}." if decision else "The model wrote no valid arguments."
    return {**cost, **gave_nothing(state, run, str(cost.get("stopped") or why))}


def gave_nothing(state: PipelineState, run: Run[PipelineContext], why: str) -> Update:
    """The chosen tool leaves the list, with the reason; another one is selected, up to R (`max_tries`)."""
    assert state["chosen"] is not None
    tried = [*state["tried"], Tried(api=state["chosen"], why=why)]
    left = len(tried) < run.context.max_tries and len(not_tried({**state, "tried": tried})) > 0
    decided = "select another tool" if left else "tries used up"
    return {"tried": tried, "chosen": None, "arguments": {}, "problem": why, "decided": decided}


def filled_as(api: API) -> type[Filled]:
    """`Filled` for this API: arguments that fit its schema, unless something is said to be missing."""
    names = [one.name for one in api.parameter_list()]
    arguments: JsonSchema = {"type": "object"} if "$ref" in str(api.parameters) else closed(api.parameters)
    arguments = {key: value for key, value in arguments.items() if key != "required"}
    missing: JsonSchema = {"type": "array", "items": {"enum": names} if names else {"type": "string"}}
    schema: JsonSchema = {
        "type": "object",
        "properties": {"arguments": arguments, "missing": missing},
        "required": ["arguments", "missing"],
        "additionalProperties": False,
    }

    def wrong(filled: Filled) -> list[str]:
        unknown = [f"There is no parameter {name!r}." for name in filled.missing if name not in names]
        return unknown or ([] if filled.missing else problems(api, filled.arguments))

    return shaped(Filled, schema, wrong)


def after_select(state: PipelineState) -> AfterSelect:
    """Whether one of the tools was selected."""
    return cast("AfterSelect", state["decided"])


def after_fill(state: PipelineState) -> AfterFill:
    """The call can be made, or another tool is tried, or no try is left."""
    return cast("AfterFill", state["decided"])
