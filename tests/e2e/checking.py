"""Questions with answers that a program can check."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Fact = str | int | float | tuple[str | int | float, ...]
"""Something the answer must say: a text, a number, or any one of several."""

_NUMBER = re.compile(r"-?\d+(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")
_TOLERANCE = 0.001


@dataclass(frozen=True)
class Question:
    """A question, how many calls it takes at least, and the facts of its answer, worked out when asked for."""

    id: str
    steps: int
    text: str
    facts: Callable[[], Sequence[Fact]]


def missing_facts(question: Question, answer: str) -> list[Fact]:
    """The facts that the answer does not state; none when it is right."""
    return [fact for fact in question.facts() if not _states(answer, fact)]


def _states(answer: str, fact: Fact) -> bool:
    if isinstance(fact, tuple):
        return any(_states(answer, part) for part in fact)
    if isinstance(fact, str):
        return re.search(rf"(?<!\w){re.escape(_plain(fact))}(?!\w)", _plain(answer)) is not None
    found = (float(number.replace(",", "")) for number in _NUMBER.findall(answer.replace("\N{MINUS SIGN}", "-")))
    if isinstance(fact, int):
        return any(number == fact for number in found)
    return any(abs(number - fact) <= _TOLERANCE * abs(fact) for number in found)


def _plain(text: str) -> str:
    """Lower case without accents, a date and a time that ISO 8601 joins with a `T` apart."""
    decomposed = unicodedata.normalize("NFKD", re.sub(r"(?<=\d)T(?=\d\d:)", " ", text).casefold())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())
