"""An agent's turn: the model says something, calls functions, or both.

There are two forms. `native` is the provider's tool calling. `written` is for models that are weak at it: the model
decides on one function by JSON Schema, and its past calls are shown to it as text. Either way what comes back, and
what the graphs keep, is an `AIMessage` with tool calls, answered by a `ToolMessage` each.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from toolquiver.errors import BudgetExceeded
from toolquiver.models.asking import LEAST_ANSWER, asked, cost_of, limits, room_beside
from toolquiver.models.decide import decide
from toolquiver.models.failures import translated
from toolquiver.models.ledger import Usage, add_usage, tokens
from toolquiver.models.profile import Form, Method, action_form
from toolquiver.models.shaped import shaped
from toolquiver.models.tokens import count_message_tokens, count_tokens, table_loaded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

    from toolquiver.catalog import JsonSchema

_NEEDED_AGAIN = ("id", "model_provider", "output_version")  # a reply's metadata that later requests are made from
_CALL = "Nothing was called yet. Call one of the functions now."


class Function(TypedDict):
    """A function that a model may call: its name, what it is for, and its arguments' JSON Schema."""

    name: str
    description: str
    parameters: JsonSchema


def function_with(name: str, description: str, properties: dict[str, Any]) -> Function:
    """A function that takes exactly these arguments, all of them, by their JSON Schemas."""
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return Function(name=name, description=description, parameters=parameters)


@dataclass(frozen=True)
class Turn:
    """What the model said and called, and what it cost."""

    message: AIMessage
    usage: Usage


class Action(BaseModel):
    """What to do next and why, as a model writes it that is not asked to call."""

    thought: str = Field(max_length=300)
    function: str
    arguments: dict[str, Any]


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
) -> Turn:
    """Let `model` go on with the conversation, with these functions at hand (none: it can only answer).

    `tokens_left` is a hard limit for prompt and completion together, in tokens. `form` says how a call is made, and
    `method` how one that is written down is constrained; `auto` goes by the model's profile. With `must_call`, a turn
    that only says something is asked for once more, by force where the model's profile has `tool_choice`.

    Raises:
        BudgetExceeded: the turn could pass `tokens_left`; nothing was spent.
        InvalidDecision: in the form `written`, two answers were no valid action.
        ModelError: the model cannot be reached or used.
    """
    chosen = action_form(model) if form == "auto" else form
    if chosen == "written" and functions:
        return await _written(model, messages, functions, role=role, tokens_left=tokens_left, method=method)
    conversation = list(messages) if chosen == "native" else as_text(messages, ())
    await table_loaded()
    turn = await _native(model, conversation, functions, role, tokens_left)
    if not (must_call and functions) or turn.message.tool_calls or turn.message.invalid_tool_calls:
        return turn
    urged = [*conversation, turn.message, HumanMessage(_CALL)]
    with suppress(BudgetExceeded):
        again = await _native(model, urged, functions, role, tokens_left - tokens(turn.usage), forced=True)
        return Turn(again.message, add_usage(turn.usage, again.usage))
    return turn


async def _native(
    model: BaseChatModel,
    conversation: Sequence[BaseMessage],
    functions: Sequence[Function],
    role: str,
    tokens_left: int,
    *,
    forced: bool = False,
) -> Turn:
    prompt = count_message_tokens(conversation) + (count_tokens(json.dumps(functions)) if functions else 0)
    room = room_beside(prompt, tokens_left)
    if room < LEAST_ANSWER:
        raise BudgetExceeded(f"The token budget does not suffice for another call of the role {role!r}.")
    options: dict[str, Any] = limits(model, room)
    if forced and (model.profile or {}).get("tool_choice"):
        options["tool_choice"] = "any"
    tools = [{"type": "function", "function": function} for function in functions]
    with translated(model):
        reply = await asked(model.bind_tools(tools, **options) if tools else model.bind(**options), conversation)
    return Turn(_kept(reply), cost_of(role, prompt, reply))


def _kept(reply: AIMessage) -> AIMessage:
    """The reply without its provider's record of the request, of which state would else be full."""
    about = {key: said for key, said in reply.response_metadata.items() if key in _NEEDED_AGAIN}
    own = None if (reply.id or "").startswith("lc_run-") else reply.id  # that one is LangChain's, for its traces
    return reply.model_copy(update={"response_metadata": about, "id": own})


async def _written(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    functions: Sequence[Function],
    *,
    role: str,
    tokens_left: int,
    method: Method | Literal["auto"],
) -> Turn:
    shape, shown = action_among(functions), as_text(messages, functions)
    decision = await decide(model, shape, shown, role=role, tokens_left=tokens_left, method=method)
    action = decision.value
    call = {"name": action.function, "args": action.arguments, "id": f"written-{len(messages)}"}
    return Turn(AIMessage(action.thought, tool_calls=[call]), decision.usage)


def action_among(functions: Sequence[Function]) -> type[Action]:
    """An `Action` that can only be one of these functions, with arguments of its shape."""
    names = [function["name"] for function in functions]

    schema: JsonSchema = {
        "type": "object",
        "properties": {"thought": {"type": "string", "maxLength": 300}},
        "required": ["thought", "function", "arguments"],
        "anyOf": [_alternative(function) for function in functions],
    }

    def wrong(action: Action) -> list[str]:
        return [] if action.function in names else [f"There is no function {action.function!r}."]

    return shaped(Action, schema, wrong)


def _alternative(function: Function) -> JsonSchema:
    parameters = function["parameters"]
    # A part of a schema cannot refer to its own definitions: such arguments are checked before the call only.
    arguments = {"type": "object"} if "$ref" in json.dumps(parameters) else parameters
    return {
        "type": "object",
        "properties": {
            "thought": {"type": "string", "maxLength": 300},
            "function": {"const": function["name"]},
            "arguments": arguments,
        },
        "required": ["thought", "function", "arguments"],
        "additionalProperties": False,
    }


def as_text(messages: Sequence[BaseMessage], functions: Sequence[Function]) -> list[BaseMessage]:
    """The conversation without tool calls: calls and results in words, the functions at the system prompt's end."""
    shown: list[BaseMessage] = []
    names: dict[str, str] = {}
    for message in messages:
        if isinstance(message, AIMessage) and message.tool_calls:
            names |= {str(call["id"]): call["name"] for call in message.tool_calls}
            calls = [
                {"thought": str(message.text), "function": call["name"], "arguments": call["args"]}
                for call in message.tool_calls
            ]
            shown += [AIMessage(json.dumps(call, ensure_ascii=False)) for call in calls]
        elif isinstance(message, ToolMessage):
            text = f"Result of {names.get(message.tool_call_id, 'the call')}:\n{message.text}"
            shown.append(HumanMessage(text))
        elif isinstance(message, SystemMessage) and functions:
            listed = "\n".join(json.dumps(function, ensure_ascii=False) for function in functions)
            shown.append(SystemMessage(f"{message.text}\n\nFunctions:\n{listed}"))
        else:
            shown.append(message)
    return shown
