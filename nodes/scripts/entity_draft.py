"""A draft where things have IDs: a script about the things, in which code puts the IDs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from toolquiver.catalog import API, ApiId, Catalog
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import remembered
from toolquiver.nodes.records import Found
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.drafted_goals import goals_of
from toolquiver.nodes.scripts.drafts import Written, read_drafts
from toolquiver.nodes.scripts.entities import read_script
from toolquiver.nodes.scripts.entity_meanings import Unknown
from toolquiver.nodes.scripts.entity_names import MOST_LISTED, about_things, entity_lines, short_names
from toolquiver.nodes.scripts.left_out import Texts
from toolquiver.nodes.scripts.nested_calls import through
from toolquiver.nodes.shapes import choice_among
from toolquiver.nodes.state import Budgeted, Draft
from toolquiver.prompts import load_prompt

_SCRIPT, _MEANT = load_prompt("entities"), load_prompt("meant")
_MOST_ASKED = 3  # fields that no result has, and functions that are not there
_NONE = "none"


async def with_things(given: list[ApiId] | None, run: Run) -> list[API]:
    """The APIs for a script about things: those that were given, or all of a small catalogue; else none."""
    apis = await asyncio.to_thread(_small, run.catalog) if given is None else await run.apis(given)
    return apis if await asyncio.to_thread(about_things, apis, run.context.top_k) else []


def _small(catalog: Catalog) -> list[API]:
    return catalog.apis() if len(catalog) <= MOST_LISTED else []


class Request(NamedTuple):
    """What a script is for: the task, where its values have to stand, what was said before and what is known."""

    task: str
    texts: Texts
    said: Sequence[str] = ()
    known: Sequence[Found] = ()


async def by_entities(apis: Sequence[API], request: Request, state: Budgeted, run: Run) -> tuple[list[Written], Update]:
    """What a script about things comes to, as goals, and what asking cost; none where no line calls anything.

    Where it takes from a result what no API returns by that name, calls what is not there, or searches for a name that
    can be several things, the model is asked which API is meant.
    """
    functions, task = short_names(apis), request.task
    messages = _SCRIPT.messages(
        tools=entity_lines(functions),
        conversation=[*request.said],
        known=remembered([*request.known]),
        query=task,
    )
    answer, spent = await run.turn("draft", [], messages, state)
    if answer is None:
        return [], spent
    told = dict[tuple[ApiId, str], ApiId | None]()
    try:
        read = await asyncio.to_thread(read_script, str(answer.text), functions, told, task)
        while read.unknown and len(told) < _MOST_ASKED and "stopped" not in spent:
            one = read.unknown[0]
            told[one.source, one.name], cost = await _meant(one, task, after(state, spent), run)
            spent = both(spent, cost)
            read = await asyncio.to_thread(read_script, str(answer.text), functions, told, task)
        written = read_drafts(read.text, apis, task)
    except ValueError:
        return [], spent
    goals = goals_of(written, {api.id: api for api in apis}, task, request.texts, described=True)
    return [one._replace(draft=through(one.draft, _as_meant)) for one in goals], spent


def _as_meant(call: Draft) -> Draft:
    return {**call, "meant": True}


async def _meant(unknown: Unknown, task: str, state: Budgeted, run: Run) -> tuple[ApiId | None, Update]:
    """The API that tells a field of a thing, or that a function is meant for, as the model chooses, if any is."""
    options = short_names(unknown.options)
    messages = _MEANT.messages(
        tools=[*entity_lines(options), f"{_NONE}: no function does"],
        query=task,
        name=unknown.name,
        thing=unknown.thing,
        named=unknown.named,
    )
    decision, cost = await run.decide("draft", choice_among([*options, _NONE]), messages, state)
    chosen = options.get(decision.tool) if decision else None
    return chosen.id if chosen else None, cost
