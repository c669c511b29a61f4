"""The answer to the whole query out of the subtasks' answers, and how the run ended."""

from __future__ import annotations

import json
from decimal import Decimal

from pydantic import BaseModel, Field

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import remembered
from toolquiver.nodes.known import answers, optional, with_questions
from toolquiver.nodes.records import Found
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Status, Working
from toolquiver.nodes.texts.derived import difference, together, worked_out, written
from toolquiver.nodes.texts.grounding import faithful, unknown_numbers
from toolquiver.nodes.texts.languages import is_foreign
from toolquiver.nodes.texts.terms import rounded_from, terms
from toolquiver.nodes.texts.unsaid import with_lost, with_unsaid
from toolquiver.prompts import load_prompt

NO_ROOM = "max_subtasks leaves no room for it"
_PROMPT = load_prompt("compose")


class FinalAnswer(BaseModel):
    """The answer to the whole request."""

    answer: str = Field(max_length=1_500)


async def compose(state: Working, run: Run) -> Update:
    """One answer for all subtasks; a single one's answer stands as it is, with what the query asks for besides.

    The subtask may have asked for less: the response has a bank's code and its name, of which the plan's question named
    one. Such a field is added where the query has its name.
    Small models forget parts: where something of a subtask's answer is lost, the answers stand one a line, as some have
    no full stop, and what the query asks for by the name of a field follows.
    """
    known = answers(state["known"], state)
    update: Update = {"status": _status(state), "reason": _reason(state)}
    one_by_one = "\n".join(found["answer"] for found in known)
    if len(known) == 1:
        return update | {"answer": _whole(known[0], state) if known[0]["solved"] else one_by_one}
    if known and _drawn(known[-1], state):
        return update | {"answer": with_lost(known[-1]["answer"], state["query"], known)}
    text, cost = await composed(known, state, run)
    said = text if text and mentions_all(text, known, state["query"]) else one_by_one
    return update | {"answer": _with_difference(with_lost(said, state["query"], known), known, state["query"]), **cost}


def _whole(only: Found, state: Working) -> str:
    """The one answer, with what the query asks for besides; what a call took is no news."""
    taken = json.dumps([call["arguments"] for call in state["calls"]], ensure_ascii=False)
    return with_unsaid(only["answer"], state["query"], only["observation"], taken)


def _drawn(found: Found, state: Working) -> bool:
    """Whether this answers the query itself, out of all that was known and without a call."""
    return found["question"] == state["query"] and found["solved"] and not found["observation"]


async def composed(known: list[Found], state: Working, run: Run) -> tuple[str, Update]:
    """What is known as an answer to the query, and its cost; empty when the model gave none that invents nothing.

    What the query asks of the answers together, such as their difference, may be worked out.
    """
    derived = worked_out(state["query"], with_questions(known))
    given = [state["query"], *(found["answer"] for found in known), *derived]
    shape = faithful(FinalAnswer, given, [found["observation"] for found in known])
    messages = _PROMPT.messages(query=state["query"], known=remembered(known))
    decision, cost = await run.decide("compose", shape, messages, state)
    return "" if decision is None else decision.answer, cost


def mentions_all(text: str, known: list[Found], query: str = "") -> bool:
    """Whether `text` has something of every subtask's answer that its question does not have: its numbers, if any.

    A number that the query asks of several answers together stands for each of these.
    """
    said = terms(text)
    derived = {} if is_foreign(query) else together(query, with_questions(known))
    covered = {place for number, places in derived.items() if _states(text, number) for place in places}

    def is_mentioned(found: Found) -> bool:
        new = terms(found["answer"]) - terms(found["question"])
        new = {term for term in new if not term.isalpha()} or new
        return not new or bool(new & said) or rounded_from(said, " ".join(new))

    return all(place in covered or is_mentioned(found) for place, found in enumerate(known))


def _with_difference(text: str, known: list[Found], query: str) -> str:
    """The text, with the difference of two answers where the query asks for it and the text does not have it."""
    found = difference(query, with_questions(found for found in known if found["solved"]))
    if found is None or _states(text, found):
        return text
    return f"{text.rstrip('. ')}; the difference is {written(found)}."


def _states(text: str, number: Decimal) -> bool:
    """Whether a text has this number, as it is or rounded."""
    known = [written(number)]
    said = (term for term in terms(text) if term[0].isdigit())
    return any(not unknown_numbers(term, known, counts=False, shares=False) for term in said)


def _status(state: Working) -> Status:
    known = answers(state["known"], state)
    asked = set(state["subtasks"]) - optional(state) <= {found["question"] for found in state["known"]}
    if known and asked and all(found["solved"] for found in known) and not state.get("unplanned"):
        return "solved"
    return "partial" if any(found["solved"] or found["observation"] for found in known) else "failed"


def without_room(state: Working) -> list[str]:
    """The questions that the plan has no room for, each with that as the reason."""
    return [f"{question} ({NO_ROOM})" for question in state.get("unplanned", [])]


def _reason(state: Working) -> str:
    if state["stopped"]:
        return state["stopped"]
    open_questions = [found["question"] for found in answers(state["known"], state) if not found["solved"]]
    open_questions += without_room(state)
    if not open_questions:
        return "Every subtask was answered."
    return "Not answered: " + "; ".join(open_questions)
