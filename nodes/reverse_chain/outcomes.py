"""The decision about arguments: for each a value, another API, or none of them (Reverse Chain, 2.1, step 2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from pydantic import RootModel

from toolquiver.calling.arguments import misfits
from toolquiver.catalog import API, JsonSchema, Parameter
from toolquiver.contexts import ReverseChainContext
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.describe import api_line, call_text
from toolquiver.nodes.reverse_chain.frames import path_of
from toolquiver.nodes.reverse_chain.offers import Offers
from toolquiver.nodes.reverse_chain.plan_text import plan_of
from toolquiver.nodes.reverse_chain.state import Frame, ReverseChainState
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

VALUE: Final = "value"
ANOTHER_API: Final = "api"
CALL: Final = "call"
"""Which call of that API gives the value, where one decision needs several: 1 unless it is said."""
_NOBODY, _LEAVE_OUT = "nobody", "leave_out"

Outcome = dict[str, Any]

Ways = frozenset[str]
"""Which outcomes a decision may have besides that nobody gives the value, or that it is left out."""

_PROMPT = load_prompt("reverse_chain/complete_arguments")


class Outcomes(RootModel[dict[str, Outcome]]):
    """For each argument one of `{"value": ...}`, `{"api": "name"}`, `{"nobody": true}` and `{"leave_out": true}`."""


class Question(NamedTuple):
    """What one decision is about: arguments of a call, what is offered for them, and what it may come to.

    The API has its whole text, which who fills it has to see.
    """

    frame: Frame
    api: API
    asked: list[Parameter]
    offers: Offers
    ways: Ways


async def outcomes_of(
    question: Question, state: ReverseChainState, run: Run[ReverseChainContext]
) -> tuple[dict[str, Outcome], Update]:
    """What the model says, in one decision; nothing where it says nothing valid, or there is nothing to decide."""
    frame, api, asked, offers, ways = question
    if not asked or (VALUE not in ways and not any(offers.values())):
        return {}, {}
    offered = {one.id: one for found in offers.values() for one in found}
    failed = {name: await run.apis(ids) for name, ids in frame["ruled_out"].items()}
    messages = _PROMPT.messages(
        query=state["query"],
        conversation=state["said"],
        plan=await plan_of(path_of(state["frames"], frame["id"])[0], state["frames"], run),
        call=call_text(api, frame["arguments"]),
        task=frame["task"],
        gives=await _given(frame, state, run),
        api=api_line(api, in_full=True),
        example=api.example,
        values=VALUE in ways,
        apis=ANOTHER_API in ways,
        offers=[api_line(one, in_full=True) for one in offered.values()],
        optional=any(not parameter.required for parameter in asked),
        arguments=[_shown(one, offers.get(one.name, ()), failed.get(one.name, ())) for one in asked],
        **clock(state),
    )
    decision, cost = await run.decide("complete", _shape(question), messages, state)
    return decision.root if decision else {}, cost


async def _given(frame: Frame, state: ReverseChainState, run: Run[ReverseChainContext]) -> list[str]:
    """The arguments that a call is to give, as the call above it describes them."""
    if frame["parent"] is None:
        return []
    consumer = await run.whole(state["frames"][frame["parent"]]["api"])
    return [argument_line(one) for one in consumer.parameter_list() if one.name in frame["fills"]]


def _shown(parameter: Parameter, offered: Sequence[API], failed: Sequence[API]) -> dict[str, str]:
    """A parameter as the prompt has it, with the APIs that may give it, and those that could not."""
    return {
        "line": argument_line(parameter),
        "from": ", ".join(one.function for one in offered),
        "failed": ", ".join(one.function for one in failed),
    }


def argument_line(parameter: Parameter) -> str:
    """A parameter, whole: who fills it has to see all that is said of it."""
    described = f": {parameter.description}" if parameter.description else ""
    optional = "" if parameter.required else ", may be left out"
    default = ""
    if "default" in parameter.schema_:
        default = f", default {json.dumps(parameter.schema_['default'], ensure_ascii=False)}"
    return f"{parameter.name} ({parameter.type}{optional}{default}){described}"


def _shape(question: Question) -> type[Outcomes]:
    """The decision's type: a value fits the argument's schema, an API is one that is offered for it."""
    _, api, asked, offers, ways = question
    shared: JsonSchema = {key: api.parameters[key] for key in ("$defs", "definitions") if key in api.parameters}
    outcomes = {parameter.name: {"anyOf": _outcomes(parameter, offers, ways)} for parameter in asked}
    schema = shared | closed_object(outcomes, outcomes)
    return shaped(Outcomes, schema, lambda given: misfits(schema, given.root))


def _outcomes(parameter: Parameter, offers: Offers, ways: Ways) -> list[JsonSchema]:
    found: list[JsonSchema] = []
    if VALUE in ways:
        found.append(_outcome({VALUE: parameter.schema_}))
    names = [one.function for one in offers.get(parameter.name, ())]
    if ANOTHER_API in ways and names:
        found.append(_outcome({ANOTHER_API: {"enum": names}, CALL: {"type": "integer", "minimum": 1}}))
    return [*found, _outcome({_NOBODY if parameter.required else _LEAVE_OUT: {"const": True}})]


def _outcome(fields: JsonSchema) -> JsonSchema:
    """An outcome: its first field says which one it is, and has to be there."""
    return closed_object(fields, [next(iter(fields))])


def closed_object(fields: JsonSchema, required: Iterable[str]) -> JsonSchema:
    """The schema of an object that has these fields and no others."""
    return {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}
