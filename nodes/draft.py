"""The goal as one nested call, written down before the chain looks at any of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from toolquiver.catalog import API
from toolquiver.models import shaped
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.chain import Chained, a_frame
from toolquiver.nodes.costs import after, both
from toolquiver.nodes.describe import function_lines, remembered
from toolquiver.nodes.drafts import read_draft
from toolquiver.nodes.run import Run
from toolquiver.nodes.select_api import at_hand
from toolquiver.nodes.state import current_task
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("nested")


class Drafted(BaseModel):
    """The whole plan as one nested call."""

    call: str = Field(max_length=1_000)


async def draft(state: Chained, run: Run) -> Update:
    """Have the goal written as a nested call of the APIs at hand, and begin its chain with the call on the outside.

    Of a draft the chain takes what holds: see `complete_arguments`. Where none is written that can be read, where there
    is nothing to nest, or with `drafts` off, the goal's API is chosen.
    """
    if not run.context.drafts:
        return {"decided": "to be selected"}
    task = current_task(state)
    pool, shown, spent = await at_hand(state, run)
    if not shown[1:]:
        return {"decided": "to be selected", **spent}
    messages = _PROMPT.messages(
        query=task,
        conversation=state["said"],
        known=remembered(state["known"]),
        functions=[function_lines(api) for api in shown],
        shown_one=True,
        reasons=False,
    )
    decision, cost = await run.decide("draft", _of(shown), messages, after(state, spent))
    if decision is None:
        return {"decided": "to be selected", **both(spent, cost)}
    written = read_draft(decision.call, shown, task)
    frame = a_frame(state["frames"], written["api"], task, state["current"], draft=written)
    return {
        "pool": [api.id for api in pool],
        "frames": [*state["frames"], frame],
        "stack": [frame["id"]],
        "failure": "",
        "decided": "drafted",
        **both(spent, cost),
    }


def _of(apis: Sequence[API]) -> type[Drafted]:
    """A draft that can be read as calls of these APIs."""

    def wrong(given: Drafted) -> list[str]:
        try:
            read_draft(given.call, apis)
        except ValueError as error:
            return [str(error)]
        return []

    return shaped(Drafted, Drafted.model_json_schema(), wrong)


def after_draft(state: Chained) -> Literal["drafted", "to be selected"]:
    """Without a draft the goal's API is chosen alone."""
    return "drafted" if state["decided"] == "drafted" else "to be selected"
