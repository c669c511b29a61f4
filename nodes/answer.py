"""Answer agent: a short digest of one response (Smurfs, eq. 6)."""

from __future__ import annotations

from pydantic import BaseModel, Field

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import as_data, call_text
from toolquiver.nodes.grounding import faithful
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("answer")


class Digest(BaseModel):
    """What the response says about the task."""

    answer: str = Field(max_length=400)


async def answer(state: Executed, run: Run) -> Update:
    """Digest the response; the raw response stands when the answer agent is off or gives nothing valid.

    It stands too where the step was only to find out what the intended tool lacked. Where two tries made something
    up, the response most likely does not have what the task asks for.
    """
    if not run.context.answerer or state["missing"]:
        return {"step_answer": state["observation"], "decided": "digested"}
    assert state["chosen"] is not None
    (api,) = await run.apis([state["chosen"]])
    task = state["subtasks"][state["current"]]
    made = call_text(api, state["arguments"] or {})
    given = [state["query"], task, made, *(step["answer"] for step in state["trail"])]
    messages = _PROMPT.messages(
        task=task,
        steps=state["trail"],
        call=made,
        observation=as_data(state["observation"]),
    )
    shape = faithful(Digest, given, [state["observation"]])
    decision, cost = await run.decide("answer", shape, messages, state)
    if decision is None:
        return {"step_answer": state["observation"], "decided": "undigested", **cost}
    return {"step_answer": decision.answer, "decided": "digested", **cost}
