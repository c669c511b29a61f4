"""The APIs that may give an argument: those whose output can be it by JSON Schema, the likeliest first (section 2)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from toolquiver.catalog import API, JsonSchema, Parameter
from toolquiver.catalog.fits import Feeding, Fit, feeding
from toolquiver.catalog.outputs import ITEM, fields_of, kinds, resolved
from toolquiver.contexts import ReverseChainContext
from toolquiver.nodes.reverse_chain.frames import path_of, purposes
from toolquiver.nodes.reverse_chain.state import Frame, ReverseChainState
from toolquiver.nodes.run import Run

Offers = dict[str, list[API]]
"""By parameter."""

_FEW = 5  # offers up to which those count that fit by type alone, where the candidates were found by search
_FORMS = frozenset({"date", "date-time", "time", "duration", "email", "ipv4", "ipv6", "uri", "uuid"})
"""Formats of JSON Schema of which no text has two."""


async def offers_for(
    frame: Frame, api: API, parameters: Sequence[Parameter], state: ReverseChainState, run: Run[ReverseChainContext]
) -> Offers:
    """For each parameter the APIs that may give it; none at the limits of depth and size.

    They are the candidates that fit by type, the likeliest first. Where the candidates were not given, they are `top_k`
    of these and of what the catalogue knows to return such a field, and few that fit by type alone. No API is offered
    for its own argument, nor for a purpose that it is on the stack for, nor after it could not give the argument.
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
        feeds = [feeding(one, api, parameter) for one in pool]
        if state["allowed"] is None:
            known = await asyncio.to_thread(run.catalog.producers_of, api, parameter)
            feeds += [fed for fed in known if fed.api.id not in state["pool"]]
        fitting = [fed for fed in feeds if fed.api.id not in barred and can_give(fed.api, parameter)]
        ranked = sorted(fitting, key=lambda fed: -max(fed.fit, Fit.TYPE))  # of equal ones the candidates come first
        offered = ranked if state["allowed"] is not None else _few(ranked, run.context.top_k)
        found[parameter.name] = [fed.api for fed in offered]
    return found


def _few(ranked: Sequence[Feeding], most: int) -> list[Feeding]:
    """Those for which a name or a description speaks, and a few for which only their type does, where those are few."""
    likely = [fed for fed in ranked if fed.fit > Fit.TYPE][:most]
    return [*likely, *ranked[len(likely) : max(len(likely), _FEW)]]


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
    if _exclude_each_other(given, wanted):
        return False
    if not have or not need:
        return True
    if have == {"object"} and not given.get("properties"):
        return True
    common = _numbers_alike(have) & _numbers_alike(need)
    inner, items = given.get("items"), wanted.get("items")
    if common == {"array"} and isinstance(inner, dict) and isinstance(items, dict):
        return _can_be(inner, items)
    return bool(common)


def _exclude_each_other(given: JsonSchema, wanted: JsonSchema) -> bool:
    """Whether both list their values, or name their format, and no value is of both."""
    if "enum" in given and "enum" in wanted:
        return not any(value in wanted["enum"] for value in given["enum"])
    formats = given.get("format"), wanted.get("format")
    return formats[0] != formats[1] and all(one in _FORMS for one in formats)


def _numbers_alike(types: set[str]) -> set[str]:
    """With `integer` beside `number`: a number of JSON Schema may be a whole one."""
    return types | ({"integer"} if "number" in types else set())
