"""The final answer, from what the subtasks came to (EasyTool, 3.1)."""

from __future__ import annotations

from pydantic import BaseModel, Field

from toolquiver.contexts import PipelineContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.clock import clock
from toolquiver.nodes.easytool_pipeline.state import PipelineState, results
from toolquiver.nodes.room import room
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Budgeted, Status
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("easytool/answer")


class FinalAnswer(BaseModel):
    """The answer, and what of the request stays open."""

    answer: str
    missing: list[str] = Field(default_factory=list)


async def answer(state: PipelineState, run: Run[PipelineContext]) -> Update:
    """Answer in the language of the request. The status goes by what is missing, and by what was done.

    Where the model gives no answer, the last result stands in for it.
    """
    messages = _PROMPT.messages(
        query=state["query"],
        results=results(state, await room("answer", state, run)),
        why=state["stopped"],
        **clock(state),
    )
    budget = Budgeted(usage=state["usage"], spent_before=state.get("spent_before", 0), stopped="")
    said, cost = await run.decide("answer", FinalAnswer, messages, budget)
    done = [outcome["text"] for outcome in state["outcomes"] if outcome["ok"]]
    undone = [outcome["text"] for outcome in state["outcomes"] if not outcome["ok"]]
    ended = state["stopped"] or str(cost.get("stopped") or "")
    nothing = bool(state["subtasks"]) and not done
    if said is None:
        status: Status = "partial" if done else "failed"
        reason = ended or "The model gave no answer."
        return {**cost, "answer": done[-1] if done else "", "status": status, "reason": reason, "missing": []}
    status = "failed" if nothing else "partial" if said.missing or state["stopped"] else "solved"
    reason = ended or (undone[0] if nothing else _reason(said.missing))
    return {**cost, "answer": said.answer, "status": status, "reason": reason, "missing": said.missing}


def _reason(missing: list[str]) -> str:
    return f"Missing: {'; '.join(missing)}" if missing else "The request is answered."
