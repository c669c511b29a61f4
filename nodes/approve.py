"""The user is asked before a call that may not be made without."""

from __future__ import annotations

import json
from typing import Any

from langgraph.config import get_config
from langgraph.types import interrupt

from toolquiver.calling import Approval, Failure, needs_approval, problems
from toolquiver.catalog import API
from toolquiver.errors import InputError

APPROVE, REFUSE = "approve", "refuse"
_ANSWER = {"title": "Answer", "type": "string", "enum": [APPROVE, REFUSE]}


def refused(api: API, arguments: dict[str, Any], setting: Approval) -> Failure | None:
    """Why the call may not be made, None when it may.

    Where a person must be asked, the run stops with an interrupt that has a `question`, `api`, `method`, `arguments`
    and a `response_schema`, by which a client draws a form; `Command(resume="approve")` lets the call be made, any
    other answer refuses it. A call that will fail because its arguments do not fit is not asked about.

    Raises:
        InputError: the run has no thread, so it could not go on after the answer.
    """
    if not needs_approval(api, setting) or problems(api, arguments):
        return None
    if not can_wait():
        raise InputError(
            f"approval is {setting!r}, but this run cannot wait for an answer."
            " Build the graph with a checkpointer and give a thread_id."
        )
    question = {
        "question": f"May {api.id} be called with {json.dumps(arguments, ensure_ascii=False)}?",
        "api": api.id,
        "method": api.method,
        "arguments": arguments,
        "response_schema": _ANSWER,
    }
    if interrupt(question, response_schema=_ANSWER) == APPROVE:
        return None
    return Failure(kind="blocked", message="The user refused this call.")


def can_wait() -> bool:
    """Whether the run has a thread: only then can it stop for an answer and go on."""
    return bool(get_config().get("configurable", {}).get("thread_id"))
