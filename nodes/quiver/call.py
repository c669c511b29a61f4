"""One call of an API: checked, approved where it must be, made, and recorded."""

from __future__ import annotations

from typing import Literal

from toolquiver.contexts import QuiverContext
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.quiver.state import QuiverState, call_with, made
from toolquiver.nodes.run import Run

_WHOLE = 200_000  # characters of a response that a program has


async def call(state: QuiverState, run: Run[QuiverContext]) -> Update:
    """Make the call of the first request, if need be after the user was asked; a failure is a record like any other.

    A failure of the moment was tried again before, by kind (`calling.perform`).
    """
    request = state["requests"][0]
    assert request["api"] is not None
    if call_with(state["calls"], request["id"]):  # sent anew by a change of the state at this place
        return {}
    api = await run.api(request["api"])
    outcome = await call_if_approved(api, request["arguments"], state, run, state["calls"], characters=_WHOLE)
    return {"calls": [made(request, len(state["programs"]) - 1, outcome)]}


def after_call(state: QuiverState) -> Literal["the program goes on", "the chain goes on"]:
    """A call of the reverse chain gives its result to the chain, any other to the program.

    Calls run side by side, so none of them can write down what is next.
    """
    return "the chain goes on" if state["frames"] else "the program goes on"
