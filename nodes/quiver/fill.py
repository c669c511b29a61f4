"""The arguments of one call: values, or references to what a step returned, or to a function that gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage
from pydantic import RootModel

from toolquiver.calling.arguments import closed, misfits
from toolquiver.catalog import Parameter
from toolquiver.catalog.feeds import returns
from toolquiver.contexts import QuiverContext
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.quiver.state import QuiverState, failed_before
from toolquiver.nodes.run import Run
from toolquiver.programs import UNKNOWN, Function, line, value_of, values_in
from toolquiver.prompts import load_prompt

_ARGUMENTS = load_prompt("quiver/arguments")
_FROM = "from"
_FED = 2  # required arguments that a function must give, to be offered for them


class Arguments(RootModel[dict[str, Any]]):
    """The arguments of one call."""


async def filled(
    function: Function,
    offered: dict[str, Function],
    said: list[BaseMessage],
    state: QuiverState,
    run: Run[QuiverContext],
) -> tuple[str, bool, Update]:
    """The call as code, and whether it is that of this function: what it needs may have to be called first.

    Each argument is a value, what a step returned, by its path, another function that gives it (Reverse Chain, 2.1), or
    unknown. There is no code where the model gives none.
    """
    givers = _givers(function, offered)
    code, giver, cost = await _arguments(function, givers, [*said, *_asked(function, state, givers)], state, run)
    if not giver:
        return code, True, cost
    first = offered[giver]
    code, _, more = await _arguments(
        first, {}, [*said, *_asked(first, state, feeds=function.name)], after(state, cost), run
    )
    return code, False, both(cost, more)


def _asked(
    function: Function, state: QuiverState, givers: Mapping[str, list[str]] | None = None, feeds: str = ""
) -> list[BaseMessage]:
    """The message that asks for the arguments of a function; `feeds` is the function that it is called for."""
    return _ARGUMENTS.messages(
        function=function.name,
        line=line(function, failed_before(state, function.api.id), whole=True),
        givers=bool(givers),
        feeds=feeds,
        query=state["query"],
        **clock(state),
    )


async def _arguments(
    function: Function,
    givers: dict[str, list[str]],
    said: list[BaseMessage],
    state: QuiverState,
    run: Run[QuiverContext],
) -> tuple[str, str, Update]:
    """The call as code, or the function that must be called before it, and what the decision costs."""
    if not function.parameters:
        return f"{function.name}()", "", {}
    paths = await _paths(state, run)
    schema = _with_references(function, paths, givers)
    decision, cost = await run.decide("plan", shaped(Arguments, schema, lambda _: []), said, state)
    if decision is None:
        return "", "", cost
    given = {key: value for key, value in decision.root.items() if key in function.parameters.values()}
    offered = {name for names in givers.values() for name in names}
    if giver := next((name for value in given.values() if (name := _referred(value)) in offered), ""):
        return "", giver, cost
    own = {original: name for name, original in function.parameters.items()}
    code = ", ".join(f"{own[key]}={_code(value, paths)}" for key, value in given.items())
    return f"{function.name}({code})", "", cost


def _referred(value: Any) -> str:
    """What a reference names; "" for any other value."""
    return str(value[_FROM]) if isinstance(value, dict) and set(value) == {_FROM} else ""


def _code(value: Any, paths: dict[str, Any]) -> str:
    """A value as code: a reference to what a step returned, the word for unknown, or the value itself."""
    reference = _referred(value)
    return reference if reference in paths or reference == UNKNOWN else repr(value)


def _givers(function: Function, offered: dict[str, Function]) -> dict[str, list[str]]:
    """The functions that return several of the arguments which this one requires, by argument."""
    required = [one.name for one in function.api.required_list() if "enum" not in one.schema_]
    found: dict[str, list[str]] = {}
    for other in offered.values():
        fed = [name for name in required if other.api.id != function.api.id and returns(other.api, name)]
        for name in fed if len(fed) >= _FED else []:
            found.setdefault(name, []).append(other.name)
    return found


def _with_references(function: Function, paths: dict[str, Any], givers: dict[str, list[str]]) -> dict[str, Any]:
    """The API's input schema, where each argument may also be a reference to a value that fits it, or unknown."""
    schema = closed(function.api.parameters)
    parameters = function.api.parameter_list()
    return schema | {
        "properties": {one.name: _or_reference(one, paths, givers.get(one.name, [])) for one in parameters}
    }


def _or_reference(parameter: Parameter, paths: dict[str, Any], givers: list[str]) -> dict[str, Any]:
    fitting = [path for path, value in paths.items() if not misfits(parameter.whole_schema, value)]
    if not fitting and not parameter.required:
        return parameter.schema_
    reference = {
        "type": "object",
        "properties": {_FROM: {"enum": [*fitting, *givers, UNKNOWN]}},
        "required": [_FROM],
        "additionalProperties": False,
    }
    return {"anyOf": [reference, parameter.schema_] if fitting or givers else [parameter.schema_, reference]}


async def _paths(state: QuiverState, run: Run[QuiverContext]) -> dict[str, Any]:
    """The values that the steps have returned, and those that the user gave, by the code that gives them."""
    apis = {api.id: api for api in await run.apis([call["api"] for call in state["calls"]])}
    returned = {
        call["request"]: value_of(call["text"], apis[call["api"]].output)
        for call in state["calls"]
        if call["ok"] and call["request"] not in state["set_aside"]
    }
    returned |= {one["request"]: value_of(one["text"]) for one in state["lookups"] if one["function"] == "ask_user"}
    found: dict[str, Any] = {}
    for program in sorted({aim["program"] for aim in state["aims"]}):
        for request, value in returned.items():
            if "/" not in request and request.startswith(f"{program}."):
                found |= dict(values_in(value, named(program)))
    return found


def named(number: int) -> str:
    """The variable that a step's result is kept in, by the number of its program."""
    return f"r{number + 1}"
