"""Evidence: which call does each statement of an answer stand on? Found out by code, in what the calls returned."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from toolquiver.catalog.text import content_words
from toolquiver.nodes.known import with_questions
from toolquiver.nodes.records import Call, Step
from toolquiver.nodes.state import ExecutorState
from toolquiver.nodes.texts.derived import worked_out
from toolquiver.nodes.texts.grounding import invented
from toolquiver.nodes.texts.parts import sentences
from toolquiver.nodes.texts.terms import rounded_from, terms

_MOST = 40  # statements of an answer
_TEXTS: tuple[Literal["observation", "answer"], ...] = ("observation", "answer")  # of a step, the call's own first
_NAME = re.compile(r"(?<=\s)[^\W\d_a-z]\w+")  # a word with a capital, not the first


class Statement(TypedDict):
    """A sentence of the answer, the numbers of the calls it stands on, from 1, and the values that no call gave."""

    text: str
    calls: list[int]
    unsupported: list[str]


def statements(answer: str, state: ExecutorState) -> list[Statement]:
    """The sentences and lines of the answer with their evidence; of a very long one the last statement is the rest.

    A call supports a sentence when it returned something that the sentence says and the query does not: one of its
    numbers if it has such, else some other word; and a name that no other call returned. Where no response has any of
    that, the call's own digest may.
    """
    steps = _numbered([*state.get("chained", ()), *state["history"]], state["calls"])
    query = state["query"]
    given = [query, *(text for _, step in steps for text in (step["observation"], json.dumps(step["arguments"])))]
    given += worked_out(query, with_questions(state["known"]))
    return [
        Statement(text=sentence, calls=_support(sentence, query, steps), unsupported=invented(sentence, given))
        for sentence in _said(answer)
    ]


def _said(answer: str) -> list[str]:
    found = [part.strip() for line in answer.splitlines() for part in sentences(line) if part.strip()]
    return [*found[: _MOST - 1], *([" ".join(found[_MOST - 1 :])] if len(found) >= _MOST else [])]


def _numbered(history: Sequence[Step], calls: Sequence[Call]) -> list[tuple[int, Step]]:
    """The steps, each with the number of its call.

    That is its subtask's own, of several equal ones in their order, else the last before, whose result it took.
    """
    found, taken = list[tuple[int, Step]](), Counter[int]()
    for step in history:
        equal = [
            (number, call["subtask"])
            for number, call in enumerate(calls, 1)
            if call["ok"] and call["api"] == step["api"] and call["arguments"] == step["arguments"]
        ]
        own = [number for number, subtask in equal if subtask == step["subtask"]]
        before = [number for number, subtask in equal if subtask < step["subtask"]]
        if equal:
            number = min(own, key=lambda one: (taken[one], one)) if own else (before or [equal[0][0]])[-1]
            taken[number] += 1
            found.append((number, step))
    return found


def _support(sentence: str, query: str, steps: Sequence[tuple[int, Step]]) -> list[int]:
    asked, says = terms(query), terms(sentence)
    numbers = {word for word in says if not word.isalpha()}
    returned, told = ([(number, terms(step[key], data=True)) for number, step in steps] for key in _TEXTS)
    for news in (numbers - asked, says - asked, says):
        calls = {number for number, found in returned if news & found}
        calls = calls or {number for number, found in told if news & found}
        calls = calls or {number for number, step in steps if rounded_from(news, step["observation"])}
        if calls:
            return sorted(calls | _named(sentence, asked, steps))
    return []


def _named(sentence: str, asked: set[str], steps: Sequence[tuple[int, Step]]) -> set[int]:
    """The calls that alone returned a name which the sentence has and the query does not."""
    names = {name.lower() for name in _NAME.findall(sentence)} - asked
    giving = ({number for number, step in steps if name in content_words(step["observation"])} for name in names)
    return {number for calls in giving if len(calls) == 1 for number in calls}
