"""The verifier's verdict, the reflection on it, and the result that is delivered."""

from __future__ import annotations

from typing import Literal, cast

from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from toolquiver.contexts import QuiverContext
from toolquiver.models import tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.quiver.answer import replies, shown_calls
from toolquiver.nodes.quiver.functions import functions, line
from toolquiver.nodes.quiver.state import AfterVerify, Answer, QuiverState
from toolquiver.nodes.run import Run
from toolquiver.nodes.waking import LEVELS, next_level
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("quiver/verify")
_LEAST = 0.05  # of the budget: with less nothing can come of another try
_AGAIN = "The answer is not complete yet: {reason}\nGo on from what is known. Search for functions if one is lacking."
_FOUND = "Further functions were found:\n{lines}\nGo on with them, or call give_up again."
_RANK = {"solved": 2, "partial": 1, "failed": 0}


class Verdict(BaseModel):
    """Why, and whether the request is done."""

    reason: str
    done: bool


async def verify(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Let the verifier rule on the answer, which it sees with the calls and their results. Its verdict counts.

    Where it gives none, the answer stands as the answer agent rates it.
    """
    draft = state["draft"]
    assert draft is not None
    messages = _PROMPT.messages(
        query=state["query"],
        calls=await shown_calls("verify", state, run),
        replies=replies(state),
        statements=draft["evidence"],
        missing=draft["missing"],
        **clock(state),
    )
    verdict, cost = await run.decide("verify", Verdict, messages, state)
    if verdict is None:
        return {**cost, "decided": "done"}
    if verdict.done:
        return {**cost, "draft": {**draft, "status": "solved", "reason": verdict.reason}, "decided": "done"}
    ruled: Answer = {
        **draft,
        "status": "failed" if draft["status"] == "failed" else "partial",
        "reason": verdict.reason,
    }
    return {**cost, "draft": ruled, "reason": verdict.reason, "decided": "not done"}


async def reflect(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Give the reason to the planner and to AnyTool's agents, and say who goes on (AnyTool, 4.3).

    The planner goes on alone first, since it can search. Agents are woken where it has given up, or was told before.
    At the limit of reflections or of the budget it ends.
    """
    best = better(state["best"], state["draft"])
    spent = tokens(state["usage"])
    short = run.context.token_budget - spent < run.context.token_budget * _LEAST
    if state["stopped"] or short or state["reflections"] >= run.context.max_reflections:
        return {"best": best, "decided": "at the limit"}
    reason = state["reason"] or state["problem"]
    gave_up = state["decided"] in ("it gives up", "nothing left")
    pool = set(state["pool"])
    wakes = run.context.agents and state["allowed"] is None and await run.size() > len(pool)
    levels = list(LEVELS) if wakes and (gave_up or state["reflections"]) else []
    update: Update = {
        "best": best,
        "draft": None,
        "reflections": state["reflections"] + 1,
        "failures": [*state["failures"], reason],
        "levels": levels,
        "found": list(state["pool"]) if not state["found"] else state["found"],
        "banned": [],
        "parts": [],
        "aims": [],
    }
    if next_level(state["agents"], levels):
        return update | {"decided": "agents search"}
    if gave_up:
        return update | {"decided": "at the limit"}
    return update | {"messages": [HumanMessage(_AGAIN.format(reason=reason))], "decided": "planned again"}


async def hand_over(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Show the planner what the agents have found; where that is nothing new, and it had given up, it ends."""
    new = [api for api in state["found"] if api not in state["pool"]]
    if not new:
        return {"decided": "at the limit"}
    pool = [*state["pool"], *new]
    known = functions(await run.apis(pool)).values()
    lines = "\n".join(line(function) for function in known if function.api.id in new)
    told = f"{state['failures'][-1]}\n{_FOUND.format(lines=lines)}"
    return {"pool": pool, "messages": [HumanMessage(told)], "decided": "planned again"}


def better(one: Answer | None, other: Answer | None) -> Answer | None:
    """Of two answers the one that says more: by status, then by what is missing, then the later one."""
    if one is None or other is None:
        return one or other
    return max((one, other), key=lambda answer: (_RANK[answer["status"]], -len(answer["missing"]), answer is other))


async def deliver(state: QuiverState, _: Run[QuiverContext]) -> Update:
    """The best answer of all tries, with its status; the planner's own where it answered without a call."""
    if state["decided"] == "answered at once":
        text = state["proposed"]
        told = Answer(text=text, status="solved", reason="No call was needed.", evidence=[], missing=[])
        best: Answer | None = told
    else:
        best = better(state["best"], state["draft"])
    if best is None:
        best = Answer(text="", status="failed", reason=state["reason"], evidence=[], missing=[])
    return {
        "best": best,
        "answer": best["text"],
        "status": best["status"],
        "reason": best["reason"],
        "evidence": best["evidence"],
        "missing": best["missing"],
    }


def after_reflect(
    state: QuiverState,
) -> Literal[
    "planned again",
    "tool agents first",
    "category agents first",
    "meta agent first",
    "nothing is answered yet",
    "at the limit",
]:
    """The planner, or the agents that are nearest to the APIs; at the limit the answer, if there is none yet."""
    if state["decided"] != "agents search":
        return after_hand_over(state)
    level = next_level(state["agents"], state["levels"])
    return (
        "tool agents first"
        if level == "tool"
        else "category agents first"
        if level == "category"
        else "meta agent first"
    )


def after_hand_over(state: QuiverState) -> Literal["planned again", "nothing is answered yet", "at the limit"]:
    """The planner goes on, or it ends: with what was answered, or by wording what is known."""
    if state["decided"] == "planned again":
        return "planned again"
    return "at the limit" if state["best"] else "nothing is answered yet"


def after_agents(state: QuiverState) -> Literal["category agents next", "meta agent next", "agents are done"]:
    """The level above, once the agents at work are done and have found nothing; then the planner."""
    found = len(state["found"]) > len(state["pool"])
    level = None if found else next_level(state["agents"], state["levels"])
    return "category agents next" if level == "category" else "meta agent next" if level else "agents are done"


def after_verify(state: QuiverState) -> AfterVerify:
    """The edge that the node has decided on."""
    return cast("AfterVerify", state["decided"])
