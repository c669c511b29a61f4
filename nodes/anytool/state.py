"""What AnyTool's loop around search and solver keeps. Texts, ids and counters only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeVar

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.nodes.dialogue import joined
from toolquiver.nodes.search_io import Numbers, RetrieverResult, SearchEnd
from toolquiver.nodes.solver_io import GivenUp, Handed, SolverCall, TreeNode
from toolquiver.nodes.state import Budgeted, Status
from toolquiver.nodes.waking import Waking, WakingState
from toolquiver.registration import Registered

T = TypeVar("T")

LoopEnd = Literal["", "reflections", "budget", "nobody"]
"""Why an unsolved query is not tried again: what has run out, or that there is nobody to wake. Empty while it is."""


class Best(TypedDict):
    """An answer, and what was judged of it: `unsolved` where the solver gave up with it."""

    answer: str
    verdict: str


def latest(_: T, said: Sequence[T]) -> T:
    """The reducer of what is large and seldom written: checkpoints hold it once, not at every step."""
    return said[-1]


class AnyToolState(WakingState, Handed, Budgeted):
    """The whole state of AnyTool.

    `found` is the pool that the agents fill, `pool` that which the solver was handed. `search_ends` is how many tokens
    may be spent when the search is over. `messages` is the solver's last conversation, `tree` its last tree. `passed`
    is what the verdict counts as, `best` the best answer so far.
    """

    searches: bool
    search_ends: int
    solvable: bool
    ended: SearchEnd
    solver: Literal["dfsdt", "react"]
    calls: Annotated[list[SolverCall], DeltaChannel(joined, list)]
    messages: Annotated[list[AnyMessage], DeltaChannel(latest, list)]
    tree: Annotated[list[TreeNode], DeltaChannel(latest, list)]
    registered: list[Registered]
    given_up: GivenUp | None
    verdict: Literal["solved", "unsolved", "unsure"]
    verdict_reason: str
    verdict_votes: list[str]
    passed: bool
    gives_out: LoopEnd
    best: Best | None
    answer: str
    status: Status
    reason: str
    numbers: Numbers


class AnyToolResult(RetrieverResult):
    """What comes out: also the verdict, who was woken and why, and what was tried.

    `removed` are the APIs that left the pool for good, `failures` why each try before the last failed.
    """

    verdict: str
    verdict_reason: str
    reflections: int
    wakings: list[Waking]
    removed: list[ApiId]
    failures: list[str]
