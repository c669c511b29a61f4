"""What nodes read and write: the shared slices of the graphs' states, and their reducers."""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, NotRequired, cast

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

from toolquiver.calling import Approval
from toolquiver.catalog import ApiId
from toolquiver.models import Usage, add_usage
from toolquiver.nodes.decided import Decided
from toolquiver.nodes.records import Call, Found, Step, is_told
from toolquiver.nodes.responses import Response
from toolquiver.registration import Registered
from toolquiver.surrogates import without_halves

Status = Literal["solved", "partial", "failed"]
"""How a run ended: everything answered, a part of it, nothing."""

Number = int | float
Rounding = Literal["up", "down", "nearest"]
"""To which whole number."""


class Computed(TypedDict):
    """The result of the operation at this place of a formula, counted from 0, as it is or rounded."""

    result: int
    rounding: NotRequired[Rounding]


Term = Number | Computed


class Operation(TypedDict):
    """One call of a formula; where it takes the result of another, that comes before.

    `rounding` is that of the formula's own result, which the last call gives.
    """

    api: ApiId
    arguments: dict[str, Term | list[Term]]
    rounding: NotRequired[Rounding]


class Draft(TypedDict):
    """A call as a model has written it down: values, and calls that arguments are to come from.

    Where `meant` is set, these calls and no others can give the arguments, whatever else fits them by name.
    """

    api: ApiId
    values: dict[str, Any]
    calls: dict[str, Draft]
    meant: NotRequired[bool]


def as_text(_: str, query: str) -> str:
    """The reducer of a question: the new one, without half surrogates, which no request and no file can carry."""
    return cast("str", without_halves(query))


class Query(TypedDict):
    """What goes in: the question, and optionally the ids of the only APIs to use for it."""

    query: Annotated[str, as_text]
    candidates: NotRequired[Annotated[list[ApiId], EphemeralValue]]


class Result(TypedDict):
    """What comes out."""

    answer: str
    status: Status
    reason: str
    subtasks: list[str]
    calls: list[Call]
    usage: Usage


class RegisteredResult(Result):
    """What comes out of a solver, with the turns from which and to which each tool was callable."""

    registered: list[Registered]


class Budgeted(TypedDict):
    """The slice of every state that spends tokens. `stopped` says why no model may be asked any more.

    `refused` is whether that is what a model refuses or cannot read, and not the budget. `spent_before` are tokens of
    the budget that are spent already elsewhere, or kept for others.
    """

    usage: Annotated[Usage, add_usage]
    spent_before: NotRequired[int]
    stopped: str
    refused: NotRequired[bool]


class ApprovalState(TypedDict):
    """The slice of every state that calls APIs: `approval` as the run began, so that resuming cannot loosen it."""

    approval: NotRequired[Approval]


class Searching(Budgeted, ApprovalState, Query):
    """The slice of every state that looks for APIs.

    `allowed` are the only APIs to use, None for all of the catalogue. `subtasks` are what APIs are looked for, and
    `expansions` what they are looked for by.
    """

    allowed: list[ApiId] | None
    subtasks: list[str]
    expansions: dict[str, str]


class Working(Searching):
    """The slice of every state with subtasks: which of them is being worked on, and what came of those before.

    `decided` is what the last deciding node came to, for the node or router after it. `lookups` are the subtasks that
    find out what another one lacked, by that one, each with the arguments' names; `reused` the query's own questions
    that have found such things out, `siblings` the subtasks for other APIs of a tool in use, each with whether the task
    is not answered without it, `unplanned` the questions for which `max_subtasks` has no room.
    """

    current: int
    unplanned: NotRequired[list[str]]
    known: list[Found]
    lookups: NotRequired[dict[str, dict[str, list[str]]]]
    reused: NotRequired[dict[str, list[str]]]
    siblings: NotRequired[dict[str, bool]]
    calls: Annotated[list[Call], operator.add]
    decided: Decided
    answer: str
    status: Status
    reason: str


class PlanState(Working):
    """The slice of the planner.

    `planned` has the API that the planner had in mind for each subtask, if any. The first `sure` subtasks are certainly
    needed.
    """

    planned: list[ApiId | None]
    sure: int


class ExecutorState(PlanState):
    """The slice of the executor, for one subtask at a time (Smurfs, 3.2 and 3.4).

    `pool` holds the subtask's candidates; `tool_lists[t]` is what may still be chosen at step t, and its last list
    is the one in use. `trail` is local memory, the steps of the current trajectory; `history` is global memory,
    the steps of all trajectories. `aim` is the last API that lacked an argument, `missing` are the arguments it
    lacked. `registered` says from which call of the run to which an API was shown in full; all are, unless on demand.
    `doubted` is whether the last step took no notice of something in the task, `unexplained` whether the verifier
    is not content with its answer and can name nothing that is missing. `found` are APIs that agents, or of a
    small catalogue a model, have found, `removed` those not to be used again, `lesson` is why the tries before failed.
    `conversions` is what must be converted before the chosen API can be called. `formula` are the calls that a sum
    takes, where only tools that compute are at hand, `unread` the names to read about, where all tools tell of named
    things; None else. `drafts` are the calls that the planner has written, by subtask. `chained` are the calls that
    chains made for arguments, as steps: no node but evidence reads them. `responses` has what they came to whole, and
    the executor's own calls that change something, so that no chain makes them again.
    """

    pool: list[ApiId]
    tool_lists: list[list[ApiId]]
    trail: list[Step]
    history: Annotated[list[Step], operator.add]
    aim: ApiId | None
    missing: list[str]
    registered: list[Registered]
    doubted: bool
    found: NotRequired[list[ApiId]]
    removed: NotRequired[list[ApiId]]
    lesson: NotRequired[str]
    conversions: NotRequired[list[str]]
    formula: NotRequired[list[Operation]]
    unread: NotRequired[list[str] | None]
    drafts: NotRequired[dict[str, Draft]]
    chained: NotRequired[Annotated[list[Step], operator.add]]
    responses: NotRequired[Annotated[list[Response], operator.add]]
    thought: str
    chosen: ApiId | None
    arguments: dict[str, Any] | None
    observation: str
    step_answer: str
    hint: str
    unexplained: NotRequired[bool]


def calls_of_subtask(state: ExecutorState) -> int:
    """How many calls the current subtask has made or was refused."""
    return sum(call["subtask"] == state["current"] for call in state["calls"])


def steps_of_subtask(state: ExecutorState) -> list[Step]:
    """The steps of the current subtask, of all its trajectories, and of those times that it was tried before."""
    task, subtasks = state["subtasks"][state["current"]], state["subtasks"]
    return [step for step in state["history"] if subtasks[step["subtask"]] == task]


class Planned(TypedDict):
    """What says which tool is planned for the current subtask."""

    current: int
    planned: list[ApiId | None]


def planned_now(state: Planned) -> ApiId | None:
    """The tool that the planner named for the current subtask; None where it named none, or there is no plan."""
    return next(iter(state["planned"][state["current"] :]), None)


def resumed(state: ExecutorState) -> ApiId | None:
    """The tool that lacked an argument, at the step after the one that has found it out."""
    aim, tools = state["aim"], state["tool_lists"][-1]
    if state["subtasks"][state["current"]] in state.get("lookups", {}) and not calls_of_subtask(state):
        aim = state["planned"][state["current"]]
        return aim if aim in tools else None
    ready = state["trail"] and not state["missing"] and aim in tools
    return aim if ready else None


def lookups_of(state: Working) -> dict[str, list[str]]:
    """The subtasks that were put before the current one to find out what it lacked, with the arguments' names."""
    return state.get("lookups", {}).get(state["subtasks"][state["current"]], {})


def built_on(state: Working) -> set[str]:
    """The questions whose answers give what the current subtask lacked."""
    return {*lookups_of(state), *state.get("reused", {}).get(state["subtasks"][state["current"]], [])}


def parents(state: Working) -> list[str]:
    """The subtasks for which the current one is looked up, the nearest first."""
    found, task = list[str](), state["subtasks"][state["current"]]
    while above := [parent for parent, asked in state.get("lookups", {}).items() if task in asked]:
        task = above[0]
        found.append(task)
    return found


def looked_up_here(state: Working) -> list[str]:
    """The arguments that the current subtask looks up for another one."""
    task = state["subtasks"][state["current"]]
    return [name for asked in state.get("lookups", {}).values() for name in asked.get(task, [])]


def current_task(state: Working) -> str:
    """The question of the current subtask, with what is known already of the things it names."""
    from toolquiver.nodes.texts.substitution import with_answers  # noqa: PLC0415 - only Smurfs' executor needs it

    found = ((entry["question"], entry["answer"]) for entry in state["known"] if is_told(entry))
    return with_answers(state["subtasks"][state["current"]], found)
