"""Several votes on one question, and what they come to together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.costs import after, both, refused
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted
from toolquiver.prompts import Prompt

UNSURE = "unsure"
_NO_VERDICT = "The judge came to no verdict."


class Vote(BaseModel):
    """A verdict, and before it the reason that leads to it."""

    reason: str
    verdict: str


V = TypeVar("V", bound=Vote)


async def votes_of(
    role: str, shape: type[V], prompts: Sequence[list[BaseMessage]], state: Budgeted, run: Run[Any]
) -> tuple[list[V | None], Update]:
    """A vote for each prompt, None where there was no valid one or no budget, and what that changes in the state.

    The first vote is cast by `role`, the next by `role 2` and so on, so that `role_models` can make up a panel. What
    one of them refuses does not end the run where another has voted.
    """
    votes: list[V | None] = []
    spent = Update()
    for number, messages in enumerate(prompts, 1):
        voter = role if number == 1 else f"{role} {number}"
        begun = after(state, {"usage": spent.get("usage", {})})
        vote, cost = await run.decide(voter, shape, messages, begun)
        votes.append(vote)
        spent = both(spent, cost)
    if any(votes) and refused(spent):
        spent.pop("stopped")
    return votes, spent


def asked_in_turn(prompt: Prompt, verdicts: Sequence[str], votes: int, **shown: object) -> list[list[BaseMessage]]:
    """The prompt for each vote, the verdicts in another order each time: what stands first is taken more often."""
    starts = [vote % len(verdicts) for vote in range(votes)]
    orders = [", ".join([*verdicts[start:], *verdicts[:start]]) for start in starts]
    return [prompt.messages(**shown, choices=choices) for choices in orders]


def majority(votes: Sequence[str]) -> str | None:
    """What more than half of the votes say, None if nothing is said by so many."""
    counted = Counter(votes).most_common(1)
    return counted[0][0] if counted and 2 * counted[0][1] > len(votes) else None


def ruling(votes: Sequence[Vote | None], cost: Mapping[str, Any]) -> Update:
    """The verdict of the majority, "unsure" without one, the first reason given for it, and all the votes.

    A vote that came to nothing is one for "unsure"; where all are, `cost`, that of the votes, may say why.
    """
    said = [UNSURE if vote is None else vote.verdict for vote in votes]
    verdict = majority(said) or UNSURE
    reasons = [vote.reason for vote in votes if vote and vote.verdict == verdict]
    return {
        "verdict": verdict,
        "verdict_reason": reasons[0] if reasons else cost.get("stopped", _NO_VERDICT),
        "verdict_votes": said,
    }
