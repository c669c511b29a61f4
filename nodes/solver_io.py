"""What a solver takes and gives: shared by the solvers and by a graph that embeds one (AnyTool, 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

from langchain_core.messages import AnyMessage
from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import Usage
from toolquiver.nodes.records import Call
from toolquiver.nodes.state import ApprovalState, Query, Status
from toolquiver.registration import Grown, Registered

Mark = Literal["open", "failed", "given up", "answered"]
"""What became of a node: it can be gone on from, its calls failed, the model went back, it has the answer."""


class GivenUp(TypedDict):
    """Why the model gave up, and which of the candidates it says are of no use or do not work."""

    reason: str
    failed: list[ApiId]


class SolverCall(Call):
    """One call, made or refused.

    `number` counts from 1, after the calls that were handed over. `turn` is the model's turn that asked for it, `text`
    what it returned, whole, and `cut` is whether the model saw only the beginning of that.
    """

    number: int
    turn: int
    text: str
    cut: bool


class TreeNode(TypedDict):
    """A turn of the model in a depth-first search: its thought, its calls as text, and what each came to.

    `parent` is None at the root, which stands for the question. `messages` are those of this turn alone. `registered`
    is what was registered after it.
    """

    id: int
    parent: int | None
    turn: int
    thought: str
    calls: list[str]
    observations: list[str]
    mark: Mark
    messages: list[AnyMessage]
    registered: list[Registered]


def with_nodes(tree: Sequence[TreeNode], writes: Sequence[Sequence[TreeNode]]) -> list[TreeNode]:
    """The reducer: the tree with these nodes, each at the place that its id says; checkpoints hold only those."""
    nodes = {node["id"]: node for node in [*tree, *(node for write in writes for node in write)]}
    return [nodes[place] for place in sorted(nodes)]


class SolverInput(Query):
    """What goes into a solver; `earlier` is a conversation to go on with."""

    earlier: NotRequired[Annotated[list[AnyMessage], EphemeralValue]]


class Handed(SolverInput, ApprovalState):
    """What a graph hands to a solver within it: also `pool`, the only APIs to use.

    `registered_before` are the APIs that `earlier` says are registered. `made` are the calls that were made then:
    nobody is asked again about those that the user refused. `spent` are tokens of the budget that are spent already, or
    kept for others.
    """

    pool: list[ApiId]
    registered_before: NotRequired[Annotated[list[ApiId], EphemeralValue]]
    made: NotRequired[Annotated[list[Call], EphemeralValue]]
    spent: NotRequired[Annotated[int, EphemeralValue]]


class SolverResult(TypedDict):
    """What comes out of a solver.

    `status` is `solved`, `partial` or `failed`, and `reason` says why. `given_up` is set where the model gave up.
    `registered` says from which turn to which an API was callable, `messages` is the conversation after the prompt.
    """

    answer: str
    status: Status
    reason: str
    calls: list[SolverCall]
    usage: Usage
    registered: list[Registered]
    messages: list[AnyMessage]
    given_up: GivenUp | None


class DfsdtHandedBack(SolverResult):
    """The same with the tree of the search."""

    tree: list[TreeNode]


class ReactResult(SolverResult):
    """The same, with `growth`: how many APIs were registered at the beginning of each turn, out of how many."""

    growth: list[Grown]


class DfsdtResult(DfsdtHandedBack):
    """The same with `growth` as in `ReactResult`."""

    growth: list[Grown]
