"""A plan where things have IDs: the calls of a script about them, each with all that it takes, are the subtasks."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import API
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.entity_draft import Request, by_entities, with_things
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Draft, Executed, calls_of_subtask, current_task

DRAFTED = "drafted"
_RANKED = 1_000


async def scripted(state: Executed, run: Run) -> Update:
    """Subtasks, their tools and their calls as a script has them, and what it cost; no subtasks where there is none.

    Of one call the query is the subtask.
    """
    apis = await with_things(state["allowed"], run) if run.context.drafts else []
    if not apis:
        return {}
    query = state["query"]
    goals, cost = await by_entities(apis, Request(query, [query] if run.context.grounding else None), state, run)
    goals = goals[: run.context.max_subtasks]
    if not goals:
        return cost
    subtasks = told_apart([goal.words for goal in goals]) if goals[1:] else [query]
    return {
        "subtasks": subtasks,
        "planned": [goal.draft["api"] for goal in goals],
        "drafts": dict(zip(subtasks, (goal.draft for goal in goals), strict=True)),
        "sure": len(subtasks),
        **cost,
    }


async def beside(draft: Draft, apis: Sequence[API], task: str, run: Run) -> list[API]:
    """The API of a written call, and of the others those that fit the task best, for where the call does not do."""
    ranks = {hit.api.id: rank for rank, hit in enumerate(await run.hits(task, _RANKED))}
    best = sorted(apis, key=lambda api: (api.id != draft["api"], ranks.get(api.id, _RANKED)))
    return best[: run.context.top_k]


def told_apart(words: Sequence[str]) -> list[str]:
    """What is said of each goal, with a number where that is said of one before."""
    return [
        f"{said} ({times})" if (times := list(words[: place + 1]).count(said)) > 1 else said
        for place, said in enumerate(words)
    ]


def draft_of(state: Executed) -> Draft | None:
    """The call that the planner has written for the current subtask, before anything was tried."""
    draft = state.get("drafts", {}).get(current_task(state))
    return None if calls_of_subtask(state) else draft
