"""What models are shown of a run: its calls and replies, and how much of a text."""

from __future__ import annotations

import json
from typing import Any

from toolquiver.catalog import ApiId
from toolquiver.contexts import QuiverContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.state import QuiverState
from toolquiver.nodes.room import cut as cut_off
from toolquiver.nodes.room import room, room_each
from toolquiver.nodes.run import Run
from toolquiver.programs import functions

_LEFT = 0.1  # of the budget, kept for the answer


def cut(text: str, most: int) -> str:
    """The text as a planner sees it, or its beginning with a mark that says how much is missing and how to see it."""
    return cut_off(text, most, "print a part of it to see more")


def left_for_answer(state: QuiverState, run: Run[QuiverContext]) -> int:
    """The tokens that a plan leaves for the answer, once there is something to answer with."""
    return int(run.left(state) * _LEFT) if state["calls"] else 0


def over(cost: Update) -> Update:
    """The end of planning, where no plan came: the budget is spent, or the model gave none."""
    reason = cost.pop("stopped", "") or "The planner gave no program and no answer."
    stopped = {"stopped": reason} if cost.get("refused") else {}
    return {**cost, "decided": "the plan ends", "reason": reason, **stopped}


async def names_of(state: QuiverState, run: Run[QuiverContext]) -> dict[ApiId, str]:
    """The functions that the planner knows, and those that the chain has called, by the ids of their APIs."""
    ids = [*state["pool"], *(call["api"] for call in state["calls"])]
    known = functions(await run.apis(list(dict.fromkeys(ids))))
    return {one.api.id: one.name for one in known.values()}


async def findings(role: str, state: QuiverState, run: Run[QuiverContext]) -> dict[str, Any]:
    """What is found, for those who word and judge the answer: calls, replies, and what the program made of them."""
    most = await room(role, state, run)
    proposed = "" if state["proposed"] == state["reason"] else cut_off(state["proposed"], most)
    return {"calls": await _calls(role, state, run), "replies": replies(state), "proposed": proposed}


async def _calls(role: str, state: QuiverState, run: Run[QuiverContext]) -> list[dict[str, Any]]:
    """The calls and what came of them: short results are whole, and where there is no room the longest are cut."""
    each = await room_each(role, state, run, [call["text"] for call in state["calls"]])
    names = await names_of(state, run)
    shown = []
    for number, call in enumerate(state["calls"], 1):
        given = [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call["arguments"].items()]
        outcome = cut_off(call["text"], each) if call["ok"] else f"failed ({call['failure']}): {call['message']}"
        name = names.get(call["api"], call["api"])
        shown.append({"number": number, "call": f"{name}({', '.join(given)})", "outcome": outcome})
    return shown


def replies(state: QuiverState) -> list[dict[str, Any]]:
    """What the user was asked by the program, and the replies; their numbers go on after those of the calls."""
    asked = [one for one in state["lookups"] if one["function"] == "ask_user" and one["ok"]]
    return [
        {"number": n, "question": one["asked"], "reply": one["text"]}
        for n, one in enumerate(asked, len(state["calls"]) + 1)
    ]
