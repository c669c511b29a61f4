"""An agent's turn: the model says something, calls functions, or both.

There are two forms. `native` is the provider's tool calling. `written` (`toolquiver.models.written`) is for models that
are weak at it. Either way what comes back, and what the graphs keep, is an `AIMessage` with tool calls, answered by a
`ToolMessage` each.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage, InvalidToolCall, ToolCall

from toolquiver.errors import BudgetExceeded, ContextExceeded, PromptRefused
from toolquiver.models.asking import (
    asked,
    check_said,
    is_cut,
    is_filtered,
    limited,
    refusal,
    room_for_answer,
    says_nothing,
)
from toolquiver.models.decide import AnswerRefused
from toolquiver.models.failures import translated
from toolquiver.models.fitted import fitted
from toolquiver.models.ledger import Meter, Usage, add_usage, tokens
from toolquiver.models.portable import portable
from toolquiver.models.profile import Form, Method, action_form
from toolquiver.models.tokens import count_message_tokens, count_tokens, table_loaded
from toolquiver.models.written import as_text, write_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import Runnable

    from toolquiver.models.functions import Function

_NEEDED_AGAIN = ("id", "model_provider", "output_version")  # a reply's metadata that later requests are made from
_NO_NAME = re.compile(r"[^\w-]", re.ASCII)
_LONGEST_NAME = 64
_CALL, _NOTHING = "Nothing was called yet. Call one of the functions now.", "(nothing)"


@dataclass(frozen=True)
class Turn:
    """What the model said and called, and what it cost."""

    message: AIMessage
    usage: Usage


async def take_turn(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    functions: Sequence[Function],
    *,
    role: str,
    tokens_left: int,
    form: Form | Literal["auto"] = "auto",
    method: Method | Literal["auto"] = "auto",
    must_call: bool = False,
    several: int = 1,
    meter: Meter | None = None,
) -> Turn:
    """Let `model` go on with the conversation, with these functions at hand (none: it can only answer).

    Without functions it reads past calls and their results as text: some providers refuse calls beside no tools.

    `tokens_left` is a hard limit for prompt and completion together, in tokens. `form` says how a call is made, and
    `method` how one that is written down is constrained; `auto` goes by the model's profile. With `must_call`, a turn
    that only says something is asked for once more, by force where the model's profile has `tool_choice`. `several` is
    how many calls a written turn may make; how many a native one makes is the provider's matter. `meter` has what was
    spent also where this is cancelled.

    Raises:
        AnswerRefused: the model refuses to say anything, or a filter left nothing of it.
        BudgetExceeded: the turn could pass `tokens_left`, or it has used it up by thinking, which is its `usage`.
        InvalidDecision: in the form `written`, two answers were no valid action.
        ModelError: the model cannot be reached or used.
    """
    chosen = action_form(model) if form == "auto" else form
    if chosen == "written" and functions:
        written = await write_turn(
            model, messages, functions, role=role, tokens_left=tokens_left, method=method, several=several, meter=meter
        )
        return Turn(*written)
    conversation = list(messages) if chosen == "native" and functions else as_text(messages, ())
    await table_loaded()
    turn = await _native(model, conversation, functions, role, tokens_left, meter=meter)
    if not (must_call and functions) or turn.message.tool_calls or turn.message.invalid_tool_calls:
        return turn
    urged = [*conversation, never_empty(turn.message), HumanMessage(_CALL)]
    with suppress(BudgetExceeded, ContextExceeded, PromptRefused):
        left = tokens_left - tokens(turn.usage)
        try:
            again = await _native(model, urged, functions, role, left, meter=meter, forced=True)
        except AnswerRefused as refused:
            refused.usage = add_usage(turn.usage, refused.usage)
            raise
        return Turn(again.message, add_usage(turn.usage, again.usage))
    return turn


def never_empty(message: AIMessage) -> AIMessage:
    """The message as a conversation may hold it: some providers refuse one that has neither a text nor a call."""
    has_calls = message.tool_calls or message.invalid_tool_calls
    return message if has_calls or str(message.text).strip() else AIMessage(_NOTHING)


async def _native(
    model: BaseChatModel,
    conversation: Sequence[BaseMessage],
    functions: Sequence[Function],
    role: str,
    tokens_left: int,
    *,
    meter: Meter | None,
    forced: bool = False,
) -> Turn:
    conversation = [_sendable(message) for message in conversation]
    prompt = count_message_tokens(conversation) + (count_tokens(json.dumps(functions)) if functions else 0)
    room = room_for_answer(model, prompt, tokens_left, role)
    force: dict[str, Any] = {"tool_choice": "any"} if forced and (model.profile or {}).get("tool_choice") else {}
    tools = [
        {"type": "function", "function": function | {"parameters": fitted(portable(function["parameters"]), model)}}
        for function in functions
    ]

    def bind() -> Runnable[Any, AIMessage]:
        bounded, limit = limited(model, room, prompt=prompt)
        return bounded.bind_tools(tools, **(force | limit)) if tools else bounded.bind(**limit)

    with translated(model):
        reply, cost = await asked(model, bind, conversation, role=role, prompt=prompt, meter=meter)
    check_said(model, reply, room, role, cost)
    said = refusal(reply)
    if (said or is_filtered(reply)) and says_nothing(reply):
        raise AnswerRefused(role, cost, *filter(None, [said]))
    return Turn(_kept(_whole(reply)), cost)


def _sendable(message: BaseMessage) -> BaseMessage:
    """The message with what is broken of its calls left out: some servers parse past calls, Gemini's client drops them.

    What was wrong with such a call the message that answers it says.
    """
    if not isinstance(message, AIMessage) or not message.invalid_tool_calls:
        return message
    broken = [ToolCall(name=_name(call["name"]), args={}, id=call["id"]) for call in message.invalid_tool_calls]
    return message.model_copy(update={"tool_calls": [*message.tool_calls, *broken], "invalid_tool_calls": []})


def _name(name: str | None) -> str:
    """A function's name as providers take it back."""
    return _NO_NAME.sub("_", name or "")[:_LONGEST_NAME] or "_"


def _whole(reply: AIMessage) -> AIMessage:
    """The reply with its last call marked as broken where it was cut: of a stream it would seem to have an end."""
    if not is_cut(reply) or reply.invalid_tool_calls or not reply.tool_calls:
        return reply
    *calls, last = reply.tool_calls
    broken = InvalidToolCall(
        name=last["name"], args=json.dumps(last["args"]), id=last["id"], error="cut", type="invalid_tool_call"
    )
    return reply.model_copy(update={"tool_calls": calls, "invalid_tool_calls": [broken]})


def _kept(reply: AIMessage) -> AIMessage:
    """The reply without its provider's record of the request, which would otherwise fill the state."""
    about = {key: said for key, said in reply.response_metadata.items() if key in _NEEDED_AGAIN}
    about |= {"finish_reason": "length"} if is_cut(reply) else {}
    calls = [call | {"name": _name(call["name"]), "id": call["id"] or _own_id()} for call in reply.tool_calls]
    broken = [call | {"id": call["id"] or _own_id()} for call in reply.invalid_tool_calls]
    return reply.model_copy(
        update={"response_metadata": about, "tool_calls": calls, "invalid_tool_calls": broken},
    )


def _own_id() -> str:
    """An id for a call that a server gave none: what answers it must name one."""
    return f"call-{uuid4().hex}"
