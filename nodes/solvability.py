"""Could a query be solved with these APIs? (AnyTool, table 8 and equation 1.)

AnyTool's agents ask it of their pool, and the judge of given candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from toolquiver.catalog import API
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import api_line
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted
from toolquiver.nodes.votes import Vote, asked_in_turn, ruling, votes_of
from toolquiver.prompts import load_prompt

Solvable = Literal["solvable", "unsolvable", "unsure"]

_PROMPT = load_prompt("judge/solvable")


class Solvability(Vote):
    """Whether the tools suffice."""

    verdict: Solvable


async def solvability(
    query: str, apis: Sequence[API], state: Budgeted, run: Run[Any], failures: Sequence[str] = ()
) -> Update:
    """Whether the APIs suffice, as the majority of `votes` says; no valid vote, or no budget, is "unsure".

    `failures` say why earlier tries to solve the query came to nothing.
    """
    tools = [api_line(api) for api in apis]
    shown = {"query": query, "tools": tools, "failures": list(failures)}
    prompts = asked_in_turn(_PROMPT, get_args(Solvable), run.context.votes, **shown)
    votes, cost = await votes_of("solvable", Solvability, prompts, state, run)
    return {**ruling(votes, cost), **cost}
