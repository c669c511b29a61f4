"""What was found out before, put into a later task: "the capital of Kenya" becomes "the capital of Kenya (Nairobi)".

A small model fills arguments from the words of its task, and takes "Kenya" where the capital was found long ago.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_ASKED = re.compile(r"(?:what|which|who|where)(?:'s| is| are| was| were) (?P<thing>\w.*?)[?.\s]*", re.IGNORECASE)
LONGEST_VALUE = 4  # words of an answer that is put into a task


def with_answers(task: str, found: Iterable[tuple[str, str]]) -> str:
    """The task with a short answer after each thing that was asked for before; `found` are questions and answers."""
    for question, answer in found:
        asked = _ASKED.fullmatch(question.strip())
        value = _short(answer, asked["thing"]) if asked else ""
        if asked and value and value.lower() not in task.lower():
            thing = re.compile(rf"\b{re.escape(asked['thing'])}\b(?!')", re.IGNORECASE)
            task = thing.sub(_behind(value), task, count=1)
    return task


def _behind(value: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f"{match[0]} ({value})"


def _short(answer: str, thing: str) -> str:
    """The answer itself where it is short, or what it says that the thing is; empty when that is long."""
    said = re.match(rf"{re.escape(thing)}(?: is| are| was| were) ", answer, re.IGNORECASE)
    value = answer[said.end() if said else 0 :].strip().rstrip(".")
    return value if len(value.split()) <= LONGEST_VALUE else ""
