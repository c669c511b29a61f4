"""Judge of two answers: which is better? Asked in both orders (the win rate of ToolLLM)."""

from __future__ import annotations

from typing import Literal

from toolquiver.contexts import JudgeContext
from toolquiver.marks import as_data
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted
from toolquiver.nodes.votes import Vote, majority, votes_of
from toolquiver.prompts import load_prompt

Preferred = Literal["first", "second", "tie"]

_PROMPT = load_prompt("judge/prefer")
_STANDING: tuple[dict[str, Preferred], ...] = ({"A": "first", "B": "second"}, {"A": "second", "B": "first"})
_DISAGREE = "The two orders do not agree on one."


class Preference(Vote):
    """Which of the answers is better, as they stand in the prompt."""

    verdict: Literal["A", "B", "tie"]


class Comparing(Budgeted):
    """What is read: the query and two answers to it."""

    query: str
    answer: str
    other: str


async def prefer(state: Comparing, run: Run[JudgeContext]) -> Update:
    """The better answer, asked `votes` times in each order; where the orders disagree, or nothing is said, a tie."""
    answers = [as_data(state["answer"], "answer"), as_data(state["other"], "answer")]
    prompts = [_PROMPT.messages(query=state["query"], one=one, two=two) for one, two in (answers, answers[::-1])]
    found, cost = await votes_of("prefer", Preference, prompts * run.context.votes, state, run)
    votes = [_for(vote, _STANDING[number % 2]) for number, vote in enumerate(found)]
    one_way, other_way = (majority(votes[order::2]) or "tie" for order in range(2))
    verdict = one_way if one_way == other_way else "tie"
    reasons = [vote.reason for vote, said in zip(found, votes, strict=True) if vote and said == verdict]
    reason = reasons[0] if one_way == other_way and reasons else _DISAGREE
    return {"verdict": verdict, "verdict_reason": reason, "verdict_votes": votes, **cost}


def _for(vote: Preference | None, standing: dict[str, Preferred]) -> Preferred:
    """The answer that a vote is for; one that came to nothing is for neither."""
    return "tie" if vote is None else standing.get(vote.verdict, "tie")
