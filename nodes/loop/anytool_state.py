"""The slice of the loop around a search and a solver: what was judged, and who is to be woken (AnyTool, 4.3)."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Annotated, NotRequired, TypeVar

from langchain_core.messages import AnyMessage
from langgraph.channels import DeltaChannel

from toolquiver.catalog import ApiId
from toolquiver.nodes.dialogue import joined
from toolquiver.nodes.judging.judge import Judged
from toolquiver.nodes.records import Call
from toolquiver.nodes.search.agents import RetrieverResult, RetrieverState
from toolquiver.nodes.solver_io import GivenUp, TreeNode
from toolquiver.nodes.waking import Level, Waking
from toolquiver.registration import Registered

T = TypeVar("T")


def latest(_: T, said: Sequence[T]) -> T:
    """The reducer of what is large and seldom written: checkpoints hold it once, not at every step."""
    return said[-1]


class AnyToolState(RetrieverState, Judged):
    """The slice of the loop.

    `messages` is the solver's last conversation, `tree` its last tree. `levels` are those that may still be woken in
    this reflection, `best` is the last answer that was given, though it was judged unsolved. `earlier`,
    `registered_before`, `made` and `spent` are handed to the solver with the pool, as `SolverInput` says: here they
    last, so that they are still there after an edit of the state.
    """

    earlier: NotRequired[Annotated[list[AnyMessage], DeltaChannel(latest, list)]]
    registered_before: NotRequired[list[ApiId]]
    made: NotRequired[Annotated[list[Call], DeltaChannel(latest, list)]]
    spent: NotRequired[int]
    calls: Annotated[list[Call], DeltaChannel(joined, list)]
    messages: Annotated[list[AnyMessage], DeltaChannel(latest, list)]
    tree: Annotated[list[TreeNode], DeltaChannel(latest, list)]
    registered: list[Registered]
    given_up: GivenUp | None
    reflections: int
    levels: list[Level]
    wakings: Annotated[list[Waking], operator.add]
    best: str


class AnyToolResult(RetrieverResult):
    """What comes out: also the verdict, the number of reflections, who was woken and why.

    `removed` are the APIs that left the pool for good, `failures` why each try before the last failed.
    """

    verdict: str
    verdict_reason: str
    reflections: int
    wakings: list[Waking]
    removed: list[ApiId]
    failures: list[str]


def stands_on_failed(state: AnyToolState) -> bool:
    """Whether the answers so far may stand on what an API has said that the solver has just named as failed."""
    failed = state["given_up"]["failed"] if state["given_up"] else []
    return any(call["ok"] and call["api"] in failed for call in state["calls"])
