"""The call that proves an example: its arguments go in, and the function answers (EasyTool, 4.2)."""

from __future__ import annotations

from typing import cast

from toolquiver.calling import Failure
from toolquiver.calling.outcome import MENDABLE
from toolquiver.catalog.instruction import UNPROVEN
from toolquiver.contexts import EasyToolContext
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.easytool.documents import next_api
from toolquiver.nodes.easytool.guideline import may_repair
from toolquiver.nodes.easytool.state import AfterTry, EasyToolState
from toolquiver.nodes.run import Run


async def try_example(state: EasyToolState, run: Run[EasyToolContext]) -> Update:
    """Make the call, if need be after the user was asked.

    A failure that other arguments may mend (`MENDABLE`) leads to a repair, and to no example where none is left. Any
    other, such as a missing key, says nothing about the example: it stays, unproven.
    """
    api, draft = await next_api(state, run), state["draft"]
    assert draft is not None
    outcome = await call_if_approved(api, draft["arguments"] or {}, state, run)
    if not isinstance(outcome, Failure):
        return {"proof": "called", "wrong": "", "decided": "settled"}
    if outcome.kind not in MENDABLE:
        return {"wrong": f"{UNPROVEN} {outcome.kind}.", "decided": "settled"}
    wrong = f"The call failed ({outcome.kind}): {outcome.message}"
    return {"proof": "none", "wrong": wrong, "decided": "failed" if may_repair(state, run) else "settled"}


def after_try(state: EasyToolState) -> AfterTry:
    """Settled is an example that was answered, whose failure says nothing about it, or that no repair is left for."""
    return cast("AfterTry", state["decided"])
