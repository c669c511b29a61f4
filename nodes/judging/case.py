"""The case that a judge is given: which of three questions it asks."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from langgraph.channels import EphemeralValue
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from toolquiver.errors import InputError
from toolquiver.models import Usage, add_usage
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.question import candidates_given
from toolquiver.nodes.records import Call
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Query


class Case(Query):
    """What goes in: a query with candidates, or with an answer and perhaps its calls, or with two answers."""

    answer: NotRequired[Annotated[str, EphemeralValue]]
    other: NotRequired[Annotated[str, EphemeralValue]]
    calls: NotRequired[Annotated[list[Call], EphemeralValue]]


class Ruling(TypedDict):
    """What comes out: the verdict on what was asked, the reason, the votes that it stands on, and what it cost."""

    verdict: Literal["solvable", "unsolvable", "solved", "unsolved", "unsure", "first", "second", "tie"]
    verdict_reason: str
    verdict_votes: list[str]
    usage: Annotated[Usage, add_usage]


async def case(state: Case, run: Run) -> Update:
    """Begin afresh, also on a thread that had another case; what is given is there for the next node.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or there is nothing to judge.
    """
    candidates = await candidates_given(state, run)
    answer, other = state.get("answer"), state.get("other")
    if answer is None and (candidates is None or other is not None):
        raise InputError("There is nothing to judge. Give an answer, two answers (answer and other), or candidates.")
    given: Update = {"candidates": candidates, "answer": answer, "other": other, "calls": state.get("calls", [])}
    return {**given, "usage": Overwrite({}), "stopped": ""}


def has_candidates(state: Case) -> bool:
    """Whether there are APIs to be looked up."""
    return bool(state.get("candidates"))


def after_case(state: Case) -> Literal["tools given", "answer given", "two answers given"]:
    """The most that is given says what is asked."""
    if state.get("other") is not None:
        return "two answers given"
    return "tools given" if state.get("answer") is None else "answer given"
