"""The slices of the whole: what is searched, executed, judged and tried again, and what comes out."""

from __future__ import annotations

import operator
from typing import Annotated

from langgraph.channels import DeltaChannel
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.nodes.chain.frames import Frame, Missing
from toolquiver.nodes.judging.evidence import Statement
from toolquiver.nodes.judging.judge import Judged
from toolquiver.nodes.loop.anytool_state import Level, Waking
from toolquiver.nodes.search.agents import Agent, Histories, Numbers, extended
from toolquiver.nodes.state import ExecutorState, RegisteredResult


class Gap(TypedDict):
    """A question that was not answered, and why."""

    question: str
    why: str


class QuiverState(ExecutorState, Judged):
    """The slice of the whole graph.

    `agents` sleep from the beginning, `histories` are their conversations. `failures` say why what was found or
    answered failed, `solvable` is what the check of the tools said last. `levels` are the levels of agents that
    may still be woken in this reflection. `tried` and `stock` are how many calls had been made, and how many APIs
    agents had found, when the last reflection began. `best` is the last answer there was. `frames` are those of the
    last chain, `unfilled` what the user alone can give; `said`, `asked` and `problem` are as in a chain, and `declined`
    are the tools that the user gave nothing for.
    """

    agents: dict[str, Agent]
    histories: Annotated[Histories, DeltaChannel(extended, dict)]
    failures: list[str]
    solvable: bool
    retrieval_ends: int
    reflections: int
    levels: list[Level]
    wakings: Annotated[list[Waking], operator.add]
    tried: int
    stock: int
    best: str
    frames: list[Frame]
    unfilled: list[Missing]
    said: list[str]
    asked: int
    problem: str
    declined: list[ApiId]
    evidence: list[Statement]
    lacking: list[Gap]
    numbers: Numbers


class QuiverResult(RegisteredResult):
    """What comes out: also which call each statement stands on, what is `lacking` and why, and who searched.

    `unfilled` is what was asked of the user in vain, or would have to be. `found` is what agents have found, or of a
    small catalogue the model has named; `removed` what failed and was not used again.
    """

    evidence: list[Statement]
    lacking: list[Gap]
    unfilled: list[Missing]
    found: list[ApiId]
    removed: list[ApiId]
    agents: dict[str, Agent]
    verdict: str
    verdict_reason: str
    reflections: int
    wakings: list[Waking]
    numbers: Numbers
