"""The end without an answer that a solver has: the reason, and the APIs that failed (AnyTool, 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypedDict

from toolquiver.calling.outcome import NOT_ITS_FAULT
from toolquiver.catalog import API, ApiId
from toolquiver.models import Function, function_with
from toolquiver.nodes.dialogue import ReactResult, SolverState
from toolquiver.nodes.records import Call
from toolquiver.nodes.search.agent_functions import some
from toolquiver.registration import names_given

GIVE_UP = "give_up"
REASON = {"reason": {"type": "string"}}
_FAILED = "failed"


class GivenUp(TypedDict):
    """Why the model gave up, and which of the candidates it says have failed."""

    reason: str
    failed: list[ApiId]


class GivingUp(SolverState):
    """The slice of an agent that may give up, and why it did, if it did."""

    given_up: GivenUp | None


class EmbeddedReactResult(ReactResult):
    """What comes out, with the reason for giving up."""

    given_up: GivenUp | None


def give_up(apis: Sequence[API]) -> Function:
    """The function that gives up; only these APIs can be named as failed, and none need be."""
    failed = some(_FAILED, [api.function for api in apis], least=0)[_FAILED]
    told = failed | {"description": "the names of the tools that failed"}
    return function_with(GIVE_UP, "End without an answer: these tools cannot give it.", {**REASON, _FAILED: told})


def given_up(arguments: dict[str, Any] | None, apis: Sequence[API], calls: Sequence[Call]) -> GivenUp:
    """What a call of that function says; a name that none of the APIs has, as a native call may hold, is left out.

    Where it names none, those have failed that never answered, and of which a call failed by a fault of theirs.
    """
    said = arguments or {}
    ids = {api.function: api.id for api in apis}
    failed = [ids[name] for name in names_given(said, _FAILED) if name in ids]
    failed = failed or [api.id for api in apis if _never_answered(api.id, calls)]
    return GivenUp(reason=str(said.get("reason", "")).strip() or "The model gave no reason.", failed=failed)


def _never_answered(api: ApiId, calls: Sequence[Call]) -> bool:
    made = [call for call in calls if call["api"] == api and call["failure"] not in NOT_ITS_FAULT]
    return bool(made) and not any(call["ok"] for call in made)
