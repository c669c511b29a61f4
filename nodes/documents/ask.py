"""One question about a document: what the model cannot or may not read ends this question, not the tool's others."""

from __future__ import annotations

from typing import Any, TypeVar

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from toolquiver.errors import ContextExceeded, PromptRefused
from toolquiver.nodes.costs import refused
from toolquiver.nodes.documents.documenting import EasyToolState
from toolquiver.nodes.run import Run

T = TypeVar("T", bound=BaseModel)


async def ask(
    role: str, shape: type[T], messages: list[BaseMessage], state: EasyToolState, run: Run
) -> tuple[T | None, dict[str, Any], str]:
    """What `role` decides, what that changes in the state, and what the model says where it was asked too much at once.

    A conversation only grows, but of a tool the next function may be short: so only the budget sets `stopped`.

    Raises:
        InputError: not even the first call of the run fits the budget.
        ModelError: the model cannot be used.
    """
    try:
        decision, cost = await run.decide(role, shape, messages, state)
    except (ContextExceeded, PromptRefused) as error:
        return None, {}, str(error)
    if why := refused(cost):
        cost.pop("stopped")
    return decision, cost, why
