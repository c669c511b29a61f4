"""The end: the answer from what the calls returned, or the plan as the answer."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from toolquiver.contexts import ReverseChainContext
from toolquiver.marks import as_data
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.describe import call_text
from toolquiver.nodes.reverse_chain.ask_user import missing_of
from toolquiver.nodes.reverse_chain.frames import roots
from toolquiver.nodes.reverse_chain.plan_text import plans_of, tree_of
from toolquiver.nodes.reverse_chain.state import ReverseChainState
from toolquiver.nodes.room import cut, room_each
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Status
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("reverse_chain/answer")
_NO_API = "No API gives this."
_INVALID = "The model made no valid choice."


class Answer(BaseModel):
    """The answer, and what of the request it leaves open."""

    answer: str
    missing: list[str] = Field(default_factory=list)


async def answer(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """Word the answer from the calls and what they returned; the text is kept as the model wrote it.

    The run is `solved` where the answer leaves nothing open and every call that was planned for a task was made. Where
    none of these has answered, no model is asked: the reason says why.
    """
    done, failed = await _result(state, run), _failed(state)
    undone = [*failed, *_without_api(state)]
    called = any(root["stage"] == "called" for root in roots(state["frames"]))
    if not called and (state["frames"] or not state["subtasks"]):
        reason = " ".join(filter(None, [state["stopped"], *undone])) or _INVALID
        return {**done, "answer": "", "status": "failed", "reason": reason}
    messages = _PROMPT.messages(
        query=state["query"],
        conversation=state["said"],
        calls=await _shown(state, run),
        undone=undone,
        **clock(state),
    )
    decision, cost = await run.decide("answer", Answer, messages, state)
    if decision is None:
        reason = str(cost.get("stopped") or state["stopped"] or "The model gave no valid answer.")
        text = "\n".join(root["observation"] for root in roots(state["frames"]) if root["stage"] == "called")
        return {**done, **cost, "answer": text, "status": "partial" if called else "failed", "reason": reason}
    open_ones = [*decision.missing, *failed]
    status: Status = "solved" if not open_ones else "partial" if called else "failed"
    reason = f"Missing: {'; '.join(open_ones)}" if open_ones else ""
    return {**done, **cost, "answer": decision.answer, "status": status, "reason": reason}


async def show_plan(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    """The plan as the answer, a line a task; nothing was called."""
    missing = list((await missing_of(state, run)).values())
    lacking = [f"Only you know: {'; '.join(one['why'] for one in missing)}"] if missing else []
    open_ones = [*filter(None, [state["stopped"]]), *_failed(state), *_without_api(state), *lacking]
    result = await _result(state, run)
    status: Status = "failed" if not result["plan"] else "partial" if open_ones else "solved"
    return {
        **result,
        "unfilled": missing,
        "answer": "\n".join(result["plan"]),
        "status": status,
        "reason": " ".join(open_ones) or ("" if result["plan"] else _INVALID),
    }


async def _result(state: ReverseChainState, run: Run[ReverseChainContext]) -> Update:
    return {"plan": await plans_of(state, run), "tree": await tree_of(state, run)}


def _failed(state: ReverseChainState) -> list[str]:
    """The tasks whose call could not be made, or failed, each with the reason."""
    failed = [root for root in roots(state["frames"]) if root["stage"] == "failed"]
    return [f"{state['subtasks'][root['goal']]}: {root['observation']}" for root in failed]


def _without_api(state: ReverseChainState) -> list[str]:
    """The tasks that no API does; the answer may do them all the same, and says what of them is missing."""
    planned = {root["goal"] for root in roots(state["frames"])}
    return [f"{task}: {_NO_API}" for goal, task in enumerate(state["subtasks"]) if goal not in planned]


async def _shown(state: ReverseChainState, run: Run[ReverseChainContext]) -> list[dict[str, Any]]:
    """The calls in their order, with what came of them; the longest are cut where there is no room."""
    done = [one for one in state["frames"] if one["stage"] in ("called", "failed")]
    frames = [
        next(one for one in done if (one["api"], one["arguments"]) == (made["api"], made["arguments"]))
        for made in state["calls"]
    ]
    each = await room_each("answer", state, run, [frame["observation"] for frame in frames])
    shown = []
    for made, frame in zip(state["calls"], frames, strict=True):
        api = await run.api(made["api"])
        shown.append(
            {
                "call": call_text(api, made["arguments"]),
                "task": frame["task"],
                "result": as_data(cut(frame["observation"], each)),
                "failed": not made["ok"],
            }
        )
    return shown
