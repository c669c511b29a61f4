"""Tool execution, the last of the four stages, with up to R tries a subtask (EasyTool, 3.1)."""

from __future__ import annotations

from typing import cast

from toolquiver.calling import Failure
from toolquiver.contexts import PipelineContext
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.easytool_pipeline.select import gave_nothing
from toolquiver.nodes.easytool_pipeline.state import AfterAdvance, AfterExecute, Made, Outcome, PipelineState
from toolquiver.nodes.records import call_record
from toolquiver.nodes.run import Run

_WHOLE = 200_000  # characters of a response that are kept


async def execute(state: PipelineState, run: Run[PipelineContext]) -> Update:
    """Make the call, if need be after the user was asked. One that fails leads back to selection, without its tool."""
    assert state["chosen"] is not None
    api, arguments = await run.api(state["chosen"]), state["arguments"]
    outcome = await call_if_approved(api, arguments, state, run, state["calls"], characters=_WHOLE)
    record = call_record(state["current"], api.id, arguments, outcome)
    if isinstance(outcome, Failure):
        why = f"The call failed ({outcome.kind}): {outcome.message}"
        return {"calls": [Made(**record, text="")], **gave_nothing(state, run, why)}
    return {"calls": [Made(**record, text=outcome.text)], "problem": "", "decided": "answered"}


async def record(state: PipelineState, _: Run[PipelineContext]) -> Update:
    """Keep the result of the call as what the subtask came to."""
    return {"outcomes": [*state["outcomes"], Outcome(ok=True, text=state["calls"][-1]["text"])]}


async def give_up(state: PipelineState, _: Run[PipelineContext]) -> Update:
    """Keep why the subtask was not done."""
    return {"outcomes": [*state["outcomes"], Outcome(ok=False, text=state["problem"])], "problem": ""}


async def advance(state: PipelineState, _: Run[PipelineContext]) -> Update:
    """Go to the next subtask, unless the budget is spent.

    A subtask that needs the result of one that was not done is not done either: it is passed over.
    """
    outcomes = list(state["outcomes"])
    while len(outcomes) < len(state["subtasks"]):
        lacking = [number for number in state["after"][len(outcomes)] if not outcomes[number]["ok"]]
        if not lacking:
            break
        numbers = ", ".join(str(number + 1) for number in lacking)
        outcomes.append(Outcome(ok=False, text=f"It needs the result of subtask {numbers}."))
    if state["stopped"] or len(outcomes) == len(state["subtasks"]):
        return {"outcomes": outcomes, "decided": "all done"}
    return {"outcomes": outcomes, "current": len(outcomes), "decided": "next subtask"}


def after_execute(state: PipelineState) -> AfterExecute:
    """The next subtask, another tool, or the end of the tries."""
    return cast("AfterExecute", state["decided"])


def after_advance(state: PipelineState) -> AfterAdvance:
    """Whether a subtask is left; none is where the budget is spent."""
    return cast("AfterAdvance", state["decided"])
