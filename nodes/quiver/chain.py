"""Reverse chain: what a program leaves open comes from another API, found backwards by its output (Reverse Chain, 2.1).

The stack of calls in the making is in the state. Each visit of the node does one thing: it takes a result into the call
that waits for it, decides where open arguments come from, pushes a call that gives one, or hands a complete call over.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Literal, cast

from pydantic import BaseModel, Field, create_model

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.catalog.fits import Fit
from toolquiver.catalog.text import shortened
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.quiver.find import failed_before
from toolquiver.nodes.quiver.functions import functions, is_open, line, open_arguments
from toolquiver.nodes.quiver.sandbox import value_of
from toolquiver.nodes.quiver.sight import values_in
from toolquiver.nodes.quiver.state import AfterChain, Frame, QuiverState, Request, call_with
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_CHAIN, _TAKE = load_prompt("quiver/chain"), load_prompt("quiver/take")
_DEPTH = 6  # calls that a chain may nest
_OFFERS = 5  # APIs that are offered for one argument
_VALUE, _NOBODY, _NONE = "value", "nobody", "none"
_SHOWN = 300  # characters of a result


async def chain(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Go on with the call on top of the stack. The order is a rule; the model says only where a value comes from."""
    frames = list(state["frames"])
    cost: Update = {}
    if len(frames) > 1 and (given := call_with(state["calls"], frames[-1]["request"]["id"])):
        child = frames.pop()
        value, cost = (None, {}) if not given["ok"] else await _taken(given["text"], child, frames[-1], state, run)
        frames[-1] = _filled(frames[-1], child["fills"], value)
        before: QuiverState = {**state, "frames": frames}
        state = after(before, cost)
    top = frames[-1]
    undecided = [name for name in top["missing"] if name not in top["unknown"]]
    if undecided:
        frames, more = await _decided(undecided, frames, state, run)
        cost, top = both(cost, more), frames[-1]
    if [name for name in top["missing"] if name not in top["unknown"]]:
        return {**cost, "frames": frames, "decided": "another API is needed"}
    if not top["missing"]:
        return {
            **cost,
            "requests": [top["request"]],
            "frames": frames if len(frames) > 1 else [],
            "decided": "complete",
        }
    if len(frames) > 1:  # what it was to give, nothing gives
        child = frames.pop()
        frames[-1] = _filled(frames[-1], child["fills"], None)
        return {**cost, "frames": frames, "decided": "another API is needed"}
    return {**cost, "frames": frames, "decided": "only the user knows"}


def _filled(frame: Frame, name: str, value: Any) -> Frame:
    """The frame with an argument filled, or known to be nobody's."""
    if value is None:
        return {**frame, "unknown": [*frame["unknown"], name]}
    request: Request = {**frame["request"], "arguments": frame["request"]["arguments"] | {name: value}}
    return {**frame, "request": request, "missing": [other for other in frame["missing"] if other != name]}


async def _decided(
    undecided: list[str], frames: list[Frame], state: QuiverState, run: Run[QuiverContext]
) -> tuple[list[Frame], Update]:
    """Where the open arguments come from, decided together: the paper's three outcomes for each."""
    top = frames[-1]
    assert top["request"]["api"] is not None
    api = await run.api(top["request"]["api"])
    stacked = [frame["request"]["api"] for frame in frames]
    offers = {name: await _offers(name, api, stacked, state, run) for name in undecided}
    if len(frames) == 1 and not any(offers.values()):  # the planner had no value, and no API gives one
        for name in undecided:
            top = _filled(top, name, None)
        return [top], {}
    chosen, cost = await _chosen(api, offers, state, run)
    producer: tuple[str, API] | None = None
    for name, (source, value) in chosen.items():
        named = next((offer for offer in offers[name] if offer.function == source), None)
        if named is None:
            top = _filled(top, name, value if source == _VALUE and _is_given(value, name, api) else None)
        elif producer is None:
            producer = (name, named)
    frames = [*frames[:-1], top]
    return ([*frames, _frame(*producer, top)] if producer else frames), cost


def _frame(name: str, api: API, parent: Frame) -> Frame:
    request = Request(id=f"{parent['request']['id']}/{name}", function=api.function, api=api.id, asked={}, arguments={})
    return Frame(request=request, missing=open_arguments(api, {}), unknown=[], fills=name)


def _is_given(value: Any, name: str, api: API) -> bool:
    schema = _parameter(name, api).whole_schema
    return not is_open(value, schema) and not misfits(schema, value)


def _parameter(name: str, api: API) -> Parameter:
    return next(parameter for parameter in api.parameter_list() if parameter.name == name)


async def _offers(
    name: str, api: API, stacked: list[ApiId | None], state: QuiverState, run: Run[QuiverContext]
) -> list[API]:
    """The APIs whose output can be this argument, by type and then by name; none that is on the stack already."""
    if len(stacked) >= _DEPTH:
        return []
    found = await asyncio.to_thread(run.catalog.producers_of, api, _parameter(name, api))
    allowed = state["allowed"]
    fitting = [fed.api for fed in found if fed.fit > Fit.TYPE and fed.api.id not in [*stacked, *state["removed"]]]
    return [one for one in fitting if allowed is None or one.id in allowed][:_OFFERS]


async def _chosen(
    api: API, offers: dict[str, list[API]], state: QuiverState, run: Run[QuiverContext]
) -> tuple[dict[str, tuple[str, Any]], Update]:
    fields: dict[str, Any] = {}
    for name, apis in offers.items():
        sources: Any = Literal[(_VALUE, *(one.function for one in apis), _NOBODY)]
        source = create_model("Source", source=(sources, ...), value=(Any, Field(None)))
        fields[f"a{len(fields)}"] = (source, Field(alias=name))
    shape: type[BaseModel] = create_model("Sources", **fields)
    function = functions([api])
    results = [f"{call['api']}: {shortened(call['text'], _SHOWN)}" for call in state["calls"] if call["ok"]]
    request = state["frames"][-1]["request"]
    known = functions([one for apis in offers.values() for one in apis])
    lines = {one.api.id: line(one, failed_before(state, one.api.id)) for one in known.values()}
    messages = _CHAIN.messages(
        query=state["query"],
        results=results,
        call=f"{request['function']}({json.dumps(request['arguments'], ensure_ascii=False)})",
        function=line(next(iter(function.values())), whole=True),
        open=[
            {
                "name": name,
                "type": _parameter(name, api).type,
                "description": _parameter(name, api).description,
                "offers": [lines[one.id] for one in apis],
            }
            for name, apis in offers.items()
        ],
        **clock(state),
    )
    decision, cost = await run.decide("chain", shape, messages, state)
    if decision is None:
        return dict.fromkeys(offers, (_NOBODY, None)), cost
    said = decision.model_dump(by_alias=True)
    return {name: (said[name]["source"], said[name]["value"]) for name in offers}, cost


async def _taken(
    text: str, child: Frame, parent: Frame, state: QuiverState, run: Run[QuiverContext]
) -> tuple[Any, Update]:
    """The value of a result that the parent's argument takes: the only one that fits, or the one the model chooses."""
    assert parent["request"]["api"] is not None
    consumer = await run.api(parent["request"]["api"])
    parameter = _parameter(child["fills"], consumer)
    fitting = {path: value for path, value in values_in(value_of(text)) if not misfits(parameter.whole_schema, value)}
    if len(fitting) < 2:  # noqa: PLR2004 - nothing to choose
        return next(iter(fitting.values()), None), {}
    paths: Any = Literal[(*fitting, _NONE)]
    shape = create_model("Taken", path=(paths, ...))
    messages = _TAKE.messages(
        query=state["query"],
        argument=parameter.name,
        description=parameter.description,
        consumer=parent["request"]["function"],
        producer=child["request"]["function"],
        values=[{"path": path, "value": json.dumps(value, ensure_ascii=False)} for path, value in fitting.items()],
    )
    decision, cost = await run.decide("take", shape, messages, state)
    return (fitting.get(decision.path) if decision else None), cost  # type: ignore[attr-defined]


def after_chain(state: QuiverState) -> AfterChain:
    """The edge that the node has decided on."""
    return cast("AfterChain", state["decided"])
