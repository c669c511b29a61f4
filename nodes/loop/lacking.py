"""What was not answered, and why: out of the subtasks and their calls, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from toolquiver.catalog import ApiId
from toolquiver.catalog.text import shortened
from toolquiver.nodes.answering.compose import NO_ROOM
from toolquiver.nodes.approve import is_refusal
from toolquiver.nodes.chain.ask_user import only_the_user_knows
from toolquiver.nodes.costs import refused
from toolquiver.nodes.known import answers, optional
from toolquiver.nodes.loop.quiver_state import Gap, QuiverState
from toolquiver.nodes.records import Call

_NO_TOOL = "no tool gave it"


def gaps(state: QuiverState) -> list[Gap]:
    """The questions that have no answer that the verifier passed, each with what its last try came to."""
    ended = {found["question"] for found in state["known"]}
    answered = {found["question"] for found in state["known"] if found["solved"]}
    aside = (ended - {found["question"] for found in answers(state["known"], state)}) | optional(state)
    open_questions = dict.fromkeys(question for question in state["subtasks"] if question not in answered | aside)
    found = [Gap(question=question, why=_why(question, state)) for question in open_questions]
    return [*found, *(Gap(question=question, why=NO_ROOM) for question in state.get("unplanned", []))]


def in_words(found: Sequence[Gap]) -> str:
    """The questions with their reasons, on one line."""
    return "; ".join(f"{gap['question']} ({gap['why']})" for gap in found)


def is_the_users(question: str, state: QuiverState) -> bool:
    """Whether other tools are no help: the user refused the call, or alone knows what the tool meant for it needs.

    The wrong tool of a small model lacks what nobody has thought of, so that says nothing; only the planned tool's gap
    does, or that of the only candidate.
    """
    if question not in state["subtasks"]:  # it was not tried
        return False
    failed = _failed(question, state)
    if failed is None:
        return False
    unfilled = failed["failure"] == "invalid_arguments" and only_the_user_knows(failed["message"])
    alone = state["allowed"] is not None and len(state["allowed"]) == 1
    return is_refusal(failed) or (unfilled and (alone or _meant(question, state) == failed["api"]))


def _why(question: str, state: QuiverState) -> str:
    places = _places(question, state)
    calls = _last_calls(question, state)
    if state["stopped"] and places[-1] >= state["current"] and not (calls and calls[-1]["subtask"] < places[-1]):
        why = "the run had to stop" if refused(state) else "the budget was spent"
        return f"{why} before it was answered"
    if failed := _failed(question, state):
        return f"{_name(failed)} failed, {failed['failure']}: {shortened(failed['message'])}"
    if calls:
        return f"what {_name(calls[-1])} returned does not answer it"
    return _NO_TOOL


def _failed(question: str, state: QuiverState) -> Call | None:
    """The failure that says why: that of the tool that was meant says more than what was tried in its place."""
    failed = [call for call in _last_calls(question, state) if not call["ok"]]
    if not failed:
        return None
    places, meant = _places(question, state), _meant(question, state)
    ever = [call for call in state["calls"] if call["subtask"] in places and not call["ok"]]
    return next((call for call in reversed(ever) if call["api"] == meant), failed[-1])


def _last_calls(question: str, state: QuiverState) -> list[Call]:
    """The calls of the last time that any was made for the question: a second try often has none left."""
    tried = [call["subtask"] for call in state["calls"] if call["subtask"] in _places(question, state)]
    return [call for call in state["calls"] if call["subtask"] == tried[-1]] if tried else []


def _places(question: str, state: QuiverState) -> list[int]:
    """Where the question stands among the subtasks: once, and once more for each time that it was tried again."""
    return [place for place, subtask in enumerate(state["subtasks"]) if subtask == question]


def _meant(question: str, state: QuiverState) -> ApiId | None:
    return next(iter(state["planned"][_places(question, state)[0] :]), None)


def _name(call: Call) -> str:
    return call["api"].rsplit("/", 1)[-1]
