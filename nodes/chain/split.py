"""The beginning of a reverse chain: the request as goals, each of which gets a chain of its own."""

from __future__ import annotations

import asyncio
import re

from langgraph.types import Overwrite
from pydantic import BaseModel, Field

from toolquiver.catalog import ApiId
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain.frames import ChainState
from toolquiver.nodes.question import candidates_given, conversation_given
from toolquiver.nodes.records import NOT_ENDED
from toolquiver.nodes.run import Run
from toolquiver.nodes.scripts.entity_names import about_things
from toolquiver.nodes.texts.coverage import forgets, touching
from toolquiver.nodes.texts.parts import parts_of, sentences
from toolquiver.prompts import load_prompt

_JOINED = re.compile(r"(?:[.;!?]\s+\S|\band\b|\bthen\b|\balso\b)", re.IGNORECASE)
_PROMPT = load_prompt("goals")


class Goals(BaseModel):
    """The separate results that a request asks for."""

    goals: list[str] = Field(min_length=1, max_length=6)


async def split(state: ChainState, run: Run) -> Update:
    """Begin a run afresh, with a goal for each result that the query asks for.

    The query's own parts are goals, split by rule. Where nothing tells its parts apart but it may have several, the
    planner is asked; what it lists is taken only if each goal touches something of the query that none before does,
    and nothing is left out: what has to be looked up on the way is no goal, the chain finds it. With `drafts` and
    several candidates given it is not asked of several sentences, nor of things: the draft says what the goals are.

    Raises:
        InputError: the query is empty, a candidate is not in the catalogue, or the conversation is no list.
    """
    given, query = await candidates_given(state, run), state["query"]
    fresh: Update = {
        "approval": run.context.approval,
        "allowed": given,
        "expansions": {},
        "current": 0,
        "known": [],
        "unplanned": [],
        "frames": [],
        "stack": [],
        "pool": [],
        "failed_roots": [],
        "said": conversation_given(state.get("conversation")),
        "unfilled": [],
        "asked": 0,
        "problem": "",
        "failure": "",
        "plan": [],
        "tree": [],
        "fills": False,
        "waiting": [],
        "stopped": "",
        "decided": "",
        "calls": Overwrite([]),
        **NOT_ENDED,
    }
    parts, most = parts_of(query) if run.context.planner else [query], run.context.max_subtasks
    if (
        len(parts) > 1
        or not run.context.planner
        or not _JOINED.search(query)
        or await _drafted(query, given or [], run)
    ):
        return fresh | {"subtasks": parts[:most], "unplanned": parts[most:], "usage": Overwrite({})}
    begun: ChainState = {**state, "usage": {}, "stopped": ""}
    decision, cost = await run.decide("split", Goals, _PROMPT.messages(query=query), begun)
    goals = decision.goals if decision else [query]
    if not (len(goals) > 1 and all(touching(goals, query)) and not forgets(goals, query)):
        goals = [query]
    usage = Overwrite(cost.get("usage", {}))
    return {**fresh, **cost, "subtasks": goals[:most], "unplanned": goals[most:], "usage": usage}


async def _drafted(query: str, given: list[ApiId], run: Run) -> bool:
    """Whether a draft says what the goals of the query are."""
    if not run.context.drafts or len(given) <= 1:
        return False
    return len(sentences(query)) > 1 or await asyncio.to_thread(about_things, await run.apis(given), run.context.top_k)
