"""The APIs that may give an argument: those whose output can be it by JSON Schema (Reverse Chain, 2)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from toolquiver.catalog import API, JsonSchema, Parameter
from toolquiver.catalog.outputs import ITEM, fields_of, kinds, resolved
from toolquiver.contexts import ReverseChainContext
from toolquiver.nodes.reverse_chain.frames import path_of, purposes
from toolquiver.nodes.reverse_chain.state import Frame, ReverseChainState
from toolquiver.nodes.run import Run

Offers = dict[str, list[API]]
"""By parameter."""


async def offers_for(
    frame: Frame, api: API, parameters: Sequence[Parameter], state: ReverseChainState, run: Run[ReverseChainContext]
) -> Offers:
    """For each parameter the APIs that may give it; none at the limits of depth and size.

    They are the candidates, and where those were not given, what the catalogue knows to return something of the
    parameter's name, the likeliest first. No API is offered for its own argument, nor for a purpose that it is on the
    stack for, nor after it could not give the argument.
    """
    frames = state["frames"]
    full = len(frames) + sum(len(one["wanted"]) for one in frames) >= run.context.max_calls
    if full or len(path_of(frames, frame["id"])) >= run.context.max_depth:
        return {parameter.name: [] for parameter in parameters}
    held = purposes(frames, frame["id"])
    pool = await run.apis(state["pool"])
    found: Offers = {}
    for parameter in parameters:
        barred = {producer for producer, consumer, name in held if (consumer, name) == (api.id, parameter.name)}
        barred |= {api.id, *frame["ruled_out"].get(parameter.name, ())}
        likely = await _likely(api, parameter, state, run)
        every = {one.id: one for one in [*likely, *pool]}
        found[parameter.name] = [one for one in every.values() if one.id not in barred and can_give(one, parameter)]
    return found


async def _likely(api: API, parameter: Parameter, state: ReverseChainState, run: Run[ReverseChainContext]) -> list[API]:
    """What the catalogue finds for a parameter beyond the candidates; nothing where those were given."""
    if state["allowed"] is not None:
        return []
    found = await asyncio.to_thread(run.catalog.producers_of, api, parameter)
    return [fed.api for fed in found if can_give(fed.api, parameter)][: run.context.top_k]


def can_give(producer: API, parameter: Parameter) -> bool:
    """Whether an API's output, or a part of it, can be this argument by its type.

    An output that is not documented can be anything. The value itself is held to the whole schema when it is there.
    """
    fields = fields_of(producer.output)
    wanted = resolved(parameter.whole_schema, parameter.whole_schema)
    if isinstance(items := wanted.get("items"), dict):
        wanted = wanted | {"items": resolved(items, parameter.whole_schema)}
    return not fields or any(_can_be(field.schema, wanted) or _can_fill(field, wanted) for field in fields)


def _can_fill(field: tuple[Sequence[str], JsonSchema], wanted: JsonSchema) -> bool:
    """Whether the values of a field of a list's items can together be a list of the wanted kind."""
    path, schema = field
    items = wanted.get("items")
    return ITEM in path and kinds(wanted) == {"array"} and (not isinstance(items, dict) or _can_be(schema, items))


def _can_be(given: JsonSchema, wanted: JsonSchema) -> bool:
    """Whether some value is of both types. A schema that names no type, or no field of an object, allows any."""
    have, need = kinds(given), kinds(wanted)
    if not have or not need:
        return True
    if have == {"object"} and not given.get("properties"):
        return True
    common = _numbers_alike(have) & _numbers_alike(need)
    inner, items = given.get("items"), wanted.get("items")
    if common == {"array"} and isinstance(inner, dict) and isinstance(items, dict):
        return _can_be(inner, items)
    return bool(common)


def _numbers_alike(types: set[str]) -> set[str]:
    """With `integer` beside `number`: a number of JSON Schema may be a whole one."""
    return types | ({"integer"} if "number" in types else set())
