"""The answer agent: it digests a response, concludes from all trajectories, and composes the whole (Smurfs, eq. 6)."""

from __future__ import annotations

from pydantic import BaseModel, Field

from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.room import cut, room
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.sight import before, failures, memory
from toolquiver.nodes.smurfs.state import SmurfsState, calls_here, steps_here, task
from toolquiver.nodes.state import Status
from toolquiver.prompts import load_prompt

_ANSWER, _CONCLUDE, _COMPOSE = (load_prompt(f"smurfs/{role}") for role in ("answer", "conclude", "compose"))


class Digest(BaseModel):
    """What a response, or the memory, says of the subtask."""

    answer: str


class FinalAnswer(BaseModel):
    """The answer to the whole request, and what of it is open."""

    answer: str
    missing: list[str] = Field(default_factory=list)


async def answer(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Digest the response of this step, in sight of the subtask, those before it, and local memory.

    Without the answer agent, or a digest, the response is the answer, as far as there is room for it.
    """
    response = state["calls"][state["returned"]]["text"]
    shown = cut(response, await room("answer", state, run))
    if not run.context.answerer:
        return {"step_answer": shown}
    messages = _ANSWER.messages(
        query=state["query"],
        known=before(state["known"]),
        task=task(state),
        steps=memory(state["trail"]),
        response=shown,
        **clock(state),
    )
    decision, cost = await run.decide("answer", Digest, messages, state)
    return {**cost, "step_answer": decision.answer if decision else shown}


async def conclude(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Answer the subtask from global memory, where the steps, the tools or the calls are used up.

    The subtask stays unsolved. Where no trajectory has brought an answer, there is none.
    """
    steps = steps_here(state)
    if not steps:
        return {"step_answer": "", "decided": "concluded"}
    messages = _CONCLUDE.messages(
        query=state["query"],
        known=before(state["known"]),
        task=task(state),
        steps=memory(steps),
        failures=await failures(calls_here(state), run),
        **clock(state),
    )
    decision, cost = await run.decide("answer", Digest, messages, state)
    said = decision.answer if decision else "\n".join(dict.fromkeys(step["answer"] for step in steps))
    return {**cost, "step_answer": said, "decided": "concluded"}


async def compose(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """The answer to the whole request from those of its subtasks; the answer of a single one stands as it is.

    The status follows from the verifier's verdicts and from what the answer says to be missing.
    """
    known = state["known"]
    open_ones = [one["question"] for one in known if not one["solved"]] + state["subtasks"][len(known) :]
    found = [one["answer"] for one in known if one["answer"]]
    said, missing, cost = "\n".join(found), open_ones, Update()
    if found and (len(state["subtasks"]) > 1 or not run.context.answerer):
        messages = _COMPOSE.messages(query=state["query"], known=before(known), **clock(state))
        decision, cost = await run.decide("compose", FinalAnswer, messages, state)
        if decision:
            said, missing = decision.answer, decision.missing or open_ones
    status: Status = "failed" if not found else "partial" if missing else "solved"
    reason = cost.get("stopped") or state["stopped"] or await _reason(open_ones, missing, state, run)
    return {**cost, "answer": said, "missing": missing, "status": status, "reason": reason}


async def _reason(open_ones: list[str], missing: list[str], state: SmurfsState, run: Run[SmurfsContext]) -> str:
    if not open_ones:
        return f"Missing: {'; '.join(missing)}" if missing else "Every subtask was answered."
    failed = await failures([call for call in state["calls"] if state["subtasks"][call["subtask"]] in open_ones], run)
    last = [f"The last failure: {failed[-1]}"] if failed else []
    return " ".join([f"Not answered: {'; '.join(open_ones)}.", *last, *filter(None, [state["reason"]])])
