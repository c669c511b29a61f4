"""A plan of calls, each with all that it takes: those of a script about things that have IDs, or of a nested call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

from toolquiver.catalog import API
from toolquiver.catalog.fits import Fit, feeding
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.draft import nested
from toolquiver.nodes.chain.frames import ChainState
from toolquiver.nodes.executor.calculate import by_formula
from toolquiver.nodes.executor.read import by_reading
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.drafts import Written, told_apart
from toolquiver.nodes.scripts.entity_draft import Request, by_entities, with_things
from toolquiver.nodes.state import Draft, ExecutorState, calls_of_subtask, current_task

_RANKED = 1_000


async def scripted(state: ExecutorState, run: Run) -> Update:
    """Subtasks, their tools and their calls as they are written down, and what it cost; none where nothing is.

    A script is written where APIs need IDs that others give; a nested call where few tools are given that feed each
    other. Of one call the query is the subtask.
    """
    if not (run.context.drafts and run.context.chain_missing):
        return {}
    query = state["query"]
    if apis := await with_things(state["allowed"], run):
        goals, cost = await by_entities(apis, Request(query, [query] if run.context.grounding else None), state, run)
    else:
        goals, cost = await _nested(state, run)
    most = run.context.max_subtasks
    goals, unplanned = goals[:most], [goal.words for goal in goals[most:]]
    if not goals:
        return cost
    subtasks = told_apart([goal.words for goal in goals]) if goals[1:] else [query]
    return {
        "subtasks": subtasks,
        "planned": [goal.draft["api"] for goal in goals],
        "drafts": dict(zip(subtasks, (goal.draft for goal in goals), strict=True)),
        "sure": len(subtasks),
        "unplanned": unplanned,
        **cost,
    }


async def _nested(state: ExecutorState, run: Run) -> tuple[list[Written], Update]:
    """What a nested call comes to where few tools are given and one gives what another needs, and what it cost."""
    apis = await run.apis(state["allowed"] or [])
    if len(apis) > run.context.top_k or by_formula(apis, run) or by_reading(apis, run):
        return [], {}
    if not await asyncio.to_thread(_feed_each_other, apis):
        return [], {}
    goal = cast("ChainState", {**state, "subtasks": [state["query"]], "current": 0, "said": []})
    return await nested(apis, goal, run, given=True)


def _feed_each_other(apis: Sequence[API]) -> bool:
    """Whether what one of the APIs returns can be what another one needs, for more than its type."""
    return any(
        feeding(producer, consumer, parameter).fit > Fit.TYPE
        for consumer in apis
        for parameter in consumer.required_list()
        for producer in apis
        if producer is not consumer
    )


async def beside(draft: Draft, apis: Sequence[API], task: str, run: Run) -> list[API]:
    """The API of a written call, and of the others those that fit the task best, for where the call fails."""
    ranks = {hit.api.id: rank for rank, hit in enumerate(await run.hits(task, _RANKED))}
    best = sorted(apis, key=lambda api: (api.id != draft["api"], ranks.get(api.id, _RANKED)))
    return best[: run.context.top_k]


def draft_of(state: ExecutorState) -> Draft | None:
    """The call that the planner has written for the current subtask, before anything was tried, now or earlier."""
    draft = state.get("drafts", {}).get(current_task(state))
    return None if calls_of_subtask(state) or state.get("lesson") else draft
