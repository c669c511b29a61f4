"""Reverse chain: what a program leaves open comes from another API, found backwards by its output (Reverse Chain, 2.1).

The stack of calls in the making is in the state. Each visit of the node does one thing: it takes a result into the call
that waits for it, decides where open arguments come from, pushes a call that gives one, or hands a complete call over.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, Parameter
from toolquiver.catalog.outputs import can_hold, fields_of
from toolquiver.catalog.text import shortened
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.quiver.rollback import step_of
from toolquiver.nodes.quiver.state import Frame, Lookup, Made, QuiverState, call_with, failed_before
from toolquiver.nodes.run import Run
from toolquiver.programs import Request, functions, line, open_arguments, value_of, values_in
from toolquiver.prompts import load_prompt

_CHAIN, _TAKE = load_prompt("quiver/chain"), load_prompt("quiver/take")
_DEPTH = 6  # calls that a chain may nest
_OFFERS = 5  # APIs that are offered for one argument
_VALUE, _NOBODY, _NONE = "value", "nobody", "none"
_SHOWN = 300  # characters of a result


async def chain(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Go on with the call on top of the stack. The order is a rule; the model says only where a value comes from."""
    frames, cost = state["frames"], Update()
    if len(frames) > 1 and (outcome := _outcome(frames[-1], state)):
        value, cost = await _taken(outcome, state, run)
        frames = _given_back(frames, value)
        going_on: QuiverState = {**state, "frames": frames}
        state = after(going_on, cost)
    if _undecided(frames[-1]):
        frames, more = await _decided(state, run)
        cost = both(cost, more)
    top = frames[-1]
    if _undecided(top):
        return {**cost, "frames": frames, "decided": "another API is needed"}
    if not top["missing"]:
        kept = frames if len(frames) > 1 else []
        return {**cost, "requests": [top["request"]], "frames": kept, "decided": "complete"}
    if len(frames) > 1:  # what it was to give, nothing gives
        return {**cost, "frames": _given_back(frames, None), "decided": "another API is needed"}
    return {**cost, "frames": frames, "decided": "only the user knows"}


def _outcome(frame: Frame, state: QuiverState) -> Made | Lookup | None:
    """What the call of a frame came to, if it was made, or was not made by rule."""
    request = frame["request"]["id"]
    known = next((one for one in state["lookups"] if one["request"] == request), None)
    return call_with(state["calls"], request) or known


def _undecided(frame: Frame) -> list[str]:
    return [name for name in frame["missing"] if name not in frame["unknown"]]


def _given_back(frames: list[Frame], value: Any) -> list[Frame]:
    """The stack without its top, whose value fills the argument below."""
    *below, parent, child = frames
    return [*below, _filled(parent, child["fills"], value)]


def _filled(frame: Frame, name: str, value: Any) -> Frame:
    """The frame with an argument filled, or known to be nobody's."""
    if value is None:
        return {**frame, "unknown": [*frame["unknown"], name]}
    request: Request = {**frame["request"], "arguments": frame["request"]["arguments"] | {name: value}}
    return {**frame, "request": request, "missing": [other for other in frame["missing"] if other != name]}


async def _decided(state: QuiverState, run: Run[QuiverContext]) -> tuple[list[Frame], Update]:
    """Where the open arguments come from, decided together: the paper's three outcomes for each.

    For a value the frame is filled; for the first API that gives one, a frame is pushed.
    """
    *below, top = state["frames"]
    api = await _api(top, run)
    parameters = {name: _parameter(name, api) for name in _undecided(top)}
    offers = {name: await _offers(one, api, state, run) for name, one in parameters.items()}
    chosen: dict[str, tuple[str, Any]] = dict.fromkeys(offers, (_NOBODY, None))
    cost = Update()
    if below or any(offers.values()):  # else the planner had no value, and no API gives one
        decision, cost = await _asked(parameters, offers, api, state, run)
        chosen |= decision
    pushed: list[Frame] = []
    for name, (source, value) in chosen.items():
        schema = parameters[name].whole_schema
        named = next((offer for offer in offers[name] if offer.function == source), None)
        if named is None:
            fits = source == _VALUE and not misfits(schema, value)
            top = _filled(top, name, value if fits else None)
        elif not pushed:
            pushed = [_frame(name, named, top)]
    return [*below, top, *pushed], cost


def _frame(name: str, api: API, parent: Frame) -> Frame:
    request = Request(id=f"{parent['request']['id']}/{name}", function=api.function, api=api.id, asked={}, arguments={})
    return Frame(request=request, missing=open_arguments(api, {}), unknown=[], fills=name)


def _parameter(name: str, api: API) -> Parameter:
    return next(parameter for parameter in api.parameter_list() if parameter.name == name)


async def _api(frame: Frame, run: Run[QuiverContext]) -> API:
    assert frame["request"]["api"] is not None
    return await run.api(frame["request"]["api"])


async def _offers(parameter: Parameter, api: API, state: QuiverState, run: Run[QuiverContext]) -> list[API]:
    """The APIs whose output can be this argument by its type, those that speak of it first.

    None is on the stack already, or has left the list of this step.
    """
    if len(state["frames"]) >= _DEPTH:
        return []
    gone = (api for apis in state["banned"][step_of(state) :][:1] for api in apis)
    barred = {*state["removed"], *gone, *(frame["request"]["api"] for frame in state["frames"])}
    speaking = [fed.api for fed in await asyncio.to_thread(run.catalog.producers_of, api, parameter)]
    of_type = [one for one in await run.apis(state["pool"]) if _may_give(one, parameter)]
    fitting = list({one.id: one for one in [*speaking, *of_type] if one.id not in barred}.values())
    return [one for one in fitting if state["allowed"] is None or one.id in state["allowed"]][:_OFFERS]


def _may_give(api: API, parameter: Parameter) -> bool:
    return any(can_hold(field, parameter.whole_schema) for field in fields_of(api.output))


async def _asked(
    parameters: dict[str, Parameter],
    offers: dict[str, list[API]],
    api: API,
    state: QuiverState,
    run: Run[QuiverContext],
) -> tuple[dict[str, tuple[str, Any]], Update]:
    """What the model says of each argument, its source and its value; nothing where it gives no decision."""
    fields: dict[str, Any] = {}
    for name, apis in offers.items():
        sources: Any = Literal[(_VALUE, *(one.function for one in apis), _NOBODY)]
        source = create_model("Source", source=(sources, ...), value=(Any, Field(None)))
        fields[f"a{len(fields)}"] = (source, Field(alias=name))
    shape: type[BaseModel] = create_model("Sources", **fields)
    known = functions([one for apis in offers.values() for one in apis])
    ids = {name: [one.id for one in apis] for name, apis in offers.items()}
    lines = {one.api.id: line(one, failed_before(state, one.api.id), whole=True) for one in known.values()}
    request = state["frames"][-1]["request"]
    messages = _CHAIN.messages(
        query=state["query"],
        results=[f"{call['api']}: {shortened(call['text'], _SHOWN)}" for call in state["calls"] if call["ok"]],
        call=f"{request['function']}({json.dumps(request['arguments'], ensure_ascii=False)})",
        function=line(next(iter(functions([api]).values())), whole=True),
        open=[
            {"name": name, "type": one.type, "description": one.description, "offers": [lines[of] for of in ids[name]]}
            for name, one in parameters.items()
        ],
        **clock(state),
    )
    decision, cost = await run.decide("chain", shape, messages, state)
    said = decision.model_dump(by_alias=True) if decision else {}
    return {name: (given["source"], given["value"]) for name, given in said.items()}, cost


async def _taken(outcome: Made | Lookup, state: QuiverState, run: Run[QuiverContext]) -> tuple[Any, Update]:
    """The value of a result that the parent's argument takes.

    It is the only one that fits, where the schema of the output names its field, or the one that the model chooses:
    a text may as well say that there is none.
    """
    if not outcome["ok"]:
        return None, {}
    parent, child = state["frames"][-2:]
    api = await _api(parent, run)
    parameter = _parameter(child["fills"], api)
    output = (await _api(child, run)).output
    values = values_in(value_of(outcome["text"], output))
    fitting = {path: value for path, value in values if not misfits(parameter.whole_schema, value)}
    named = tuple(f"[{json.dumps(field.name, ensure_ascii=False)}]" for field in fields_of(output) if field.name)
    if not fitting or (len(fitting) == 1 and min(fitting).endswith(named)):
        return next(iter(fitting.values()), None), {}
    paths: Any = Literal[(*fitting, _NONE)]
    messages = _TAKE.messages(
        query=state["query"],
        argument=parameter.name,
        description=parameter.description,
        consumer=parent["request"]["function"],
        producer=child["request"]["function"],
        values=[{"path": path, "value": json.dumps(value, ensure_ascii=False)} for path, value in fitting.items()],
    )
    decision, cost = await run.decide("take", create_model("Taken", path=(paths, ...)), messages, state)
    return (fitting.get(decision.path) if decision else None), cost  # type: ignore[attr-defined]
