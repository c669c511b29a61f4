"""Verifier agent: is the subtask done, and if not, what is missing? (Smurfs, eq. 7.)"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, Field

from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Executed, Step, calls_of_subtask, current_task
from toolquiver.prompts import load_prompt

_PROMPT = load_prompt("verify")
_NOTHING = re.compile(r"\W*(nothing|none)\b", re.IGNORECASE)  # a verdict that contradicts itself is done


class Verdict(BaseModel):
    """What was asked for, what was given, what is missing, and so whether the task is done.

    Written down in this order, a small model sees that feet are not metres.
    """

    asked: str = Field(max_length=80)
    given: str = Field(max_length=80)
    missing: str = Field(max_length=160)
    done: bool


async def verify(state: Executed, run: Run) -> Update:
    """Keep the step in both memories and judge the subtask; a pending one is no rollback.

    Without the verifier nothing is judged done: as in the paper's ablation, the steps go on to the limit.
    """
    assert state["chosen"] is not None
    step = Step(
        subtask=state["current"],
        thought=state["thought"],
        api=state["chosen"],
        arguments=state["arguments"] or {},
        observation=state["observation"],
        answer=state["step_answer"],
    )
    trail = [*state["trail"], step]
    kept: Update = {"trail": trail, "history": [step]}
    if run.context.verifier:
        messages = _PROMPT.messages(task=current_task(state), answer=state["step_answer"], steps=state["trail"])
        verdict, cost = await run.decide("verify", Verdict, messages, state)
        kept |= cost
        if verdict is not None and (verdict.done or _NOTHING.match(verdict.missing)):
            return kept | {"decided": "subtask done", "hint": ""}
        kept["hint"] = "" if verdict is None else verdict.missing
    over = len(trail) >= run.context.max_steps or calls_of_subtask(state) >= run.context.max_calls
    return kept | {"decided": "at the limit" if over else "not yet"}


def after_verify(state: Executed) -> Literal["subtask done", "not yet", "at the limit"]:
    """Pending goes on with the next step, unless steps, calls or budget are used up."""
    if state["decided"] == "subtask done":
        return "subtask done"
    return "at the limit" if state["stopped"] or state["decided"] == "at the limit" else "not yet"


async def advance(state: Executed, _: Run) -> Update:
    """The next step t+1, with a fresh list of all the subtask's candidates."""
    return {"tool_lists": [*state["tool_lists"], state["pool"]], "missing": []}
