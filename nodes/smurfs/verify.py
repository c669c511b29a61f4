"""The verifier agent, the memories, and what follows: the next step or the next subtask (Smurfs, equation 7)."""

from __future__ import annotations

from typing import cast

from pydantic import BaseModel

from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.sight import before
from toolquiver.nodes.smurfs.state import AfterRecord, AfterVerify, Known, SmurfsState, Step, calls_here, task
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("smurfs/verify")
_SOLVED = {"subtask done", "answered directly"}


class Verdict(BaseModel):
    """What is missing, and whether the subtask is done."""

    hint: str
    done: bool


async def verify(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Let the verifier judge the answer, and keep the step in both memories. Its word is final.

    It sees the subtask with those before it, to which a later subtask may refer (3.3), and the answer (eq. 7).

    Without a verdict, and without the verifier, the subtask is pending. It ends at `max_steps`, and is concluded from
    global memory.
    """
    verdict, cost = None, Update()
    if run.context.verifier:
        messages = _PROMPT.messages(
            query=state["query"],
            known=before(state["known"]),
            task=task(state),
            answer=state["step_answer"],
            **clock(state),
        )
        verdict, cost = await run.decide("verify", Verdict, messages, state)
    hint = verdict.hint if verdict else ""
    assert state["chosen"] is not None
    step = Step(
        subtask=state["current"],
        thought=state["thought"],
        answer=state["step_answer"],
        api=state["chosen"],
        call=state["returned"],
        hint=hint,
    )
    trail = [*state["trail"], step]
    kept: Update = {**cost, "trail": trail, "history": [step], "hint": hint}
    if verdict and verdict.done:
        return kept | {"decided": "subtask done"}
    over = len(trail) >= run.context.max_steps or len(calls_here(state)) >= run.context.max_calls
    ends = over or state["stopped"] or cost.get("stopped")
    return kept | {"decided": "at the limit" if ends else "not yet"}


async def advance(state: SmurfsState, _: Run[SmurfsContext]) -> Update:
    """Go on to step t+1 with a fresh tool list: all candidates of the subtask. The hint goes to the next thought."""
    return {"tool_lists": [*state["tool_lists"], state["pool"]]}


async def record(state: SmurfsState, _: Run[SmurfsContext]) -> Update:
    """Note what the subtask came to, for those after it (least-to-most), and go on to the next."""
    solved = state["decided"] in _SOLVED
    found = Known(question=task(state), answer=state["step_answer"], solved=solved)
    after = state["current"] + 1
    more = after < len(state["subtasks"]) and not state["stopped"]
    update: Update = {"known": [*state["known"], found], "step_answer": "", "thought": "", "hint": ""}
    if not more:
        return update | {"decided": "all done"}
    return update | {"current": after, "decided": "next subtask"}


def after_verify(state: SmurfsState) -> AfterVerify:
    """The edge that the node has decided on."""
    return cast("AfterVerify", state["decided"])


def after_record(state: SmurfsState) -> AfterRecord:
    """The edge that the node has decided on."""
    return cast("AfterRecord", state["decided"])
