"""Rollback by rule: what happens when a call fails. Code, never the model (Smurfs, 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from toolquiver.catalog import ApiId
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.records import Step
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ExecutorState, calls_of_subtask
from toolquiver.registration import put_away


async def rollback(state: ExecutorState, run: Run) -> Update:
    """Drop the failed API; while no tool is left, drop the step before and the API it used."""
    assert state["chosen"] is not None
    lists, trail = rolled_back(state["tool_lists"], state["trail"], state["chosen"])
    gone = put_away(state["registered"], [state["chosen"]], len(state["calls"]))
    update: Update = {"tool_lists": lists, "trail": trail, "registered": gone, "formula": []}
    if len(trail) < len(state["trail"]):  # what the dropped trajectory lacked, the one before it may not need
        update |= {"aim": None, "missing": []}
    if not run.context.rollback:
        return update | {"decided": "rollback is off"}
    if not lists[-1]:
        return update | {"decided": "nothing left"}
    over = calls_of_subtask(state) >= run.context.max_calls
    return update | {"decided": "call limit" if over else "choose again"}


def rolled_back(
    tool_lists: Sequence[Sequence[ApiId]], trail: Sequence[Step], failed: ApiId
) -> tuple[list[list[ApiId]], list[Step]]:
    """The tool lists and the local memory after `failed` failed at the last step.

    There is one list more than there are steps. The last list is empty only when the root list is.
    """
    lists, steps = [list(tools) for tools in tool_lists], list(trail)
    lists[-1] = _without(lists[-1], failed)
    while not lists[-1] and steps:
        lists.pop()
        lists[-1] = _without(lists[-1], steps.pop()["api"])
    return lists, steps


def _without(tools: Sequence[ApiId], dropped: ApiId) -> list[ApiId]:
    return [tool for tool in tools if tool != dropped]


def after_rollback(state: ExecutorState) -> Literal["choose again", "give up"]:
    """Choose again from what is left, unless nothing is, or the calls are used up."""
    return "choose again" if state["decided"] == "choose again" else "give up"
