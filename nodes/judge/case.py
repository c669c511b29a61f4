"""The case that a judge is given: which of three questions it asks; and the first of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from langgraph.channels import EphemeralValue
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from toolquiver.contexts import JudgeContext
from toolquiver.errors import InputError
from toolquiver.models import Usage, add_usage
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.judge.verdict import JudgedCall
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.run import Run
from toolquiver.nodes.solvability import solvability
from toolquiver.nodes.state import Budgeted, Query


class Case(Query):
    """What goes in: a query with candidates, or with an answer and perhaps its calls, or with two answers."""

    answer: NotRequired[Annotated[str, EphemeralValue]]
    other: NotRequired[Annotated[str, EphemeralValue]]
    calls: NotRequired[Annotated[list[JudgedCall], EphemeralValue]]


class Ruling(TypedDict):
    """What comes out: the verdict on what was asked, the reason, the votes that it stands on, and what it cost.

    `passed` is whether an answer counts as solved; "unsure" counts as the setting says. It is false for the other
    questions.
    """

    verdict: Literal["solvable", "unsolvable", "solved", "unsolved", "unsure", "first", "second", "tie"]
    verdict_reason: str
    verdict_votes: list[str]
    passed: bool
    usage: Annotated[Usage, add_usage]


class JudgeState(Case, Budgeted, Ruling):
    """The case, and what is said of it."""


async def case(state: Case, run: Run[JudgeContext]) -> Update:
    """Begin afresh, also on a thread that had another case; what is given is there for the next node.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or there is nothing to judge.
    """
    candidates = await candidates_given(state, run)
    answer, other = state.get("answer"), state.get("other")
    if answer is None and (candidates is None or other is not None):
        raise InputError("There is nothing to judge. Give an answer, two answers (answer and other), or candidates.")
    given: Update = {"candidates": candidates, "answer": answer, "other": other, "calls": state.get("calls") or []}
    return {**given, "usage": Overwrite({}), "stopped": "", "passed": False}


async def solvable(state: JudgeState, run: Run[Any]) -> Update:
    """Whether the candidates suffice for the query (AnyTool, equation 1; after ToolLLM)."""
    return await solvability(state["query"], await run.apis(state["candidates"]), state, run)


def has_candidates(state: Case) -> bool:
    """Whether there are APIs to be looked up."""
    return bool(state.get("candidates"))


def after_case(state: Case) -> Literal["tools given", "answer given", "two answers given"]:
    """The most that is given says what is asked."""
    if state.get("other") is not None:
        return "two answers given"
    return "tools given" if state.get("answer") is None else "answer given"
