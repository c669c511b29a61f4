"""What is offered for an argument: the APIs whose output can be it, and no others (Reverse Chain, 2)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from toolquiver.catalog import API, ApiId, Parameter
from toolquiver.catalog.fits import Feeding, Fit, feeding
from toolquiver.catalog.outputs import ITEM
from toolquiver.catalog.stems import stems
from toolquiver.nodes.apis.ids import is_id
from toolquiver.nodes.chain.frames import ChainState, Frame, is_meant, purposes, written_for
from toolquiver.nodes.run import Run

_OFFERED = 4  # APIs a parameter: of more a small model chooses worse
_RANKED = 100
_FRAMES_A_FILL = 4  # frames of one tool, without a draft: a wrong one was looked up among 16,000 APIs for 20,000 tokens
_FRAMES_A_CALL = 3  # frames that the plan may have for each call that may be made: some of them are the same call
_CODE = re.compile(r"(?<!\w)[A-Z\d]{2,}(?!\w)")

Offers = dict[str, list[Feeding]]


async def offers(frame: Frame, api: API, parameters: Sequence[Parameter], state: ChainState, run: Run) -> Offers:
    """For each parameter the APIs that can feed it, the likeliest first; none at the limits of depth and size.

    An API that is on the stack for the same purpose, has failed at it, or was removed, is not offered. A parameter that
    has a default gets no offers: what may be left out is not looked up. Candidates that search found must match by more
    than their type; in a short list that was given the type suffices, if nothing better is there. Where the draft says
    which API gives an argument, that one alone is offered; for a required argument that the draft leaves out, only APIs
    that match it by name.
    """
    most = _FRAMES_A_FILL if state["fills"] and not frame.get("draft") else _FRAMES_A_CALL * run.context.solver_calls
    room = most - len(state["frames"]) - len(frame["wanted"])
    if len(state["stack"]) >= run.context.max_depth or room <= 0:
        return {parameter.name: [] for parameter in parameters}
    pool = await run.apis(state["pool"] if state["allowed"] is None else state["allowed"])
    held = {purpose for frame_id in state["stack"] for purpose in purposes(state["frames"][frame_id], state["frames"])}
    found: Offers = {}
    for parameter in parameters:
        barred = {producer for producer, consumer, name in held if (consumer, name) == (api.id, parameter.name)}
        barred |= {*frame["ruled_out"].get(parameter.name, ()), *state.get("removed", ())}
        fits = [] if _has_default(parameter) else await _fitting(pool, api, parameter, state, run)
        fits = await _written(frame, api, parameter, fits, run) + fits
        if is_meant(frame):
            fits = _as_meant(fits, frame, parameter)
        found[parameter.name] = [fed for fed in fits if fed.api.id not in barred and not _idle(fed, state)][:_OFFERED]
    return found


def _as_meant(fits: Sequence[Feeding], frame: Frame, parameter: Parameter) -> list[Feeding]:
    written = _api_written(frame, parameter)
    if written is None and parameter.required:
        return [fed for fed in fits if fed.fit >= Fit.HELD]
    return [fed for fed in fits if fed.api.id == written]


def _api_written(frame: Frame, parameter: Parameter) -> ApiId | None:
    call = written_for(frame, parameter.name)
    return call["api"] if call else None


async def _written(frame: Frame, api: API, parameter: Parameter, fits: Sequence[Feeding], run: Run) -> list[Feeding]:
    """The API that the draft takes the argument from, if its type allows that and it is not among the others."""
    call = written_for(frame, parameter.name)
    if call is None or any(fed.api.id == call["api"] for fed in fits):
        return []
    return [fed for one in await run.apis([call["api"]]) if (fed := feeding(one, api, parameter)).fit]


def _has_default(parameter: Parameter) -> bool:
    return not parameter.required and "default" in parameter.schema_


def _idle(fed: Feeding, state: ChainState) -> bool:
    """Whether an API that is on the stack already fits by nothing that would need it once more."""
    working = {state["frames"][frame_id]["api"] for frame_id in state["stack"]}
    return fed.api.id in working and fed.fit in (Fit.TYPE, Fit.DESCRIBED)


async def _fitting(
    pool: Sequence[API], consumer: API, parameter: Parameter, state: ChainState, run: Run
) -> list[Feeding]:
    given = state["allowed"] is not None
    every = [feeding(producer, consumer, parameter) for producer in pool]
    own = [fed for fed in every if not _idle(fed, state)]  # what will not be offered sets no measure
    short = given and len(pool) <= run.context.top_k
    least = Fit.TYPE if short and not any(fed.fit > Fit.TYPE for fed in own) else Fit.RESULT
    fits = [fed for fed in own if fed.fit >= least]
    task = f"{state['query']} {state['subtasks'][state['current']]}"
    fits.sort(key=lambda fed: (-fed.fit, _needs_a_code(fed.api) and not _CODE.search(task), _is_one_of_many(fed)))
    if given:
        return fits
    known = {fed.api.id for fed in own}
    more = await asyncio.to_thread(run.catalog.producers_of, consumer, parameter)
    ranks = await asyncio.to_thread(_ranks, f"{state['subtasks'][state['current']]} {parameter.description}", run)
    others = [fed for fed in more if fed.api.id not in known]
    others.sort(key=lambda fed: (fed.fit < Fit.HELD, ranks.get(fed.api.id, _RANKED), -fed.fit))
    return fits + others  # what was found for the goal itself is the likeliest


def _needs_a_code(api: API) -> bool:
    """Whether it has to be told an ID or a code of what it is asked for."""
    return any(is_id(parameter) or stems(parameter.name)[-1:] == ["code"] for parameter in api.required_list())


def _is_one_of_many(fed: Feeding) -> bool:
    """Whether the value lies in a list, of which one must be chosen, or in what nobody has asked for by an input."""
    listed = bool(fed.fields) and all(ITEM in field.path for field in fed.fields)
    return listed or not fed.api.required_list()


def _ranks(text: str, run: Run) -> dict[ApiId, int]:
    return {hit.api.id: rank for rank, hit in enumerate(run.catalog.search(text, _RANKED))}
