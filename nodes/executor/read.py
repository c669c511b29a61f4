"""Executor where all tools tell of named things: the pages of an encyclopaedia are read until they have the answer.

What a question names is looked up unasked, a page that has another title under that; then a model says which name in
the pages leads on. Left to write the name itself, a small model writes the question (HotpotQA; smurfs.txt, 4.2).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import BaseModel, create_model

from toolquiver.catalog import API
from toolquiver.catalog.text import content_words, shortened
from toolquiver.marks import as_data
from toolquiver.nodes.apis.pages import (
    asked_names,
    is_missing,
    name_parameter,
    names_in,
    page_text,
    reader_among,
    similar,
)
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import remembered
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.shapes import brief, one_of
from toolquiver.nodes.state import ExecutorState, calls_of_subtask, current_task
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("read")
_ASKED, _OFFERED = 4, 24
_ENOUGH = 3  # pages: a page more is asked for where there are fewer
_LONGEST_PAGE = 1_200  # characters
_NOTHING = "nothing"


class Next(BaseModel):
    """What is asked, what the pages tell of it, what they do not tell, and the name to read about next.

    Written down in this order, a small model goes on; asked at once, it always has read enough.
    """

    asked: str = brief(80)
    told: str = brief(160)
    open: str = brief(100)
    next: str


def by_reading(apis: Sequence[API], run: Run) -> bool:
    """Whether a task with these APIs at hand is reading: all of them tell of named things."""
    return run.context.pages and reader_among(apis) is not None


async def read(state: ExecutorState, run: Run) -> Update:
    """Go on to the next name: of the question, or of a page as the model chooses; at the end, to the last page read.

    A page that is missing is no step, and one that is known by another name is read under that. Where nothing that the
    question names has a page, the tools are chosen one by one.
    """
    reader = reader_among(await run.apis(state["pool"]))
    assert reader is not None
    entity, task, unread = name_parameter(reader), current_task(state), state.get("unread")
    if unread is None:
        return _next(reader, _first(task), [], state)
    trail, tried = _trail(state), _tried(state, entity)
    missing = len(trail) == len(state["trail"])
    if missing:
        context = " ".join([task, *(step["answer"] for step in trail)])
        unread = [similar(page_text(_told(state)), str((state["arguments"] or {})[entity]), context), *unread]
    unread, cost = [name for name in unread if name and name not in tried], Update()
    if calls_of_subtask(state) >= run.context.max_calls:
        unread = []
    elif not unread and 0 < len(trail) < _ENOUGH - missing:
        unread, cost = await _chosen(trail, tried, state, run)
    if "stopped" in cost:
        return {"trail": trail, "history": trail, "unread": None} | cost
    return _next(reader, unread, trail, state) | cost


def after_read(state: ExecutorState) -> Literal["to be read", "read enough", "no page", "out of budget"]:
    """Without any page the tools are chosen one by one."""
    if state["stopped"]:
        return "out of budget"
    if state.get("unread") is not None:
        return "to be read"
    return "read enough" if state["chosen"] else "no page"


def _first(task: str) -> list[str]:
    """The names to begin with: those of several words before single ones, which are often no titles."""
    names = asked_names(task)
    apart = [name for name in names if not any(name != other and name in other for other in names)]
    return sorted(apart, key=lambda name: " " not in name)[:_ASKED]


def _next(reader: API, unread: Sequence[str], trail: Sequence[Step], state: ExecutorState) -> Update:
    """The call that reads about the first name; at the end the last step, as if it had just been made."""
    if unread:
        arguments = {name_parameter(reader): unread[0]}
        return {"chosen": reader.id, "arguments": arguments, "thought": "", "trail": trail, "unread": unread[1:]}
    if not trail:
        return {"chosen": None, "unread": None}
    *before, last = trail
    kept = {"chosen": last["api"], "arguments": last["arguments"], "observation": last["observation"]}
    lists = [*state["tool_lists"], *(state["pool"] for _ in before)]
    return {**kept, "decided": "answered", "trail": before, "tool_lists": lists, "history": before, "unread": None}


def _trail(state: ExecutorState) -> list[Step]:
    """The pages read, the last one with them if there is such a page."""
    page = page_text(_told(state))
    assert state["chosen"] is not None
    if state["decided"] != "answered" or is_missing(page):
        return state["trail"]
    step = Step(
        subtask=state["current"],
        thought="",
        api=state["chosen"],
        arguments=state["arguments"] or {},
        observation=state["observation"],
        answer=shortened(page, _LONGEST_PAGE),
    )
    return [*state["trail"], step]


def _told(state: ExecutorState) -> str:
    """What came of the last call: the page, or the message of its failure."""
    return state["observation"] if state["decided"] == "answered" else state["hint"]


def _tried(state: ExecutorState, entity: str) -> set[str]:
    here = [call["arguments"] for call in state["calls"] if call["subtask"] == state["current"]]
    made = [*here, *(step["arguments"] for step in state["trail"]), state["arguments"] or {}]
    return {str(arguments.get(entity, "")) for arguments in made}


async def _chosen(
    trail: Sequence[Step], tried: Collection[str], state: ExecutorState, run: Run
) -> tuple[list[str], Update]:
    """The name that leads on, if any is to be read yet, and what asking cost."""
    pages = [step["answer"] for step in trail]
    heard = {frozenset(content_words(name)) for name in tried}
    found = dict.fromkeys(name for page in pages for name in names_in(page))
    names = [name for name in found if frozenset(content_words(name)) not in heard]
    if not names:
        return [], {}
    shape = create_model("Next", __base__=Next, next=(one_of([*names[:_OFFERED], _NOTHING]), ...))
    shown = [as_data(page, "page") for page in pages]
    messages = _PROMPT.messages(pages=shown, known=remembered(state["known"]), task=current_task(state))
    decision, cost = await run.decide("read", shape, messages, state)
    return ([] if decision is None or decision.next == _NOTHING else [decision.next]), cost
