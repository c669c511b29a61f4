"""The executor agent: it thinks, chooses a tool and fills its arguments (Smurfs, equations 2 to 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from pydantic import BaseModel, Field, create_model

from toolquiver.calling import Failure, problems
from toolquiver.calling.arguments import closed
from toolquiver.catalog import API, JsonSchema
from toolquiver.catalog.document import document
from toolquiver.contexts import SmurfsContext
from toolquiver.errors import InputError
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.sight import before, failures, memory, tool_lines
from toolquiver.nodes.smurfs.state import AfterChoose, AfterFill, SmurfsState, calls_here, made, task
from toolquiver.prompts import load_prompt
from toolquiver.registration import noted

NONE = "none of these"
"""The choice of no tool; function names have no spaces."""
_THINK, _CHOOSE, _FILL = (load_prompt(f"smurfs/{role}") for role in ("think", "choose", "fill"))
_LOST = "The catalogue no longer has any tool that this run can choose from. Import them, or start a new run."
_NO_CHOICE = "The model made no valid choice of a tool."
_INVALID = "The model gave no arguments that fit its parameters."


class Thought(BaseModel):
    """What is known, what the next call must find out, and which tool can."""

    thought: str


class Filled(BaseModel):
    """The required arguments that nothing gives, or else the arguments of the call."""

    missing: list[str] = Field(default_factory=list)
    arguments: dict[str, Any] | None = None


async def think(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """A thought before each choice: of the subtask, local memory, the tool list and the verifier's hint (eq. 2).

    It is also told which calls have failed, so that it need not try them again.
    """
    messages = _THINK.messages(
        tools=tool_lines(await _listed(state, run), state, run.context),
        query=state["query"],
        known=before(state["known"]),
        task=task(state),
        steps=memory(state["trail"]),
        failures=await failures(calls_here(state), run),
        hint=state["hint"],
        **clock(state),
    )
    decision, cost = await run.decide("think", Thought, messages, state)
    return {**cost, "thought": decision.thought if decision else ""}


async def choose(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Choose one tool of the list of this step, or none: by the subtask, the thought and the list (eq. 3).

    With none the list of this step is empty, since no tool of it helps. Without a valid choice the subtask ends, and
    the list stays. With registration on demand (EcoAct) the choice registers: from then on the tool is listed in full.
    """
    by_name = {api.function: api for api in await _listed(state, run)}
    fields: dict[str, Any] = {"tool": (Literal[(*by_name, NONE)], ...)}
    shape = create_model("Choice", **fields)
    messages = _CHOOSE.messages(
        tools=tool_lines(by_name.values(), state, run.context), task=task(state), thought=state["thought"]
    )
    decision, cost = await run.decide("choose", shape, messages, state)
    if decision is None:
        return {**cost, "reason": _NO_CHOICE, "decided": "no valid choice"}
    api = by_name.get(getattr(decision, "tool", NONE))
    if api is None:
        return {**cost, "chosen": None, "tool_lists": [*state["tool_lists"][:-1], []], "decided": "none of these"}
    update: Update = {**cost, "chosen": api.id, "decided": "chosen"}
    if run.context.registration == "on_demand":
        update["registered"] = noted(state["registered"], [api.id], len(state["calls"]))
    return update


async def fill(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Fill the arguments of the chosen tool: by the subtask, local memory and the tool's document (eq. 4).

    No arguments that fit the schema, or a required one that nothing gives, are a failure of the call. It is recorded
    like one, and the rollback follows.
    """
    assert state["chosen"] is not None
    api = await run.whole(state["chosen"])
    if not api.parameters.get("properties"):
        return {"arguments": {}, "decided": "complete"}
    messages = _FILL.messages(
        document=document(api),
        query=state["query"],
        known=before(state["known"]),
        task=task(state),
        steps=memory(state["trail"]),
        failures=await failures([call for call in calls_here(state) if call["api"] == api.id], run),
        **clock(state),
    )
    decision, cost = await run.decide("fill", filled(api), messages, state)
    if decision is None and _is_over(state, cost):
        return {**cost, "decided": "out of budget"}
    if decision is not None and decision.arguments is not None and not decision.missing:
        return {**cost, "arguments": decision.arguments, "decided": "complete"}
    missing = decision.missing if decision else []
    why = f"Nothing gives {', '.join(missing)}." if missing else _INVALID
    failed = made(state, {}, Failure(kind="invalid_arguments", message=why))
    return {**cost, "arguments": None, "calls": [failed], "decided": "cannot fill"}


def filled(api: API) -> type[Filled]:
    """`Filled` for an API: `missing` may name its required arguments, and `arguments` fit its schema."""
    required = [one.name for one in api.required_list()]
    given = closed(api.parameters)
    shared = {key: given[key] for key in ("$defs", "definitions") if key in given}  # references are to the root
    inner = {key: part for key, part in given.items() if key not in shared}
    missing = {"missing": {"type": "array", "items": {"type": "string", "enum": required}}} if required else {}
    arguments: JsonSchema = {"anyOf": [inner, {"type": "null"}]} if required else inner
    schema = {
        "title": "Filled",
        "type": "object",
        "properties": {**missing, "arguments": arguments},
        "required": [*missing, "arguments"],
        "additionalProperties": False,
    }

    def wrong(given: Filled) -> Sequence[str]:
        if given.missing:
            unknown = [name for name in given.missing if name not in required]
            return [f"missing: {', '.join(unknown)} is not required."] if unknown else []
        return ["arguments: they are lacking."] if given.arguments is None else problems(api, given.arguments)

    return shaped(Filled, schema | shared, wrong)


async def _listed(state: SmurfsState, run: Run[SmurfsContext]) -> list[API]:
    """The APIs of the list of this step.

    Raises:
        InputError: the catalogue has lost them all: the run was begun with what another import has replaced.
    """
    if apis := await run.apis(state["tool_lists"][-1]):
        return apis
    raise InputError(_LOST)


def _is_over(state: SmurfsState, cost: Update) -> bool:
    """Whether no model may be asked any more."""
    return bool(state["stopped"] or cost.get("stopped"))


def after_choose(state: SmurfsState) -> AfterChoose:
    """The edge that the node has decided on."""
    return cast("AfterChoose", state["decided"])


def after_fill(state: SmurfsState) -> AfterFill:
    """The edge that the node has decided on."""
    return cast("AfterFill", state["decided"])
