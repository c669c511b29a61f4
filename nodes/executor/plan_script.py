"""A plan of calls, each with all that it takes: those of a script about things that have IDs, or of a nested call."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import API
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.executor.plan_nested import nested_plan
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.drafts import told_apart
from toolquiver.nodes.scripts.entity_draft import Request, by_entities, with_things
from toolquiver.nodes.state import Draft, ExecutorState, calls_of_subtask, current_task

_RANKED = 1_000


async def scripted(state: ExecutorState, run: Run) -> Update:
    """Subtasks, their tools and their calls as they are written down, and what it cost; none where nothing is.

    A script is written where APIs need IDs that others give; a nested call where few tools, given or found, feed each
    other. Of one call the query is the subtask.
    """
    if not (run.context.drafts and run.context.chain_missing):
        return {}
    query = state["query"]
    if apis := await with_things(state["allowed"], run):
        goals, cost = await by_entities(apis, Request(query, [query] if run.context.grounding else None), state, run)
    else:
        goals, cost = await nested_plan(state, run)
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


async def beside(draft: Draft, apis: Sequence[API], task: str, run: Run) -> list[API]:
    """The API of a written call, and of the others those that fit the task best, for where the call fails."""
    ranks = {hit.api.id: rank for rank, hit in enumerate(await run.hits(task, _RANKED))}
    best = sorted(apis, key=lambda api: (api.id != draft["api"], ranks.get(api.id, _RANKED)))
    return best[: run.context.top_k]


def draft_of(state: ExecutorState) -> Draft | None:
    """The call that the planner has written for the current subtask, before anything was tried, now or earlier."""
    draft = state.get("drafts", {}).get(current_task(state))
    return None if calls_of_subtask(state) or state.get("lesson") else draft
