"""What is known to the query itself, out of what its subtasks came to."""

from __future__ import annotations

from collections.abc import Iterable

from toolquiver.nodes.records import Found
from toolquiver.nodes.state import Working


def answers(known: list[Found], state: Working) -> list[Found]:
    """What is known to the query itself: without what was only looked up for a subtask that came to its end.

    Of a question that was asked again the last answer that the verifier passed stands, else the last. Without siblings
    that tell nothing, and need not.
    """
    ended = {found["question"] for found in known}
    aside = {question for task, asked in state.get("lookups", {}).items() if task in ended for question in asked}
    aside |= optional(state) - {found["question"] for found in known if found["solved"]}
    of_each = {found["question"]: found for found in sorted(known, key=lambda found: found["solved"])}
    return [found for found in known if found["question"] not in aside and found is of_each[found["question"]]]


def with_questions(known: Iterable[Found]) -> list[tuple[str, str]]:
    """Questions and what they were answered with."""
    return [(found["question"], found["answer"]) for found in known]


def optional(state: Working) -> set[str]:
    """The siblings without which their task is answered."""
    return {question for question, needed in state.get("siblings", {}).items() if not needed}
