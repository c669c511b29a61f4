"""What a run of a solver keeps. Texts, ids, counters and messages only, so that a checkpoint holds it."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NotRequired, cast

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel
from langgraph.types import Send
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.nodes.clock import Clocked
from toolquiver.nodes.dialogue import CallRequest, conversed, joined
from toolquiver.nodes.records import Call
from toolquiver.nodes.solver_io import GivenUp, SolverCall, TreeNode, with_nodes
from toolquiver.nodes.state import ApprovalState, Budgeted, Query, Status
from toolquiver.registration import REGISTER, UNREGISTER, Grown, Registered

SEARCH, DOCS, SHOW = "search_apis", "api_docs", "show_result"
"""The functions that look something up and call no API."""

Requested = Literal["registers", "looks up", "calls", "no call is left"]
"""What the requests of a turn lead to."""

AfterBegin = Literal["APIs found", "no API fits"]
AfterAct = Requested | Literal["says nothing", "ends"]
AfterObserve = Literal["next turn", "the steps are used up"]
AfterExplore = Requested | Literal["says nothing", "goes back", "ends"]
AfterGrow = Literal["goes deeper", "goes back"]
AfterBackUp = Literal["tries again", "all tried"]

Decided = (
    Literal[
        "",
        "acts",
        "answers",
        "answers in part",
        "gives up",
        "no answer came",
        "out of budget",
    ]
    | AfterBegin
    | AfterAct
    | AfterObserve
    | AfterExplore
    | AfterGrow
    | AfterBackUp
)
"""What a node came to."""


class Outcome(TypedDict):
    """What came of the request at this place of a turn, as the model sees it.

    `registered` and `unregistered` are APIs that it has made callable, or put away; `found` are new candidates.
    """

    place: int
    text: str
    ok: bool
    registered: NotRequired[list[ApiId]]
    unregistered: NotRequired[list[ApiId]]
    found: NotRequired[list[ApiId]]


class SolverState(Clocked, Query, Budgeted, ApprovalState):
    """The slice of both solvers.

    `pool` are the APIs that may be used; the first `listed` of them are those that the run began with. `allowed` is
    whether these are the only ones. `now` is the run's clock, an ISO time, and `zone` its zone. `messages` is the
    conversation after the prompt. `requests` are what the last turn asks for, `outcomes` what they came to so far.
    `turn` counts the turns, `calls_left` is how many calls this one may make. `registered` says from which
    turn to which an API was callable, `growth` how many were at the beginning of each turn. `made_before` are the calls
    made before the run began.
    """

    pool: list[ApiId]
    listed: int
    allowed: bool
    messages: Annotated[list[AnyMessage], DeltaChannel(conversed, list)]
    requests: list[CallRequest]
    outcomes: Annotated[list[Outcome], operator.add]
    turn: int
    calls_left: int
    registered: list[Registered]
    growth: Annotated[list[Grown], operator.add]
    made_before: list[Call]
    calls: Annotated[list[SolverCall], DeltaChannel(joined, list)]
    given_up: GivenUp | None
    decided: Decided
    answer: str
    status: Status
    reason: str


class DfsdtState(SolverState):
    """The slice of a depth-first search: also the tree, and the node that it is at.

    `messages` is the conversation of the way to that node.
    """

    tree: Annotated[list[TreeNode], DeltaChannel(with_nodes, list)]
    at: int


def all_calls(state: SolverState) -> list[Call]:
    """The calls that were made before the run, and in it."""
    return [*state.get("made_before", ()), *state["calls"]]


def number_of(call: Call) -> int:
    """The number by which the model knows a call; 0 where it has none."""
    return int(cast("dict[str, Any]", call).get("number", 0))


def kind_of(request: CallRequest) -> Literal["registers", "looks up", "calls"]:
    """Which node serves a request."""
    if request["name"] in (REGISTER, UNREGISTER):
        return "registers"
    return "looks up" if request["name"] in (SEARCH, DOCS, SHOW) else "calls"


_NODES: dict[str, str] = {"registers": "register", "looks up": "look_up", "calls": "call"}
_NEEDED = (
    *(
        "approval",
        "allowed",
        "pool",
        "listed",
        "calls",
        "made_before",
        "registered",
        "requests",
        "turn",
        "usage",
        "spent_before",
    ),
    *("tree", "at"),
)


def requested(state: SolverState) -> list[Send] | Literal["no call is left"]:
    """A node visit for each request of the turn, side by side; calls over the limit of the run get none."""
    return list(_visits(state)) or "no call is left"


def _visits(state: SolverState) -> Iterator[Send]:
    first = max((number_of(call) for call in all_calls(state)), default=0) + 1
    kept = {key: value for key, value in state.items() if key in _NEEDED}
    new, settled = 0, {one["place"] for one in state["outcomes"]}
    for place, request in enumerate(state["requests"]):
        kind = kind_of(request)
        if place in settled or (kind == "calls" and new >= state["calls_left"]):
            continue
        yield Send(_NODES[kind], {**kept, "place": place, "number": first + new})
        new += kind == "calls"


class Visit(SolverState):
    """What a node gets that serves one request of a turn: which of them, and the number that a call of it has."""

    place: int
    number: int
    tree: NotRequired[list[TreeNode]]
    at: NotRequired[int]


def outcome(
    state: Visit,
    text: str,
    *,
    ok: bool = True,
    registered: Sequence[ApiId] = (),
    unregistered: Sequence[ApiId] = (),
    found: Sequence[ApiId] = (),
) -> dict[str, list[Outcome]]:
    """The update of a node that has served a request."""
    came = Outcome(place=state["place"], text=text, ok=ok)
    if registered:
        came["registered"] = list(registered)
    if unregistered:
        came["unregistered"] = list(unregistered)
    if found:
        came["found"] = list(found)
    return {"outcomes": [came]}
