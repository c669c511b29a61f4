"""Executor, last of four: the call itself (Smurfs, eq. 5)."""

from __future__ import annotations

from typing import Literal

from toolquiver.calling import Failure
from toolquiver.nodes.approve import refused
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.describe import shortened
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import Call, Executed


async def call(state: Executed, run: Run) -> Update:
    """Call the chosen API, if need be after the user was asked; the outcome, good or bad, is recorded.

    A call that was made before in this run is not made again: its observation is taken.
    """
    api_id, arguments = state["chosen"], state["arguments"]
    assert api_id is not None
    assert arguments is not None
    for step in state["history"]:
        if step["api"] == api_id and step["arguments"] == arguments:
            return {"observation": step["observation"], "decided": "answered"}
    (api,) = await run.apis([api_id])
    outcome = refused(api, arguments, run.context.approval, state["calls"]) or await run.call(api, arguments)
    failed = isinstance(outcome, Failure)
    made = Call(
        subtask=state["current"],
        api=api_id,
        arguments=arguments,
        ok=not failed,
        failure=outcome.kind if isinstance(outcome, Failure) else None,
        message=outcome.message if isinstance(outcome, Failure) else "",
    )
    if isinstance(outcome, Failure):
        return {"calls": [made], "decided": "failed", "hint": f"{api.function} failed: {shortened(outcome.message)}"}
    return {"calls": [made], "decided": "answered", "observation": outcome.text}


def after_call(state: Executed) -> Literal["answered", "more to compute", "a page", "failed"]:
    """Whether there is an observation, and whether it is the one that a formula leads to; a page, or none, is read."""
    if state.get("unread") is not None:
        return "a page"
    if state["decided"] != "answered":
        return "failed"
    return "more to compute" if len(state["trail"]) + 1 < len(state.get("formula", ())) else "answered"
