"""What was not answered, and why: out of the subtasks and their calls, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.nodes.describe import shortened
from toolquiver.nodes.quivering import Gap, Quivering
from toolquiver.nodes.state import Call, answers

_NO_TOOL = "no tool gave it"


def gaps(state: Quivering) -> list[Gap]:
    """The questions that have no answer that the verifier passed, each with what its last try came to."""
    ended = {found["question"] for found in state["known"]}
    answered = {found["question"] for found in state["known"] if found["solved"]}
    aside = ended - {found["question"] for found in answers(state["known"], state)}
    open_questions = dict.fromkeys(question for question in state["subtasks"] if question not in answered | aside)
    return [Gap(question=question, why=_why(question, state)) for question in open_questions]


def in_words(found: Sequence[Gap]) -> str:
    """The questions with their reasons, on one line."""
    return "; ".join(f"{gap['question']} ({gap['why']})" for gap in found)


def _why(question: str, state: Quivering) -> str:
    places = [place for place, subtask in enumerate(state["subtasks"]) if subtask == question]
    if state["stopped"] and places[-1] >= state["current"]:
        return "the budget was spent before it"
    calls = [call for call in state["calls"] if call["subtask"] == places[-1]]
    failed = [call for call in calls if not call["ok"]]
    if failed:
        # Why the tool that was meant for it failed says more than what was tried in its place.
        meant = next(iter(state["planned"][places[-1] :]), None)
        return _failure(next((call for call in reversed(failed) if call["api"] == meant), failed[-1]))
    if calls:
        return f"what {calls[-1]['api'].rsplit('/', 1)[-1]} returned does not answer it"
    return _NO_TOOL


def _failure(call: Call) -> str:
    return f"{call['api'].rsplit('/', 1)[-1]} failed, {call['failure']}: {shortened(call['message'])}"
