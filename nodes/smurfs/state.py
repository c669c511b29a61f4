"""What a run of Smurfs keeps. Texts, ids and counters only, so that Studio shows it and a checkpoint holds it."""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, TypeVar

from typing_extensions import TypedDict

from toolquiver.calling import Failure, Observation
from toolquiver.catalog import ApiId
from toolquiver.models import Usage
from toolquiver.nodes.clock import Clocked
from toolquiver.nodes.records import Call, call_record
from toolquiver.nodes.state import ApprovalState, Budgeted, Query, Status
from toolquiver.registration import Registered

AfterCheck = Literal["needs a tool", "needs no tool"]
AfterReply = Literal["answered directly", "needs a tool after all"]
AfterRetrieve = Literal["tools found", "no tool found"]
AfterChoose = Literal["chosen", "none of these", "no valid choice"]
AfterFill = Literal["complete", "cannot fill", "out of budget"]
AfterCall = Literal["answered", "failed"]
AfterRollback = Literal["choose again", "no tool left", "at the limit"]
AfterStepBack = Literal["choose again", "no tool left", "nothing left"]
AfterVerify = Literal["subtask done", "not yet", "at the limit"]
AfterRecord = Literal["next subtask", "all done"]
Next = (
    Literal["", "concluded"]
    | AfterCheck
    | AfterReply
    | AfterRetrieve
    | AfterChoose
    | AfterFill
    | AfterCall
    | AfterRollback
    | AfterStepBack
    | AfterVerify
    | AfterRecord
)
"""What a node came to: the label of the edge that the run takes."""

Decided = TypeVar("Decided", bound=str)


class Made(Call):
    """One API call, made or refused; `text` is what it returned."""

    text: str


class Step(TypedDict):
    """A memory element: the thought and the answer of one step, and the call behind it (Smurfs, 3.2).

    `call` is the call's place in `calls`. `hint` is the verifier's word on the answer.
    """

    subtask: int
    thought: str
    answer: str
    api: ApiId
    call: int
    hint: str


class Known(TypedDict):
    """What a subtask came to; it is `solved` if the verifier says so, or it needed no tool."""

    question: str
    answer: str
    solved: bool


class SmurfsState(Clocked, Budgeted, ApprovalState, Query):
    """The whole state of Smurfs.

    `allowed` are the only APIs to use, None for all of the catalogue. `current` is the place of the subtask at work,
    `known` what those before it came to.

    `pool` are the candidates of the subtask. `tool_lists[t]` is what may still be chosen at step t; the last list is
    the one in use. `trail` is local memory: the steps of the current trajectory, t of them. `history` is global memory:
    the steps of all trajectories and subtasks; it only grows. `hint` is the verifier's word on the last step of the
    trail. `registered` says from which call on which API was listed in full, with registration on demand.

    `thought`, `chosen`, `arguments`, `returned` (the place of its call in `calls`) and `step_answer` are of the step at
    work.
    """

    allowed: list[ApiId] | None
    subtasks: list[str]
    current: int
    known: list[Known]
    pool: list[ApiId]
    tool_lists: list[list[ApiId]]
    trail: list[Step]
    history: Annotated[list[Step], operator.add]
    hint: str
    registered: list[Registered]
    thought: str
    chosen: ApiId | None
    arguments: dict[str, Any] | None
    calls: Annotated[list[Made], operator.add]
    returned: int
    step_answer: str
    decided: Next
    answer: str
    status: Status
    reason: str
    missing: list[str]


class SmurfsResult(TypedDict):
    """What comes out.

    `answer` is in the language of the request; `status` is `solved`, `partial` or `failed`, and `reason` says why.
    `subtasks` are the planner's, `calls` the API calls in order, made and refused, each with what it returned.
    `missing` is what is open. `registered` says from which call and up to which each tool was listed in full, with
    registration on demand. `usage` is in tokens by role.
    """

    answer: str
    status: Status
    reason: str
    subtasks: list[str]
    calls: list[Made]
    missing: list[str]
    registered: list[Registered]
    usage: Usage


def made(state: SmurfsState, arguments: dict[str, Any], outcome: Observation | Failure) -> Made:
    """The record of a call of the chosen API: what it returned, or how it failed."""
    assert state["chosen"] is not None
    text = outcome.text if isinstance(outcome, Observation) else ""
    return Made(**call_record(state["current"], state["chosen"], arguments, outcome), text=text)


def task(state: SmurfsState) -> str:
    """The subtask at work."""
    return state["subtasks"][state["current"]]


def calls_here(state: SmurfsState) -> list[Made]:
    """The calls of the subtask at work, made and refused."""
    return [call for call in state["calls"] if call["subtask"] == state["current"]]


def steps_here(state: SmurfsState) -> list[Step]:
    """Global memory of the subtask at work: the steps of all its trajectories."""
    return [step for step in state["history"] if step["subtask"] == state["current"]]
