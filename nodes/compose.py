"""The answer to the whole query out of the subtasks' answers, and how the run ended."""

from __future__ import annotations

from pydantic import BaseModel, Field

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.grounding import faithful
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Answered, Found, Status
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("compose")


class FinalAnswer(BaseModel):
    """The answer to the whole request."""

    answer: str = Field(max_length=1_500)


async def compose(state: Answered, run: Run) -> Update:
    """One answer for all subtasks; a single one's answer stands as it is."""
    known = state["known"]
    update: Update = {"status": _status(known), "reason": _reason(state)}
    together = " ".join(found["answer"] for found in known)
    if len(known) == 1:
        return update | {"answer": together}
    messages = _PROMPT.messages(query=state["query"], known=known)
    decision, cost = await run.decide("compose", faithful(FinalAnswer, [state["query"], together]), messages, state)
    return update | {"answer": together if decision is None else decision.answer, **cost}


def _status(known: list[Found]) -> Status:
    solved = sum(found["solved"] for found in known)
    if solved == len(known):
        return "solved"
    return "partial" if solved else "failed"


def _reason(state: Answered) -> str:
    if state["stopped"]:
        return state["stopped"]
    open_questions = [found["question"] for found in state["known"] if not found["solved"]]
    if not open_questions:
        return "Every subtask was answered."
    return "Not answered: " + "; ".join(open_questions)
