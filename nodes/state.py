"""What nodes read and write: the shared slices of the graphs' states, and their reducers."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, cast

from langgraph.channels import EphemeralValue
from typing_extensions import TypedDict

from toolquiver.calling import Approval
from toolquiver.catalog import ApiId
from toolquiver.models import Usage, add_usage
from toolquiver.surrogates import without_halves

Status = Literal["solved", "partial", "failed"]
"""How a run ended: everything answered, a part of it, nothing."""


def as_text(_: str, query: str) -> str:
    """The reducer of a question: the new one, without half surrogates, which no request and no file can carry."""
    return cast("str", without_halves(query))


class Query(TypedDict):
    """What goes in: the question, and optionally the ids of the only APIs to use for it."""

    query: Annotated[str, as_text]
    candidates: NotRequired[Annotated[list[ApiId], EphemeralValue]]


class Budgeted(TypedDict):
    """The slice of every state that spends tokens. `stopped` says why no model may be asked any more.

    `refused` is whether that is what a model refuses or cannot read, and not the budget. `spent_before` are tokens of
    the budget that are spent already elsewhere, or kept for others.
    """

    usage: Annotated[Usage, add_usage]
    spent_before: NotRequired[int]
    stopped: str
    refused: NotRequired[bool]


class ApprovalState(TypedDict):
    """The slice of every state that calls APIs: `approval` as the run began, so that resuming cannot loosen it."""

    approval: NotRequired[Approval]
