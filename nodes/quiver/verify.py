"""The verifier's verdict, the reflection on it, and the result that is delivered."""

from __future__ import annotations

from typing import Literal

from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from toolquiver.contexts import QuiverContext
from toolquiver.models import tokens
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.quiver.sight import findings
from toolquiver.nodes.quiver.state import Answer, Next, QuiverState
from toolquiver.nodes.run import Run
from toolquiver.nodes.waking import LEVELS, Level, next_level
from toolquiver.programs import functions, line
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("quiver/verify")
_LEAST = 0.05  # of the budget: with less nothing can come of another try
_AGAIN = "The answer is not complete yet: {reason}\nGo on from what is known. Search for functions if one is lacking."
_FOUND = "{reason}\nFurther functions were found:\n{lines}\nGo on with them, or give up if none fits."
_NO_REASON = "No reason was given."
_RANK = {"solved": 2, "partial": 1, "failed": 0}
_FIRST: dict[Level, Next] = {
    "tool": "tool agents first",
    "category": "category agents first",
    "meta": "meta agent first",
}


class Verdict(BaseModel):
    """Why, and whether the request is done."""

    reason: str
    done: bool


async def verify(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Let the verifier rule on the answer, which it sees with the calls and their results. Its verdict counts.

    Where it gives none, the answer stands as the answer agent rates it. An answer that says what is missing is
    `partial`, also where no more can be done.
    """
    draft = state["draft"]
    assert draft is not None
    found = await findings("verify", state, run)
    messages = _PROMPT.messages(
        query=state["query"], statements=draft["evidence"], missing=draft["missing"], **found, **clock(state)
    )
    verdict, cost = await run.decide("verify", Verdict, messages, state)
    if verdict is None:
        return {**cost, "decided": "done"}
    reason = verdict.reason.strip() or (draft["reason"] if draft["missing"] else _NO_REASON)
    status = "solved" if verdict.done and not draft["missing"] else "partial"
    update = {**cost, "draft": {**draft, "status": status, "reason": reason}}
    return update | ({"decided": "done"} if verdict.done else {"reason": reason, "decided": "not done"})


async def reflect(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Give the reason to the planner and to AnyTool's agents, and say who goes on (AnyTool, 4.3).

    The planner goes on alone first, since it can search. Agents are woken where it has given up, or was told before.
    At the limit of reflections or of the budget it ends.
    """
    best = better(state["best"], state["draft"])
    budget = run.context.token_budget
    short = budget - tokens(state["usage"]) < budget * _LEAST
    if state["stopped"] or short or state["reflections"] >= run.context.max_reflections:
        return {"best": best, "decided": _at_the_limit(best)}
    reason = state["reason"] or _NO_REASON
    gave_up = state["draft"] is None
    wakes = run.context.agents and state["allowed"] is None and await run.size() > len(set(state["pool"]))
    levels = list(LEVELS) if wakes and (gave_up or state["reflections"]) else []
    update: Update = {
        "best": best,
        "reflections": state["reflections"] + 1,
        "failures": [*state["failures"], reason],
        "levels": levels,
        "found": state["found"] or state["pool"],
        "banned": [],
        "parts": [],
        "aims": [],
    }
    if level := next_level(state["agents"], levels):
        return update | {"decided": _FIRST[level]}
    if gave_up:
        return update | {"decided": _at_the_limit(best)}
    return update | _planned_again(_AGAIN.format(reason=reason))


def _planned_again(told: str) -> Update:
    """A new try of the planner, which has no draft yet."""
    return {"draft": None, "messages": [HumanMessage(told)], "decided": "planned again"}


def after_agents(state: QuiverState) -> Literal["category agents next", "meta agent next", "agents are done"]:
    """The level above, once the agents at work are done and have found nothing; then the planner."""
    found = len(state["found"]) > len(state["pool"])
    level = None if found else next_level(state["agents"], state["levels"])
    return "category agents next" if level == "category" else "meta agent next" if level else "agents are done"


async def hand_over(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Show the planner what the agents have found; where that is nothing new, and it had given up, it ends."""
    new = [api for api in state["found"] if api not in state["pool"]]
    reason = state["failures"][-1]
    if not new:
        gave_up = state["draft"] is None
        return {"decided": _at_the_limit(state["best"])} if gave_up else _planned_again(_AGAIN.format(reason=reason))
    pool = [*state["pool"], *new]
    known = functions(await run.apis(pool)).values()
    lines = "\n".join(line(function) for function in known if function.api.id in new)
    return {"pool": pool, **_planned_again(_FOUND.format(reason=reason, lines=lines))}


def _at_the_limit(best: Answer | None) -> Next:
    """It ends: with what was answered, or by wording what is known."""
    return "at the limit" if best else "nothing is answered yet"


def better(one: Answer | None, other: Answer | None) -> Answer | None:
    """Of two answers the one that says more: by status, then by what is missing, then the later one."""
    if one is None or other is None:
        return one or other
    return max((one, other), key=lambda answer: (_RANK[answer["status"]], -len(answer["missing"]), answer is other))


async def deliver(state: QuiverState, _: Run[QuiverContext]) -> Update:
    """The best answer of all tries, with its status; the planner's own where it answered without a call."""
    best = better(state["best"], state["draft"])
    if state["decided"] == "answered at once":
        text, reason = state["proposed"], "No call was needed."
        best = Answer(text=text, status="solved", reason=reason, evidence=[], missing=[])
    elif best is None:
        best = Answer(text="", status="failed", reason=state["reason"], evidence=[], missing=[])
    return {
        "best": best,
        "answer": best["text"],
        "status": best["status"],
        "reason": best["reason"],
        "evidence": best["evidence"],
        "missing": best["missing"],
    }
