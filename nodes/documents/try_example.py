"""Try the example: call the function with it, under the guard of every call, to prove that it works (EasyTool, 4.2)."""

from __future__ import annotations

from typing import Literal

from toolquiver.calling import Failure
from toolquiver.calling.outcome import MENDABLE
from toolquiver.catalog.instruction import UNPROVEN
from toolquiver.nodes.approve import call_if_approved
from toolquiver.nodes.bridge import Update
from toolquiver.nodes.documents.documenting import EasyToolState
from toolquiver.nodes.documents.open_document import next_api
from toolquiver.nodes.run import Run


async def try_example(state: EasyToolState, run: Run) -> Update:
    """Make the call, if need be after the user was asked."""
    api = await next_api(state, run)
    assert state["draft"] is not None
    arguments = state["draft"]["arguments"] or {}
    outcome = await call_if_approved(api, arguments, state, run)
    if not isinstance(outcome, Failure):
        return {"proof": "called", "said": "", "decided": "settled"}
    if outcome.kind not in MENDABLE:  # it says nothing about the example
        return {"said": f"{UNPROVEN} {outcome.kind}.", "decided": "settled"}
    may_repair = state["repairs"] < run.context.max_repairs and not state["stopped"]
    said = f"The call failed ({outcome.kind}): {outcome.message}"
    return {"proof": "none", "said": said, "decided": "failed" if may_repair else "settled"}


def after_try(state: EasyToolState) -> Literal["failed", "settled"]:
    """Settled is an example that was answered, whose failure says nothing about it, or that no repair is left for."""
    return "failed" if state["decided"] == "failed" else "settled"
