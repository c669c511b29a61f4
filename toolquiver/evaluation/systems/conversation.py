"""An agent's conversation as a result: its last words, its calls with what came of them, and its tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from toolquiver.calling import FAILURE_KINDS, FailureKind
from toolquiver.evaluation.records import Called, Result
from toolquiver.evaluation.systems.graphs import shown
from toolquiver.models import Usage, add_usage
from toolquiver.models.ledger import estimated, reported

ROLE = "agent"
_UNTOLD = estimated(ROLE, prompt=0, completion=0)


def result_of_messages(messages: Sequence[BaseMessage], ids: Mapping[str, str] | None = None) -> Result:
    """The result of a conversation; `ids` are the APIs' ids by the names that the agent calls them by.

    The tokens are those that the provider reports; where it leaves one reply out they are not known. Text at the end is
    the answer, and so the question solved as far as the agent can tell.
    """
    replies = [message for message in messages if isinstance(message, AIMessage)]
    told = all(reply.usage_metadata and reply.usage_metadata["total_tokens"] for reply in replies)
    answer = str(replies[-1].text).strip() if replies and not replies[-1].tool_calls else ""
    return Result(
        question="",
        outcome="solved" if answer else "failed",
        answer=answer,
        reason="" if answer else "The agent came to no answer.",
        calls=_calls(messages, replies, ids or {}),
        usage=_usage(replies),
        tells_usage=told,
        trace=tuple([message.type, {"messages": [shown(message)]}] for message in messages),
    )


def _calls(messages: Sequence[BaseMessage], replies: Sequence[AIMessage], ids: Mapping[str, str]) -> tuple[Called, ...]:
    answers = {message.tool_call_id: message for message in messages if isinstance(message, ToolMessage)}
    made = [call for reply in replies for call in reply.tool_calls]
    return tuple(_called(call, answers.get(str(call["id"])), ids) for call in made)


def _called(call: Mapping[str, Any], said: ToolMessage | None, ids: Mapping[str, str]) -> Called:
    """A call with its outcome: a tool of ours names the kind of its failure first."""
    ok = said is not None and said.status != "error"
    kind = "" if said is None else str(said.text).partition(":")[0]
    unknown: FailureKind = "unknown_api" if ids and call["name"] not in ids else "tool_error"
    failure = None if ok else kind if kind in FAILURE_KINDS else unknown
    return Called(api=ids.get(call["name"], call["name"]), arguments=call["args"], ok=ok, failure=failure)


def _usage(replies: Sequence[AIMessage]) -> Usage:
    """What the replies cost, counted as our graphs count it; one that tells nothing is a call all the same."""
    spent: Usage = {}
    for reply in replies:
        spent = add_usage(spent, reported(ROLE, reply.usage_metadata) if reply.usage_metadata else _UNTOLD)
    return spent
