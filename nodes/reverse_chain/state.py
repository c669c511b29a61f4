"""What a run of Reverse Chain keeps: texts, ids and counters only, for Studio and for checkpoints."""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, NotRequired

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import Usage
from toolquiver.nodes.asking import Missing
from toolquiver.nodes.clock import Clocked
from toolquiver.nodes.records import Call
from toolquiver.nodes.state import ApprovalState, Budgeted, Query, Status

AfterSelect = Literal["selected", "search again", "no API fits", "nothing to plan"]
AfterComplete = Literal[
    "more to complete", "an API gives it", "only the user knows", "complete", "planned only", "the budget is spent"
]
AfterAsking = Literal["it goes on", "asks again", "not given"]
AfterCall = Literal["it gives an argument", "the next call", "all are made"]
AfterTake = Literal["taken", "not in there"]
Decided = Literal[""] | AfterSelect | AfterComplete | AfterAsking | AfterCall | AfterTake
"""What a node came to: the label of the edge that the run takes."""

Origin = Literal["model", "output", "user"]
"""Who gave an argument: the model out of the request or what was said before, another call's output, the user."""

Stage = Literal["open", "planned", "called", "failed"]
"""A call whose arguments are being completed, whose sources are decided, that has answered, that cannot be made."""


class Wanted(TypedDict):
    """A call of an API that was decided on and has no frame yet, with the arguments that it gives."""

    api: ApiId
    gives: list[str]


class Frame(TypedDict):
    """One call of the plan, and what is known of its arguments (Reverse Chain, 2.1).

    `id` is its place in the list of frames. `parent` is the frame whose arguments `fills` it gives; the frame of a task
    has none. `goal` is the task's number. `wanted` are the calls decided on for arguments, `takes` the frames that
    arguments take their values from. `without_value` are arguments for which no value was found, where APIs are asked
    about later. `missing` are required arguments that nobody gives, `left_out` optional ones. `ruled_out` are APIs that
    could not give an argument. `observation` is what the call returned, or why there was none.
    """

    id: int
    parent: int | None
    fills: list[str]
    goal: int
    api: ApiId
    task: str
    arguments: dict[str, Any]
    origins: dict[str, Origin]
    wanted: list[Wanted]
    takes: dict[str, int]
    without_value: list[str]
    missing: list[str]
    left_out: list[str]
    ruled_out: dict[str, list[ApiId]]
    stage: Stage
    observation: str


class PlanNode(TypedDict):
    """A node of the plan's tree, as `toolquiver.trees` draws it; the root, 0, is the question."""

    id: int
    parent: int | None
    label: str
    thought: str
    calls: list[str]
    observations: list[str]
    mark: str


class Asked(Query):
    """What goes in: the question, and optionally the conversation before it, a text or a message a turn."""

    conversation: NotRequired[Annotated[list[str], EphemeralValue]]


class ReverseChainState(Clocked, Budgeted, ApprovalState, Asked):
    """The whole state of Reverse Chain.

    `allowed` are the only APIs to use, None for all of the catalogue; `pool` are the candidates for the tasks,
    `searched` the words that the model had others searched with. `said` is the conversation before the query.
    `subtasks` are the tasks. `frames` are all calls of the plan, `stack` the ids of those in work, the one on top last.
    `unfilled` is what was asked of the user, or would have to be; `asked` counts the wrong replies, `wrong` says what
    was wrong with the last.
    """

    allowed: list[ApiId] | None
    pool: list[ApiId]
    searched: list[str]
    said: list[str]
    subtasks: list[str]
    frames: list[Frame]
    stack: list[int]
    calls: Annotated[list[Call], operator.add]
    unfilled: list[Missing]
    asked: int
    wrong: str
    decided: Decided
    plan: list[str]
    tree: list[PlanNode]
    answer: str
    status: Status
    reason: str


class ReverseChainResult(TypedDict):
    """What comes out: beside the answer the plan as nested calls and as a tree, and what only the user can give."""

    answer: str
    status: Status
    reason: str
    subtasks: list[str]
    calls: list[Call]
    usage: Usage

    plan: list[str]
    tree: list[PlanNode]
    unfilled: list[Missing]
