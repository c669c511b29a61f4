"""The answer to the whole query out of the subtasks' answers, and how the run ended."""

from __future__ import annotations

import json

from pydantic import BaseModel, Field

from toolquiver.catalog.text import content_words
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import remembered
from toolquiver.nodes.grounding import faithful
from toolquiver.nodes.in_full import text_in_full
from toolquiver.nodes.parts import parts_of
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Found, Status, Working, answers
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("compose")


class FinalAnswer(BaseModel):
    """The answer to the whole request."""

    answer: str = Field(max_length=1_500)


async def compose(state: Working, run: Run) -> Update:
    """One answer for all subtasks; a single one's answer stands as it is.

    Small models forget parts: where something of a subtask's answer is lost, the answers stand side by side. What was
    only a step on the way may be left out.
    """
    known = answers(state["known"], state)
    update: Update = {"status": _status(state), "reason": _reason(state)}
    together = " ".join(found["answer"] for found in known)
    if len(known) == 1:
        return update | {"answer": together}
    if known and _drawn(known[-1], state):
        return update | {"answer": known[-1]["answer"]}
    text, cost = await composed(known, state, run)
    whole = text and mentions_all(text, without_steps(known, state))
    return update | {"answer": text if whole else together, **cost}


def _drawn(found: Found, state: Working) -> bool:
    """Whether this answers the query itself, out of all that was known and without a call."""
    return found["question"] == state["query"] and found["solved"] and not found["observation"]


async def composed(known: list[Found], state: Working, run: Run) -> tuple[str, Update]:
    """What is known as an answer to the query, and its cost; empty when the model gave none that invents nothing."""
    answered, observed = [found["answer"] for found in known], [found["observation"] for found in known]
    shape = faithful(FinalAnswer, [state["query"], *answered], observed)
    messages = _PROMPT.messages(query=state["query"], known=remembered(known))
    decision, cost = await run.decide("compose", shape, messages, state)
    return "" if decision is None else text_in_full(decision.answer, state["query"], observed), cost


def without_steps(known: list[Found], state: Working) -> list[Found]:
    """What the answer must tell of: where the query asks one thing, not what a later call went on from."""
    if len(parts_of(state["query"])) > 1:
        return known
    return [found for found in known if not _went_on(found, state)]


def _went_on(found: Found, state: Working) -> bool:
    """Whether a later subtask's call took what this one has found out."""
    if found["question"] not in state["subtasks"]:
        return False
    place = state["subtasks"].index(found["question"])
    later = (json.dumps(call["arguments"], ensure_ascii=False) for call in state["calls"] if call["subtask"] > place)
    return bool(_news(found) & set(content_words(" ".join(later))))


def mentions_all(text: str, known: list[Found]) -> bool:
    """Whether `text` has something of every subtask's answer that its question does not have: its numbers, if any."""
    words = set(content_words(text))
    said = ({word for word in new if not word.isalpha()} or new for new in map(_news, known))
    return all(not new or new & words for new in said)


def _news(found: Found) -> set[str]:
    return set(content_words(found["answer"])) - set(content_words(found["question"]))


def _status(state: Working) -> Status:
    known = answers(state["known"], state)
    asked = set(state["subtasks"]) <= {found["question"] for found in state["known"]}
    if known and asked and all(found["solved"] for found in known):
        return "solved"
    return "partial" if any(found["solved"] or found["observation"] for found in known) else "failed"


def _reason(state: Working) -> str:
    if state["stopped"]:
        return state["stopped"]
    open_questions = [found["question"] for found in answers(state["known"], state) if not found["solved"]]
    if not open_questions:
        return "Every subtask was answered."
    return "Not answered: " + "; ".join(open_questions)
