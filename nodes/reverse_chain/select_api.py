"""API selection: the API whose result is the task's (Reverse Chain, 2, step 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from langgraph.types import Overwrite
from pydantic import BaseModel, Field, create_model, model_validator

from toolquiver.catalog import API
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
_SEARCHES = 2  # further searches for candidates, where none were given


class Task(BaseModel):
    """One separate result that the request asks for, and the API that gives it."""

    task: str
    api: str


class Tasks(BaseModel):
    """All results that the request asks for."""

    tasks: list[Task]


class TasksOrSearch(Tasks):
    """The same, or words to search for other APIs with."""

    search: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> TasksOrSearch:
        if not self.tasks and not self.search.strip():
            raise ValueError("tasks: write a task, or words to search with.")
        return self


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
        **{key: [] for key in ("searched", "subtasks", "frames", "stack", "unfilled", "plan", "tree")},
        **dict.fromkeys(("stopped", "wrong", "decided"), ""),
        "asked": 0,
        **NOT_ENDED,
    }


async def select_api(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Select the API that does the task, or none of them; for each task, where a request has several (table 1).

    Every task has a frame, the first one on top of the stack. Where no candidates were given, the model may have the
    catalogue searched again with its own words instead, such as those of the catalogue's language.
    """
    apis = await run.apis(state["pool"])
    decision, cost = await _decided(apis, state, run)
    if isinstance(decision, TasksOrSearch) and not decision.tasks:
        return {**cost, "searched": [*state["searched"], decision.search], "decided": "search again"}
    tasks = decision.tasks if decision else []
    by_function = {api.function: api.id for api in apis}
    frames: list[Frame] = []
    for goal, task in enumerate(tasks):
        if task.api in by_function:
            frames.append(new_frame(frames, by_function[task.api], task=task.task, goal=goal))
    none: AfterSelect = "nothing to plan" if run.context.plan_only else "no API fits"
    return {
        **cost,
        "subtasks": [task.task for task in tasks],
        "frames": frames,
        "stack": [frame["id"] for frame in reversed(frames)],
        "decided": "selected" if frames else none,
    }


async def search_again(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Search the catalogue with the model's words; what is found comes before the other candidates."""
    found = [hit.api.id for hit in await run.hits(state["searched"][-1]) if hit.evidence]
    return {"pool": list(dict.fromkeys([*found, *state["pool"]]))}


async def _decided(
    apis: Sequence[API], state: ReverseChainState, run: Run[ReverseChainContext]
) -> tuple[Tasks | None, Update]:
    """The tasks with their APIs, or words to search with; None where the model gives no valid decision."""
    if not apis:
        return Tasks(tasks=[Task(task=state["query"], api=_NONE)]), {}
    can_search = state["allowed"] is None and len(state["searched"]) < _SEARCHES
    names: Any = Literal[(*(api.function for api in apis), _NONE)]
    task = create_model("Task", __base__=Task, api=(names, ...))
    least, base = (0, TasksOrSearch) if can_search else (1, Tasks)
    several = (list[task], Field(min_length=least, max_length=run.context.max_calls))  # type: ignore[valid-type]
    shape = create_model("Tasks", __base__=base, tasks=several)
    messages = _PROMPT.messages(
        query=state["query"],
        conversation=state["said"],
        apis=[api_line(api, in_full=True) for api in apis],
        none=_NONE,
        can_search=can_search,
        searched=state["searched"],
        **clock(state),
    )
    return await run.decide("select", shape, messages, state)


def after_select(state: ReverseChainState) -> AfterSelect:
    """The edge that the node has decided on."""
    return cast("AfterSelect", state["decided"])
