"""The call itself: approved where it must be, made once, and recorded (Smurfs, equation 5)."""

from __future__ import annotations

from typing import Any, cast

from toolquiver.calling import Failure, normalised
from toolquiver.calling.approval import reads
from toolquiver.calling.outcome import PASSING
from toolquiver.catalog import API
from toolquiver.contexts import SmurfsContext
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.run import Run
from toolquiver.nodes.smurfs.state import AfterCall, SmurfsState, made

_WHOLE = 50_000  # characters of a response that are kept


async def call(state: SmurfsState, run: Run[SmurfsContext]) -> Update:
    """Call the chosen API, if need be after the user was asked; a failure is a record like any other.

    The very same call is not made again: the response that it had is taken, and a failure stays one. What only reads
    is called again after another call may have changed something, and after a failure of the moment.
    """
    assert state["chosen"] is not None
    assert state["arguments"] is not None
    api, arguments = await run.api(state["chosen"]), state["arguments"]
    before = await _same_before(api, arguments, state, run)
    if before is not None and state["calls"][before]["ok"]:
        return {"returned": before, "decided": "answered"}
    failed = state["calls"][before] if before is not None else None
    if failed and failed["failure"] and (not reads(api) or failed["failure"] not in PASSING):
        outcome: Any = Failure(kind=failed["failure"], message=failed["message"])
    else:
        outcome = await call_if_approved(api, arguments, state, run, state["calls"], characters=_WHOLE)
    answered: AfterCall = "failed" if isinstance(outcome, Failure) else "answered"
    return {"calls": [made(state, arguments, outcome)], "returned": len(state["calls"]), "decided": answered}


async def _same_before(api: API, arguments: dict[str, Any], state: SmurfsState, run: Run[SmurfsContext]) -> int | None:
    """The place of the last such call; None where there was none, or what it read may have changed since."""
    same, found = normalised(api, arguments), None
    for place, one in enumerate(state["calls"]):
        if one["api"] == api.id and one["failure"] != "invalid_arguments" and normalised(api, one["arguments"]) == same:
            found = place
        elif found is not None and one["ok"] and reads(api):
            others = await run.apis([one["api"]])
            found = found if others and reads(others[0]) else None
    return found


def after_call(state: SmurfsState) -> AfterCall:
    """The edge that the node has decided on."""
    return cast("AfterCall", state["decided"])
