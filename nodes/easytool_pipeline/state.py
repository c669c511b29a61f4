"""What a run of the four stages keeps. Texts, ids and counters only (EasyTool, 3.1)."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.marks import as_data
from toolquiver.nodes.clock import Clocked
from toolquiver.nodes.records import Call
from toolquiver.nodes.room import cut
from toolquiver.nodes.state import ApprovalState, Budgeted, Query, Status

AfterPlan = Literal["subtasks planned", "no tool is needed"]
AfterRetrieve = Literal["tools found", "no tool found"]
AfterSelect = Literal["a tool is selected", "no tool is selected"]
AfterFill = Literal["filled", "select another tool", "tries used up"]
AfterExecute = Literal["answered", "select another tool", "tries used up"]
AfterAdvance = Literal["next subtask", "all done"]
Next = Literal[""] | AfterPlan | AfterRetrieve | AfterSelect | AfterFill | AfterExecute | AfterAdvance
"""What a node came to: the label of the edge that the run takes."""

_LEAST = 400  # characters of a result that are shown, however many there are


class Made(Call):
    """A call that was made or refused; `text` is what it returned."""

    text: str


class Tried(TypedDict):
    """A tool that did not do the subtask, and why."""

    api: ApiId
    why: str


class Outcome(TypedDict):
    """What a subtask came to: the result of its call, or why there is none."""

    ok: bool
    text: str


class PipelineState(Clocked, Budgeted, ApprovalState, Query):
    """The whole state of the pipeline.

    `allowed` are the only APIs to use, None for all of the catalogue. `now` is the run's clock, an ISO time, and `zone`
    its zone. `after[i]` are the numbers, from 0, of the subtasks whose results subtask i needs. `pool` are the
    tools that were retrieved for the `current` subtask, `tried` those of them that did not do it. `outcomes` has an
    entry for each subtask that has come to its end. `problem` is why the current one is not done yet.
    """

    allowed: list[ApiId] | None
    subtasks: list[str]
    after: list[list[int]]
    current: int
    pool: list[ApiId]
    tried: list[Tried]
    chosen: ApiId | None
    arguments: dict[str, Any]
    outcomes: list[Outcome]
    calls: Annotated[list[Made], operator.add]
    problem: str
    decided: Next
    missing: list[str]
    answer: str
    status: Status
    reason: str


class PipelineResult(TypedDict):
    """What comes out.

    `answer` is in the language of the request; `status` is `solved`, `partial` or `failed`, and `reason` says why.
    `subtasks` is the plan, `calls` are the API calls in order, each with its subtask, `missing` is what of the request
    stays open, `usage` is in tokens by role.
    """

    answer: str
    status: Status
    reason: str
    subtasks: list[str]
    calls: list[Made]
    missing: list[str]
    usage: dict[str, Any]


def results(state: PipelineState, room: int) -> list[dict[str, Any]]:
    """What the subtasks came to so far, as prompts show it; each has an equal part of `room`, in characters."""
    each = max(_LEAST, room // max(1, len(state["outcomes"])))
    return [
        {"number": number, "task": task, "outcome": _shown(outcome, each)}
        for number, (task, outcome) in enumerate(zip(state["subtasks"], state["outcomes"], strict=False), 1)
    ]


def _shown(outcome: Outcome, most: int) -> str:
    if not outcome["ok"]:
        return f"It was not done: {outcome['text']}"
    return f"<result>{as_data(cut(outcome['text'], most))}</result>"


def not_tried(state: PipelineState) -> Sequence[ApiId]:
    """The tools of the current subtask that are left to select from."""
    gone = {one["api"] for one in state["tried"]}
    return [api for api in state["pool"] if api not in gone]
