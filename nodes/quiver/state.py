"""What a run of quiver keeps. Texts, ids and counters only, so that Studio shows it and a checkpoint holds it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from typing_extensions import TypedDict

from toolquiver.calling import Failure, Observation
from toolquiver.catalog import ApiId
from toolquiver.models import Usage
from toolquiver.nodes.asking import Missing
from toolquiver.nodes.clock import Clocked
from toolquiver.nodes.dialogue import added
from toolquiver.nodes.records import Call, call_record
from toolquiver.nodes.state import ApprovalState, Budgeted, Query, Status
from toolquiver.nodes.waking import Waking, WakingState
from toolquiver.programs import Request

Form = Literal["program", "steps"]
"""How the planner plans: a program, or one call a step."""

Next = (
    Literal["", "program written", "cannot run", "answered at once", "the plan ends"]  # noqa: PYI030 - of plan
    | Literal["its answer is there", "calls next", "it looks something up", "an argument is missing"]  # run
    | Literal["it asks the user", "a call failed", "it goes on", "it gives up"]
    | Literal["the rest is planned anew", "the step before goes too", "nothing left"]  # rollback
    | Literal["complete", "another API is needed", "only the user knows"]  # chain
    | Literal["the program goes on", "the chain goes on", "asks again"]  # ask_user
    | Literal["done", "in doubt", "not done"]  # answer, verify
    | Literal["planned again", "tool agents first", "category agents first", "meta agent first"]  # reflect, hand_over
    | Literal["nothing is answered yet", "at the limit"]
)
"""What a node has decided: the label of the edge that the run takes."""


class Made(Call):
    """One API call, made or refused; `text` is what it returned. `program` counts from 0."""

    request: str
    program: int
    text: str


class Lookup(TypedDict):
    """What a request came to that called no API: a search, a documentation, a reply of the user, an earlier call.

    `asked` is what was searched for or asked.
    """

    request: str
    function: str
    asked: str
    ok: bool
    text: str


class Aim(TypedDict):
    """What a step's program is for: the part of the request, and whether its call answers that part."""

    program: int
    part: int
    ends: bool


class Frame(TypedDict):
    """One call in the making, on the stack of the reverse chain (Reverse Chain, 2.1).

    `missing` are required arguments that are open, `unknown` those of them that nothing gives. A frame above the first
    is there to give its parent's argument `fills`.
    """

    request: Request
    missing: list[str]
    unknown: list[str]
    fills: str


class Statement(TypedDict):
    """A sentence of the answer, the numbers of the calls it stands on, from 0, and whether it stands on none."""

    text: str
    calls: list[int]
    unsupported: bool


class Answer(TypedDict):
    """An answer with its evidence, and what is still missing."""

    text: str
    status: Status
    reason: str
    evidence: list[Statement]
    missing: list[str]


class QuiverState(WakingState, Clocked, Budgeted, ApprovalState, Query):
    """The whole state of quiver.

    `hits` are the APIs that search found first, `pool` all that the planner knows. `messages` is the planner's
    conversation, which only grows. `programs` are what it wrote; by steps `parts` are what must be found out, "" where
    nothing must, and `aims` what the programs are for. `unrunnable` counts those that no call could be made of.
    `requests` are what the program waits for. `banned[t]` are the APIs that have left the list of step t, where t is
    the number of calls in the trail; `set_aside` are the requests of calls that have left the trail. `problem` is how
    the program failed; `wrong` what was wrong with the user's last reply, `asked` how often it was. `proposed` is the
    answer as the program gives it.
    """

    allowed: list[ApiId] | None
    hits: list[ApiId]
    pool: list[ApiId]
    form: Form
    messages: Annotated[list[AnyMessage], added]
    programs: list[str]
    parts: list[str]
    aims: list[Aim]
    unrunnable: int
    calls: Annotated[list[Made], operator.add]
    lookups: Annotated[list[Lookup], operator.add]
    requests: list[Request]
    failed: str
    frames: list[Frame]
    unfilled: list[Missing]
    asked: int
    wrong: str
    problem: str
    banned: list[list[ApiId]]
    set_aside: list[str]
    proposed: str
    decided: Next
    draft: Answer | None
    best: Answer | None
    answer: str
    status: Status
    reason: str
    evidence: list[Statement]
    missing: list[str]


class QuiverResult(TypedDict):
    """What comes out.

    `answer` is in the language of the request; `status` is `solved`, `partial` or `failed`, and `reason` says why.
    `calls` are the API calls in order, `evidence` the statements of the answer with the calls each stands on, `missing`
    what is open, `unfilled` what only the user could have given. `programs` are what the planner wrote, `usage` is in
    tokens by role, `reflections` counts the tries after the first, `wakings` says which agents were woken and why.
    """

    answer: str
    status: Status
    reason: str
    programs: list[str]
    calls: list[Made]
    evidence: list[Statement]
    missing: list[str]
    unfilled: list[Missing]
    usage: Usage
    reflections: int
    wakings: list[Waking]


def made(request: Request, program: int, outcome: Observation | Failure) -> Made:
    """The record of a request's call: what it returned, or how it failed."""
    assert request["api"] is not None
    record = call_record(program, request["api"], request["arguments"], outcome)
    text = "" if isinstance(outcome, Failure) else outcome.text
    return Made(**record, request=request["id"], program=program, text=text)


def call_with(calls: Sequence[Made], request: str) -> Made | None:
    """The call that a request came to, if it was made."""
    return next((call for call in reversed(calls) if call["request"] == request), None)


def trail(state: QuiverState) -> list[Made]:
    """The calls that answered and were not set aside, in order: the steps of the current trajectory."""
    return [call for call in state["calls"] if call["ok"] and call["request"] not in state["set_aside"]]


def failed_before(state: QuiverState, api: ApiId) -> str:
    """How the last call of an API failed, where it did; empty where it answered, or was not called."""
    last = next((call for call in reversed(state["calls"]) if call["api"] == api), None)
    return "" if last is None or last["ok"] else f"{last['failure']}: {last['message']}"


def decided(state: QuiverState) -> Next:
    """The router of most nodes: they write what they have decided into the state."""
    return state["decided"]
