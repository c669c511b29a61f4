"""The user is asked before a call that may not be made without."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from langgraph.config import get_config
from langgraph.types import interrupt

from toolquiver.calling import Approval, Failure, Observation, needs_approval, normalised, problems
from toolquiver.calling.approval import stricter
from toolquiver.catalog import API
from toolquiver.errors import InputError
from toolquiver.nodes.records import Call
from toolquiver.nodes.run import Run
from toolquiver.nodes.state import ApprovalState
from toolquiver.nodes.storable import read_back, storable

APPROVE, REFUSE = "approve", "refuse"
_REFUSED = "The user refused this call."
# LangGraph's private key for the checkpointer of a run; a subgraph sees its parent's. There is no public way to ask.
_KEPT_BY = "__pregel_checkpointer"
_ANSWER = {"title": "Answer", "type": "string", "enum": [APPROVE, REFUSE]}


async def call_if_approved(
    api: API,
    arguments: dict[str, Any],
    state: ApprovalState,
    run: Run[Any],
    made: Iterable[Call] = (),
    *,
    characters: int = 0,
) -> Observation | Failure:
    """Make a call, if need be after the user was asked; the rest is as in `refused` and `Run.call`."""
    whole = read_back(api, arguments)
    no = refused(api, whole, approval_of(state, run), made)
    return no or await run.call(api, whole, characters=characters)


def approval_of(state: ApprovalState, run: Run[Any]) -> Approval:
    """The setting that the run began with, or that of the context with which it goes on, whichever is stricter.

    It is never `auto`: that is `writes` where the run can wait, and `never` elsewhere.
    """
    began, setting = state.get("approval"), run.context.approval
    return _resolved(stricter(_resolved(began), setting) if began else setting)


def _resolved(setting: Approval) -> Approval:
    if setting != "auto":
        return setting
    return "writes" if can_wait() else "never"


def refused(api: API, arguments: dict[str, Any], setting: Approval, made: Iterable[Call] = ()) -> Failure | None:
    """Why the call may not be made, None when it may.

    Where a person must be asked, the run stops with an interrupt that has a `question`, `api`, `method`, `effect`,
    `arguments` and a `response_schema`, by which a client draws a form; `Command(resume="approve")` lets the call be
    made, any other answer refuses it. A call that will fail because its arguments do not fit is not asked about, and
    none that was refused among those `made` in this run.

    Raises:
        InputError: the run has no thread or no checkpointer, so it could not go on after the answer.
    """
    if not needs_approval(api, setting) or problems(api, arguments):
        return None
    kept = storable(arguments)
    same = normalised(api, kept)
    before = (call["arguments"] for call in made if is_refusal(call) and call["api"] == api.id)
    if any(normalised(api, one) == same for one in before):
        return Failure(kind="blocked", message=_REFUSED)
    if not can_wait():
        raise InputError(
            f"approval is {setting!r}, but this run cannot wait for an answer."
            " Build the graph with a checkpointer and give a thread_id."
        )
    question = {
        "question": f"May {api.id} be called with {json.dumps(arguments, ensure_ascii=False)}?",
        "api": api.id,
        "method": api.method,
        "effect": api.effect,
        "arguments": kept,
        "response_schema": _ANSWER,
    }
    if interrupt(question, response_schema=_ANSWER) == APPROVE:
        return None
    return Failure(kind="blocked", message=_REFUSED)


def is_refusal(call: Call) -> bool:
    """Whether the user refused this call."""
    return call["failure"] == "blocked" and call["message"] == _REFUSED


def can_wait() -> bool:
    """Whether the run has a thread and something that keeps it: only then can it stop for an answer and go on."""
    given = get_config().get("configurable", {})
    return bool(given.get("thread_id")) and given.get(_KEPT_BY, True) not in (None, False)
