"""Task planning and tool retrieval, the first two of the four stages (EasyTool, 3.1)."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from langgraph.types import Overwrite
from pydantic import BaseModel, Field, create_model, model_validator

from toolquiver.catalog import ApiId
from toolquiver.contexts import PipelineContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock, clock_at
from toolquiver.nodes.easytool_pipeline.state import AfterPlan, AfterRetrieve, PipelineState
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("easytool/plan")
_RANKED = 100  # hits among which the APIs that are given are ranked


class Subtask(BaseModel):
    """What one call can do, and the numbers of the earlier subtasks, from 1, whose results it needs."""

    task: str = Field(min_length=1)
    after: list[int] = Field(default_factory=list)


class TaskPlan(BaseModel):
    """The subtasks in the order in which they are done."""

    subtasks: list[Subtask]

    @model_validator(mode="after")
    def _needs_only_earlier_ones(self) -> TaskPlan:
        for number, one in enumerate(self.subtasks, 1):
            if any(not 0 < other < number for other in one.after):
                raise ValueError(f"Subtask {number} can only come after earlier ones: give numbers below {number}.")
        return self


async def plan(state: PipelineState, run: Run[PipelineContext]) -> Update:
    """Begin a run afresh: split the request into subtasks with their dependencies.

    Where the model gives no valid plan, the request is the only subtask. No subtask means that no tool is needed.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or there is no such time zone.
    """
    given = await candidates_given(state, run)
    begun: Update = {
        "allowed": given,
        "approval": run.context.approval,
        **clock_at(run.context.today, run.context.time_zone),
        "calls": Overwrite([]),
        **{key: [] for key in ("pool", "tried", "outcomes", "missing")},
        "current": 0,
        "chosen": None,
        "arguments": {},
        "problem": "",
        "usage": {},
        "stopped": "",
        **NOT_ENDED,
    }
    fresh = cast("PipelineState", {**state, **begun})
    messages = _PROMPT.messages(query=state["query"], most=run.context.max_subtasks, **clock(fresh))
    shape: Any = create_model(
        "TaskPlan", __base__=TaskPlan, subtasks=(list[Subtask], Field(max_length=run.context.max_subtasks))
    )
    decision, cost = await run.decide("plan", shape, messages, fresh)
    subtasks = decision.subtasks if decision else [Subtask(task=state["query"])]
    return {
        **begun,
        **cost,
        "usage": Overwrite(cost.get("usage", {})),
        "subtasks": [one.task for one in subtasks],
        "after": [[number - 1 for number in one.after] for one in subtasks],
        "decided": "subtasks planned" if subtasks else "no tool is needed",
    }


async def retrieve(state: PipelineState, run: Run[PipelineContext]) -> Update:
    """Take the K tools (`top_k`) that are most like the current subtask. No model is asked.

    Where the only APIs to use are given, they are ranked, those that search does not find last.
    """
    task, allowed = state["subtasks"][state["current"]], state["allowed"]
    if allowed is None:
        pool = [api.id for api in await run.best(task)]
    else:
        hits = await asyncio.to_thread(run.catalog.search, task, _RANKED)
        found: list[ApiId] = [hit.api.id for hit in hits if hit.api.id in allowed]
        pool = [*found, *(api for api in allowed if api not in found)][: run.context.top_k]
    update: Update = {"pool": pool, "tried": [], "chosen": None, "arguments": {}}
    if pool:
        return update | {"decided": "tools found"}
    return update | {"problem": "Search finds no tool for it.", "decided": "no tool found"}


def after_plan(state: PipelineState) -> AfterPlan:
    """Whether there is a subtask."""
    return cast("AfterPlan", state["decided"])


def after_retrieve(state: PipelineState) -> AfterRetrieve:
    """Whether there is a tool to select."""
    return cast("AfterRetrieve", state["decided"])
