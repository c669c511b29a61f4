"""Judge of the tools: could the query be solved with these candidates? (AnyTool, 3.2, eq. 1; after ToolLLM.)"""

from __future__ import annotations

from typing import Literal, get_args

from langchain_core.messages import BaseMessage

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import api_line
from toolquiver.nodes.judging.voting import Vote, asked_in_turn, ruling, votes_of
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted, Query
from toolquiver.prompts import load_prompt

Solvable = Literal["solvable", "unsolvable", "unsure"]

_PROMPT = load_prompt("solvable")


class Solvability(Vote):
    """Whether the tools suffice."""

    verdict: Solvable


class Equipped(Budgeted, Query):
    """What is read: the query, and the candidates to solve it with."""


async def solvable(state: Equipped, run: Run) -> Update:
    """Whether the candidates suffice, as the majority of `votes` says; no valid vote, or no budget, is "unsure"."""
    votes, cost = await votes_of("solvable", Solvability, await _asked(state, run), state, run)
    return {**ruling(votes, cost), **cost}


async def _asked(state: Equipped, run: Run) -> list[list[BaseMessage]]:
    """What the model is asked, a prompt for each vote."""
    tools = [api_line(api) for api in await run.apis(state.get("candidates", []))]
    return asked_in_turn(_PROMPT, get_args(Solvable), run.context.votes, query=state["query"], tools=tools)
