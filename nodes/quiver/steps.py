"""Planning one call at a time, for models that cannot write a program: which function next, then its arguments.

A step is a program of one line, so that all behind the planner is the same.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel, RootModel, create_model

from toolquiver.calling.arguments import closed, misfits
from toolquiver.catalog import Parameter
from toolquiver.contexts import QuiverContext
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.quiver.find import failed_before
from toolquiver.nodes.quiver.functions import UNKNOWN, Function, functions, line, summary
from toolquiver.nodes.quiver.rollback import step_of
from toolquiver.nodes.quiver.sandbox import value_of
from toolquiver.nodes.quiver.sight import cut, left_for_answer, over, values_in
from toolquiver.nodes.quiver.state import QuiverState
from toolquiver.nodes.room import room
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_STEP, _ARGUMENTS = load_prompt("quiver/step"), load_prompt("quiver/arguments")
_SEARCH, _ASK = load_prompt("quiver/search"), load_prompt("quiver/ask")
_FINISH = "finish"
_FROM = "from"


class Arguments(RootModel[dict[str, Any]]):
    """The arguments of one call."""


class Searched(BaseModel):
    """What a function must do."""

    what: str


class Asked(BaseModel):
    """A question to the user."""

    what: str
    type: Literal["str", "int", "float", "bool", "list"]


async def step(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Decide on the next call, by two small decisions, and write it as a program of one line.

    A function that has left the list of this step is not offered. A step that was made before ends the planning:
    its result is known, and nothing else is wanted.
    """
    known, banned = functions(await run.apis(state["pool"])), state["banned"][step_of(state) :][:1]
    offered = {name: one for name, one in known.items() if not any(one.api.id in gone for gone in banned)}
    names = (*offered, "search_apis", "ask_user", _FINISH)
    chosen: dict[str, Any] = {"needed": (str, ...), "function": (Literal[names], ...)}
    shape = create_model("Choice", **chosen)
    said: list[BaseMessage] = _STEP.messages(
        query=state["query"],
        functions=[summary(one, failed_before(state, one.api.id)) for one in offered.values()],
        steps=await _steps(state, run),
        told=state["failures"],
        **clock(state),
    )
    spent = state.get("spent_before", 0) + left_for_answer(state, run)
    bounded: QuiverState = {**state, "spent_before": spent}
    choice, cost = await run.decide("plan", shape, said, bounded)
    if choice is None:
        return over(cost)
    if choice.function == _FINISH:
        return {**cost, "decided": "the plan ends"}
    said = [*said, AIMessage(choice.model_dump_json())]
    call, more = await _call(choice.function, offered.get(choice.function), said, after(bounded, cost), run)
    cost = both(cost, more)
    if not call:
        return over(cost)
    if call in [program.partition(" = ")[2] for program in state["programs"]]:
        return {**cost, "decided": "the plan ends"}
    program = f"{_name(len(state['programs']))} = {call}"
    return {**cost, "programs": [*state["programs"], program], "decided": "program written"}


async def _call(
    name: str, function: Function | None, said: list[BaseMessage], state: QuiverState, run: Run[QuiverContext]
) -> tuple[str, Update]:
    """The call of a function as code, with its arguments; empty where the model gives none."""
    if function is None:
        prompt, shape = (_SEARCH, Searched) if name == "search_apis" else (_ASK, Asked)
        asked, cost = await run.decide("plan", shape, [*said, prompt.messages()[1]], state)
        given = asked.model_dump() if isinstance(asked, BaseModel) else {}
        return (f"{name}({', '.join(map(repr, given.values()))})" if given else ""), cost
    if not function.parameters:
        return f"{name}()", {}
    paths = _paths(state)
    schema = _with_references(function, paths)
    message = _ARGUMENTS.messages(function=name, line=line(function, whole=True))[1]
    filled, cost = await run.decide("plan", shaped(Arguments, schema, lambda _: []), [*said, message], state)
    if filled is None:
        return "", cost
    own = {original: name for name, original in function.parameters.items()}
    values = {own[key]: _code(value, paths) for key, value in filled.root.items() if key in own}
    return f"{name}({', '.join(f'{key}={value}' for key, value in values.items())})", cost


def _code(value: Any, paths: dict[str, Any]) -> str:
    """A value as code: a reference to what a step returned, the word for unknown, or the value itself."""
    if isinstance(value, dict) and set(value) == {_FROM}:
        return str(value[_FROM]) if value[_FROM] in paths else UNKNOWN
    return repr(value)


def _with_references(function: Function, paths: dict[str, Any]) -> dict[str, Any]:
    """The API's input schema, where each argument may also be the path of a value that fits it, or unknown."""
    schema = closed(function.api.parameters)
    properties = {one.name: _or_reference(one, paths) for one in function.api.parameter_list()}
    return schema | {"properties": properties}


def _or_reference(parameter: Parameter, paths: dict[str, Any]) -> dict[str, Any]:
    fitting = [path for path, value in paths.items() if not misfits(parameter.whole_schema, value)]
    if not fitting and not parameter.required:
        return parameter.schema_
    reference = {
        "type": "object",
        "properties": {_FROM: {"enum": [*fitting, UNKNOWN]}},
        "required": [_FROM],
        "additionalProperties": False,
    }
    return {"anyOf": [reference, parameter.schema_] if fitting else [parameter.schema_, reference]}


def _paths(state: QuiverState) -> dict[str, Any]:
    """The values that the steps have returned, by the code that gives them."""
    found: dict[str, Any] = {}
    for number in range(len(state["programs"])):
        for call in state["calls"]:
            if call["program"] == number and call["ok"] and "/" not in call["request"]:
                found |= dict(values_in(value_of(call["text"]), _name(number)))
    return found


def _name(number: int) -> str:
    return f"r{number + 1}"


async def _steps(state: QuiverState, run: Run[QuiverContext]) -> list[dict[str, str]]:
    """The steps so far, each with what it returned, or how it failed."""
    each = max(200, await room("plan", state, run) // max(1, len(state["programs"])))
    shown = []
    for number, program in enumerate(state["programs"]):
        name, _, call = program.partition(" = ")
        calls = [one for one in state["calls"] if one["program"] == number]
        outcomes = [
            cut(one["text"], each) if one["ok"] else f"failed ({one['failure']}): {one['message']}" for one in calls
        ]
        own = [cut(one["text"], each) for one in state["lookups"] if one["request"].startswith(f"{number}.")]
        shown.append({"name": name, "call": call, "outcome": "\n".join([*outcomes, *own]) or json.dumps(None)})
    return shown
