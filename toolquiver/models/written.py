"""The written form of a turn: the model decides on functions by JSON Schema, and its past calls are shown as text."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import BaseModel, Field

from toolquiver.marks import as_data
from toolquiver.models.decide import decide
from toolquiver.models.shaped import shaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

    from toolquiver.catalog import JsonSchema
    from toolquiver.models.functions import Function
    from toolquiver.models.ledger import Meter, Usage
    from toolquiver.models.profile import Method

_FEW = 5  # values of an argument that are always written out
_THOUGHT: JsonSchema = {"type": "string", "maxLength": 300}


class Call(BaseModel):
    """A call as a model writes it."""

    function: str
    arguments: dict[str, Any]


class Written(BaseModel, ABC):
    """A turn that was written down: why, and what is called."""

    thought: str = Field(max_length=300)

    @property
    @abstractmethod
    def made(self) -> list[Call]:
        """The calls in order."""


class Action(Written):
    """What to do next and why, as a model writes it that is not asked to call."""

    function: str
    arguments: dict[str, Any]

    @property
    def made(self) -> list[Call]:
        """The one call."""
        return [Call(function=self.function, arguments=self.arguments)]


class Actions(Written):
    """What to do next and why, where several functions may be called at once."""

    calls: list[Call]

    @property
    def made(self) -> list[Call]:
        """The calls as they were written."""
        return self.calls


async def write_turn(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    functions: Sequence[Function],
    *,
    role: str,
    tokens_left: int,
    method: Method | Literal["auto"],
    several: int = 1,
    meter: Meter | None = None,
) -> tuple[AIMessage, Usage]:
    """Let `model` write down its next call, or at most so many, and what that cost.

    Raises:
        AnswerRefused: the model refuses to answer, or a filter ended its answers.
        BudgetExceeded: the turn could pass `tokens_left`; nothing was spent.
        InvalidDecision: two answers were no valid action.
        ModelError: the model cannot be reached or used.
    """
    shape: type[Written] = actions_among(functions, several) if several > 1 else action_among(functions)
    shown = as_text(messages, functions, several=several)
    decision = await decide(model, shape, shown, role=role, tokens_left=tokens_left, method=method, meter=meter)
    calls = [
        {
            "name": call.function,
            "args": call.arguments,
            "id": f"written-{uuid4().hex}",
        }  # unlike those of other branches
        for call in decision.value.made
    ]
    return AIMessage(decision.value.thought, tool_calls=calls), decision.usage


def action_among(functions: Sequence[Function]) -> type[Action]:
    """An `Action` that can only be one of these functions, with arguments of its shape."""
    thought = {"thought": _THOUGHT}
    schema: JsonSchema = {
        "type": "object",
        "properties": thought,
        "required": ["thought", "function", "arguments"],
        "anyOf": [_alternative(function, thought) for function in functions],
    }
    return shaped(Action, schema, lambda action: _unknown(action, functions))


def actions_among(functions: Sequence[Function], most: int) -> type[Actions]:
    """`Actions` that can only be at most so many calls of these functions."""
    calls = {"type": "array", "minItems": 1, "maxItems": most, "items": {"anyOf": [_alternative(f) for f in functions]}}
    schema: JsonSchema = {
        "type": "object",
        "properties": {"thought": _THOUGHT, "calls": calls},
        "required": ["thought", "calls"],
        "additionalProperties": False,
    }

    def wrong(actions: Actions) -> list[str]:
        count = [] if 0 < len(actions.calls) <= most else [f"Make 1 to {most} calls."]
        return count + _unknown(actions, functions)

    return shaped(Actions, schema, wrong)


def _unknown(turn: Written, functions: Sequence[Function]) -> list[str]:
    names = [function["name"] for function in functions]
    return [f"There is no function {call.function!r}." for call in turn.made if call.function not in names]


def _alternative(function: Function, before: dict[str, JsonSchema] | None = None) -> JsonSchema:
    """A call of this function, with these properties before it."""
    parameters = function["parameters"]
    # A part of a schema cannot refer to its own definitions: such arguments are checked before the call only.
    arguments = {"type": "object"} if "$ref" in json.dumps(parameters) else parameters
    properties = {**(before or {}), "function": {"const": function["name"]}, "arguments": arguments}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def as_text(messages: Sequence[BaseMessage], functions: Sequence[Function], *, several: int = 1) -> list[BaseMessage]:
    """The conversation without tool calls: calls and results in words, the functions at the system prompt's end.

    Where several calls may be made at once, a long list of names that the conversation has already is not written out
    in the functions again: an agent that chooses among what was listed has it in as many functions as there are.
    """
    shown: list[BaseMessage] = []
    names: dict[str, str] = {}
    said = "\n".join(str(message.text) for message in messages) if several > 1 else ""
    for message in messages:
        if isinstance(message, AIMessage) and (calls := [*message.tool_calls, *message.invalid_tool_calls]):
            names |= {str(call["id"]): str(call["name"]) for call in calls}
            made = [{"function": call["name"], "arguments": call["args"]} for call in calls]
            shown += _calls_as_text(str(message.text), made, several)
        elif isinstance(message, ToolMessage):
            said_by = names.get(message.tool_call_id, "the call")
            shown.append(HumanMessage(f"Result of {said_by}:\n<result>{as_data(str(message.text))}</result>"))
        elif isinstance(message, SystemMessage) and functions:
            listed = "\n".join(json.dumps(_short(function, said), ensure_ascii=False) for function in functions)
            shown.append(SystemMessage(f"{message.text}\n\nFunctions:\n{listed}"))
        else:
            shown.append(message)
    return shown


def _calls_as_text(why: str, calls: list[dict[str, Any]], several: int) -> list[AIMessage]:
    thought: dict[str, Any] = {"thought": why}
    said = [thought | {"calls": calls}] if several > 1 else [thought | call for call in calls]
    return [AIMessage(json.dumps(one, ensure_ascii=False)) for one in said]


def _short(part: Any, said: str) -> Any:
    """A part of a schema without the long lists of values that all stand in what was said."""
    if isinstance(part, list):
        return [_short(one, said) for one in part]
    if not isinstance(part, dict):
        return part
    values = part.get("enum")
    if isinstance(values, list) and len(values) > _FEW and all(str(value) in said for value in values):
        rest = {key: value for key, value in part.items() if key != "enum"}
        return rest | {"description": "one that was listed"}
    return {key: _short(value, said) for key, value in part.items()}
