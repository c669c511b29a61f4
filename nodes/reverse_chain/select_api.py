"""API selection: the API whose result is the task's (Reverse Chain, 2, step 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from langgraph.types import Overwrite
from pydantic import BaseModel, Field, create_model

from toolquiver.catalog import API, ApiId
from toolquiver.contexts import ReverseChainContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock, clock_at
from toolquiver.nodes.describe import api_line
from toolquiver.nodes.question import candidates_given, conversation_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.reverse_chain.frames import new_frame
from toolquiver.nodes.reverse_chain.state import AfterSelect, Frame, ReverseChainState
from toolquiver.nodes.run import Run
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("reverse_chain/select_api")
_NONE = "none of these"  # no function is called so: their names have no spaces


class Task(BaseModel):
    """One separate result that the request asks for, and the API that gives it."""

    task: str
    api: str


class Tasks(BaseModel):
    """All results that the request asks for."""

    tasks: list[Task]


async def begin(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Begin a run afresh, with the candidates that are given, or that search finds. No model is asked.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, the conversation is no list, or there is no
            such time zone.
    """
    given = await candidates_given(state, run)
    pool = [api.id for api in await run.best(state["query"])] if given is None else given
    return {
        **clock_at(run.context.today, run.context.time_zone),
        "approval": run.context.approval,
        "allowed": given,
        "pool": pool,
        "said": conversation_given(state.get("conversation")),
        "calls": Overwrite([]),
        "usage": Overwrite({}),
        **{key: [] for key in ("subtasks", "frames", "stack", "unfilled", "plan", "tree")},
        **dict.fromkeys(("stopped", "wrong", "decided"), ""),
        "asked": 0,
        **NOT_ENDED,
    }


async def select_api(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Select the API that does the task, or none of them; for each task, where a request has several (table 1).

    Every task has a frame, the first one on top of the stack.
    """
    apis = await run.apis(state["pool"])
    tasks, cost = await _tasks(apis, state, run) if apis else ([(state["query"], None)], Update())
    frames: list[Frame] = []
    for goal, (task, api) in enumerate(tasks):
        if api is not None:
            frames.append(new_frame(frames, api, task=task, goal=goal))
    none: AfterSelect = "nothing to plan" if run.context.plan_only else "no API fits"
    return {
        **cost,
        "subtasks": [task for task, _ in tasks],
        "frames": frames,
        "stack": [frame["id"] for frame in reversed(frames)],
        "decided": "selected" if frames else none,
    }


async def _tasks(
    apis: Sequence[API], state: ReverseChainState, run: Run[ReverseChainContext]
) -> tuple[list[tuple[str, ApiId | None]], Update]:
    """The tasks with their APIs; none where the model gives no valid decision."""
    by_function: dict[str, ApiId | None] = {api.function: api.id for api in apis}
    names = Literal[(*by_function, _NONE)]  # type: ignore[valid-type]
    task = create_model("Task", __base__=Task, api=(names, ...))
    several = (list[task], Field(min_length=1, max_length=run.context.max_calls))  # type: ignore[valid-type]
    shape = create_model("Tasks", __base__=Tasks, tasks=several)
    messages = _PROMPT.messages(
        query=state["query"],
        conversation=state["said"],
        apis=[api_line(api, in_full=True) for api in apis],
        none=_NONE,
        **clock(state),
    )
    decision, cost = await run.decide("select", shape, messages, state)
    return [(one.task, by_function.get(one.api)) for one in decision.tasks] if decision else [], cost


def after_select(state: ReverseChainState) -> AfterSelect:
    """The edge that the node has decided on."""
    return cast("AfterSelect", state["decided"])
