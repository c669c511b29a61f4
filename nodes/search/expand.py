"""Query expansion: a task in the words that a list of tools would use, so that search finds what it is not called.

The rabbits in a riddle find no tool; "compute a Fibonacci number" does. After HyDE (Gao et al., 2022), which lets a
model write the document that would be the answer, and searches by that.
"""

from __future__ import annotations

import re

from pydantic import BaseModel

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import brief
from toolquiver.nodes.state import Searching
from toolquiver.nodes.texts.conversions import with_conversion
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("expand")
_POINTS = re.compile(r"\b(?:its?|they|their|them|he|him|his|she|hers?)\b", re.IGNORECASE)


class Wanted(BaseModel):
    """What a tool for the task does, takes and returns."""

    does: str = brief(90)
    takes: str = brief(60)
    returns: str = brief(60)


async def expanded(task: str, state: Searching, run: Run, *, before: str = "") -> tuple[str, Update]:
    """The task with a description of the tool it wants, for search, and what that changes in the state.

    A task is described once in a run. What a conversion wants no model need say. A task that refers to something, as
    `What is its symbol?` does, is shown with the one `before` it: an element's symbol was searched for, of a currency.
    """
    known, plain = state["expansions"], with_conversion(task)
    if task in known or plain != task or state["allowed"] is not None or not run.context.expansion:
        return known.get(task, plain), {}
    messages = _PROMPT.messages(task=task, previous=before if _POINTS.search(task) else "")
    decision, cost = await run.decide("expand", Wanted, messages, state)
    if decision is None:
        return plain, cost
    text = f"{task} {decision.does} {decision.takes} {decision.returns}"
    return text, {"expansions": {**known, task: text}, **cost}
