"""The one door to a model: a role asks for a decision of a Pydantic type and gets a valid one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.utils.json import parse_json_markdown
from pydantic import BaseModel, ValidationError

from toolquiver.errors import BudgetExceeded, DecisionError
from toolquiver.models.failures import translated
from toolquiver.models.ledger import Usage, add_usage, reported, tokens
from toolquiver.models.profile import Method, decision_method
from toolquiver.models.tokens import count_message_tokens, count_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable

T = TypeVar("T", bound=BaseModel)

_LEAST_ANSWER = 48  # tokens: with less room than this no decision of ours can be written down
_MARGIN = 1.1  # our count of a prompt may be this much too low

_AGAIN = "That is not a valid answer: {error}\nAnswer again, and correct this."
_PLAIN = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n{schema}"


@dataclass(frozen=True)
class Decision(Generic[T]):
    """A valid decision, and what it cost."""

    value: T
    usage: Usage


class InvalidDecision(DecisionError):
    """No valid decision after the second try; `usage` is what the two tries cost."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


async def decide(
    model: BaseChatModel,
    shape: type[T],
    messages: Sequence[BaseMessage],
    *,
    role: str,
    tokens_left: int,
    method: Method | Literal["auto"] = "auto",
) -> Decision[T]:
    """Ask `model` for a value of the type `shape`.

    The answer is constrained by the type's JSON Schema as well as the model can (`method`; `auto` goes by the
    model's profile), validated, and asked for once more with the error when it is not valid. `tokens_left` is a
    hard limit for prompt and completion together, in tokens: a call that could pass it is not made.

    Raises:
        BudgetExceeded: the next call could pass `tokens_left`; carries nothing, nothing was spent by it.
        InvalidDecision: two answers were not valid.
        ModelError: the model cannot be reached or used.
    """
    chosen = decision_method(model) if method == "auto" else method
    conversation, usage, error = list(messages), Usage(), ""
    if chosen == "prompt":
        conversation.append(HumanMessage(_PLAIN.format(schema=json.dumps(shape.model_json_schema()))))
    for _ in range(2):
        room = _room(conversation, tokens_left - tokens(usage))
        if room < _LEAST_ANSWER:
            raise BudgetExceeded(f"The token budget does not suffice for another call of the role {role!r}.")
        with translated(model):
            reply = await _constrained(model, shape, chosen, room).ainvoke(conversation)
        usage = add_usage(usage, _cost(role, conversation, reply))
        try:
            return Decision(shape.model_validate(_content(reply, chosen)), usage)
        except (ValidationError, ValueError) as problem:
            error = _brief(problem)
        said = str(reply.text) or json.dumps([call["args"] for call in reply.tool_calls])
        conversation += [AIMessage(said), HumanMessage(_AGAIN.format(error=error))]
    raise InvalidDecision(f"The model gave no valid answer for the role {role!r}: {error}", usage)


def _constrained(model: BaseChatModel, shape: type[BaseModel], method: Method, room: int) -> Runnable[Any, AIMessage]:
    """The model with its output bound to the shape as firmly as the method allows."""
    # Most providers know this limit by this name; a model class without it must bound itself.
    limit = {"max_tokens": min(room, getattr(model, "max_tokens", None) or room)}
    limit = limit if hasattr(model, "max_tokens") else {}
    if method == "prompt":
        return model.bind(**limit)  # type: ignore[return-value]
    schema = {"title": shape.__name__, "description": shape.__name__} | shape.model_json_schema()
    if method == "function_calling":
        return model.bind_tools([schema], tool_choice=shape.__name__, **limit)
    bound = model.with_structured_output(schema, method="json_schema", include_raw=True, **limit)
    return bound | _raw


def _raw(result: Any) -> AIMessage:
    reply = result["raw"]
    assert isinstance(reply, AIMessage)
    return reply


def _content(reply: AIMessage, method: Method) -> Any:
    """What the model decided, as data that is not validated yet."""
    if method == "function_calling" and reply.tool_calls:
        return reply.tool_calls[0]["args"]
    return parse_json_markdown(str(reply.text))


def _room(messages: Sequence[BaseMessage], tokens_left: int) -> int:
    """How many tokens the completion may have."""
    return tokens_left - int(count_message_tokens(messages) * _MARGIN)


def _cost(role: str, messages: Sequence[BaseMessage], reply: AIMessage) -> Usage:
    said = str(reply.text) + "".join(json.dumps(call["args"]) for call in reply.tool_calls)
    return reported(role, reply, prompt=count_message_tokens(messages), completion=count_tokens(said))


def _brief(problem: Exception) -> str:
    if not isinstance(problem, ValidationError):
        return "it is no JSON object."
    return " ".join(f"{'.'.join(str(part) for part in error['loc'])}: {error['msg']}." for error in problem.errors())
