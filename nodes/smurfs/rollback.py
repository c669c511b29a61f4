"""Rollback by rule: what follows from a failure is code, never the model's choice (Smurfs, 3.4, "Stable Rollback").

Each step t has a tool list of its own. A tool that fails leaves the list of its step. When that list is empty, no way
on from step t-1 is left: its memory element goes, and the tool that it used leaves the list of t-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from toolquiver.catalog import ApiId
from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.state import AfterRollback, AfterStepBack, SmurfsState, calls_here
from toolquiver.registration import put_away


async def rollback(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Take the tool that failed off the list of this step. The verifier's hint stays."""
    assert state["chosen"] is not None
    lists = without(state["tool_lists"], state["chosen"])
    again: AfterRollback = "choose again" if lists[-1] else "no tool left"
    over = len(calls_here(state)) >= run.context.max_calls
    return {
        "tool_lists": lists,
        "registered": put_away(state["registered"], [state["chosen"]], len(state["calls"])),
        "decided": "at the limit" if over else again,
    }


async def step_back(state: SmurfsState, _: Run[SmurfsContext]) -> Update:
    """Go back to the step before: forget its memory element, and take its tool off the list of that step.

    The hint is then that of the step which is now the last. Global memory keeps what local memory forgets.
    """
    if not state["trail"]:
        return {"decided": "nothing left"}
    *trail, last = state["trail"]
    lists = without(state["tool_lists"][:-1], last["api"])
    again: AfterStepBack = "choose again" if lists[-1] else "no tool left"
    return {"trail": trail, "tool_lists": lists, "hint": trail[-1]["hint"] if trail else "", "decided": again}


def without(lists: Sequence[Sequence[ApiId]], gone: ApiId) -> list[list[ApiId]]:
    """The tool lists, the last of them without one API."""
    *before, last = (list(one) for one in lists)
    return [*before, [api for api in last if api != gone]]


def after_rollback(state: SmurfsState) -> AfterRollback:
    """The edge that the node has decided on."""
    return cast("AfterRollback", state["decided"])


def after_step_back(state: SmurfsState) -> AfterStepBack:
    """The edge that the node has decided on: as long as lists are empty, one step back after another."""
    return cast("AfterStepBack", state["decided"])
