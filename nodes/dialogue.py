"""The slice of an agent that talks: its conversation, what it still wants done, and what it has registered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, cast

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    MessageLikeRepresentation,
    ToolMessage,
    convert_to_messages,
)
from langgraph.channels import DeltaChannel, EphemeralValue
from typing_extensions import TypedDict

from toolquiver.catalog import ApiId
from toolquiver.models import is_cut
from toolquiver.nodes.records import Call
from toolquiver.nodes.state import ApprovalState, Query, RegisteredResult, Searching, Status
from toolquiver.nodes.texts.broken_off import whole_sentences
from toolquiver.registration import REGISTER, UNREGISTER, Registered

_LISTED = "listed"


class CallRequest(TypedDict):
    """A call that the model wants made; `arguments` is None where what it wrote was no JSON."""

    id: str
    name: str
    arguments: dict[str, Any] | None


def added(said: Sequence[AnyMessage], new: Sequence[MessageLikeRepresentation]) -> list[AnyMessage]:
    """The reducer: a conversation followed by what is new, which a client of a server gives as JSON."""
    return [*said, *as_messages(new)]


class Back(TypedDict):
    """A write that takes a conversation back to its first so many messages."""

    keep: int


def conversed(
    said: Sequence[AnyMessage], writes: Sequence[Sequence[MessageLikeRepresentation] | Back]
) -> list[AnyMessage]:
    """The reducer of a conversation of which checkpoints hold only what was added, or how far it was taken back."""
    messages = list(said)
    for write in writes:
        if isinstance(write, dict):
            del messages[write["keep"] :]
        else:
            messages += as_messages(write)
    return messages


def joined(calls: Sequence[Call], writes: Sequence[Sequence[Call]]) -> list[Call]:
    """The reducer of calls of which checkpoints hold only what was added."""
    return [*calls, *(call for write in writes for call in write)]


def as_messages(said: Sequence[MessageLikeRepresentation]) -> list[AnyMessage]:
    """Messages, some of which may still be JSON: a server's clients write inputs, and edit states, as such."""
    return cast("list[AnyMessage]", convert_to_messages(said))


class SolverInput(Query):
    """What goes in, where another graph hands the query over: also what was said before, and what was spent already.

    `registered_before` are the APIs that what was said before says are registered, `made` the calls that were made
    then: about those that the user refused nobody asks again, and on those that succeeded an answer can stand.
    """

    earlier: NotRequired[Annotated[list[AnyMessage], EphemeralValue]]
    registered_before: NotRequired[Annotated[list[ApiId], EphemeralValue]]
    made: NotRequired[Annotated[list[Call], EphemeralValue]]
    spent: NotRequired[Annotated[int, EphemeralValue]]


class EmbeddedSolverInput(SolverInput, ApprovalState):
    """What goes into a solver within another graph: also the only APIs to use, and the setting that run began with."""

    pool: list[ApiId]


class SolverState(Searching, SolverInput):
    """The slice of an agent that calls functions in a conversation.

    `pool` are the APIs it may use. `messages` is the conversation after the prompt, `requests` are the calls of the
    last turn that are still to be made, `turn` counts the turns. `registered` says from which turn to which an API was
    callable. `made_before` are the calls made before the run began. `decided` is what the last turn came to.
    """

    pool: list[ApiId]
    messages: Annotated[list[AnyMessage], DeltaChannel(conversed, list)]
    requests: list[CallRequest]
    turn: int
    registered: list[Registered]
    made_before: NotRequired[list[Call]]
    calls: Annotated[list[Call], DeltaChannel(joined, list)]
    decided: str
    answer: str
    status: Status
    reason: str


class ReactResult(RegisteredResult):
    """What comes out, with the conversation, so that another graph can go on with it."""

    messages: list[AnyMessage]


def found_out(state: SolverState) -> bool:
    """Whether a call has succeeded, in this run or before it: only then there is something to answer with."""
    return any(call["ok"] for call in all_calls(state))


def all_calls(state: SolverState) -> list[Call]:
    """The calls that were made before the run, and in it."""
    return [*state.get("made_before", ()), *state["calls"]]


def requests_in(message: AIMessage) -> list[CallRequest]:
    """The calls of a message in order, those with broken arguments too."""
    good = [CallRequest(id=str(call["id"]), name=call["name"], arguments=call["args"]) for call in message.tool_calls]
    broken = message.invalid_tool_calls
    return good + [CallRequest(id=str(call["id"]), name=str(call["name"]), arguments=None) for call in broken]


def asked_for(requests: list[CallRequest]) -> list[tuple[str, object]]:
    """What makes two turns the same: the names and arguments of their calls, without the calls' ids."""
    return [(request["name"], request["arguments"]) for request in requests]


def results_of(said: Sequence[AnyMessage]) -> list[tuple[str, object, str]]:
    """The calls of a conversation that did not fail: name, arguments, and what came of each.

    Some servers number the calls of each turn anew, so that an id is one of the last turn's.
    """
    found: list[tuple[str, object, str]] = []
    asked: dict[str, CallRequest] = {}
    for message in said:
        if isinstance(message, AIMessage):
            asked = {request["id"]: request for request in requests_in(message)}
        elif isinstance(message, ToolMessage) and message.status != "error" and message.tool_call_id in asked:
            request = asked[message.tool_call_id]
            found.append((request["name"], request["arguments"], str(message.text)))
    return found


def answer_in(request: CallRequest) -> str:
    """The answer that a call of the answering function gives; empty where it gives none."""
    answer = (request["arguments"] or {}).get("answer")
    return "" if answer is None else str(answer).strip()


def said_by(message: AIMessage) -> str:
    """What a message says as an answer; one that was cut, up to its last full stop."""
    return whole_sentences(str(message.text)) if is_cut(message) else str(message.text).strip()


def answered(request: CallRequest, text: str, listed: Sequence[str] = (), *, failed: bool = False) -> ToolMessage:
    """What came of a call, as the model sees it, and beside it the names that it has listed."""
    status: Literal["error", "success"] = "error" if failed else "success"
    beside = {_LISTED: list(listed)} if listed else None
    return ToolMessage(text, tool_call_id=request["id"], artifact=beside, status=status)


def names_listed(said: Sequence[AnyMessage]) -> list[str]:
    """The names that the results in a conversation have listed, each once."""
    results = [message.artifact for message in said if isinstance(message, ToolMessage) and message.artifact]
    return list(dict.fromkeys(name for beside in results for name in beside.get(_LISTED, ())))


def first_request(state: SolverState) -> Literal["registers", "calls"]:
    """What the first of the calls that are to be made wants."""
    return "registers" if state["requests"][0]["name"] in (REGISTER, UNREGISTER) else "calls"


def what_next(state: SolverState) -> Literal["registers", "calls", "next turn", "no turn left"]:
    """The calls of a turn one after the other, then the next turn."""
    if state["requests"]:
        return first_request(state)
    return "no turn left" if state["decided"] == "acts for the last time" else "next turn"
