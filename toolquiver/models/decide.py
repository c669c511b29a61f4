"""The one door to a model: a role asks for a decision of a Pydantic type and gets a valid one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.utils.json import parse_json_markdown
from pydantic import BaseModel, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from toolquiver.errors import BudgetExceeded, ContextExceeded, DecisionError, PromptRefused
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
from toolquiver.models.failures import translated
from toolquiver.models.fitted import decided_by_call, fitted
from toolquiver.models.ledger import Meter, Usage, add_usage, tokens
from toolquiver.models.portable import of_keywords, sound
from toolquiver.models.profile import Method, decision_method, reads_schemas
from toolquiver.models.tokens import count_message_tokens, count_tokens, table_loaded
from toolquiver.surrogates import without_halves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable

    from toolquiver.catalog import JsonSchema

T = TypeVar("T", bound=BaseModel)

_WRAPPED = "decision"
_AGAIN = "That is not a valid answer: {error}\nAnswer again, and correct this."
_SPEECHLESS = "it was cut before it said anything. Give it a larger max_tokens, or take one that thinks less."
_PLAIN = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n{schema}"


@dataclass(frozen=True)
class Decision(Generic[T]):
    """A valid decision, and what it cost."""

    value: T
    usage: Usage


class InvalidDecision(DecisionError):
    """No valid decision after the second try, or no budget for it; `usage` is what the tries cost.

    It is `speechless` where the model was cut before it had said anything, as one that thinks too long.
    """

    def __init__(self, message: str, usage: Usage, *, speechless: bool = False) -> None:
        super().__init__(message)
        self.usage = usage
        self.speechless = speechless


class AnswerRefused(InvalidDecision):
    """The model refuses to answer, as it says, or a filter of its provider has ended its answer."""

    def __init__(self, role: str, usage: Usage, said: str = "A filter has ended its answer.") -> None:
        told = f"The model refuses to answer for the role {role!r}. Ask in other words, or take another model. {said}"
        super().__init__(told, usage)


async def decide(
    model: BaseChatModel,
    shape: type[T],
    messages: Sequence[BaseMessage],
    *,
    role: str,
    tokens_left: int,
    method: Method | Literal["auto"] = "auto",
    meter: Meter | None = None,
) -> Decision[T]:
    """Ask `model` for a value of the type `shape`.

    The answer is constrained by the type's JSON Schema as well as the model can (`method`; `auto` goes by the
    model's profile), validated, and asked for once more with the error when it is not valid. `tokens_left` is a
    hard limit for prompt and completion together, in tokens: a call that could pass it is not made. `meter` has what
    was spent also where this is cancelled.

    Raises:
        AnswerRefused: the model refuses to answer, or a filter ended its answers.
        BudgetExceeded: the next call could pass `tokens_left`, or one has used it up by thinking, which is its `usage`.
        InvalidDecision: two answers were not valid, or one, and the budget or the context has no room for another.
        ModelError: the model cannot be reached or used.
    """
    chosen = decision_method(model) if method == "auto" else method
    conversation, usage, error, filtered, speechless = list(messages), Usage(), "", False, False
    schema, wrapped = _schema(shape), False
    await table_loaded()
    if chosen == "prompt":
        conversation.append(HumanMessage(_PLAIN.format(schema=json.dumps(schema))))
    else:
        wrapped = reads_schemas(model) and bool({"anyOf", "oneOf"} & schema.keys())
        schema = fitted(sound(_wrapped(schema) if wrapped else schema), model)
        chosen = "function_calling" if chosen == "json_schema" and decided_by_call(schema, model) else chosen
    seen = chosen == "function_calling" or (chosen == "json_schema" and reads_schemas(model))
    beside = count_tokens(json.dumps(schema)) if seen else 0
    for _ in range(2):
        prompt = count_message_tokens(conversation) + beside
        try:
            room = room_for_answer(model, prompt, tokens_left - tokens(usage), role)
            with translated(model):
                bind = partial(_constrained, model, schema, chosen, room=room, prompt=prompt)
                reply, cost = await asked(model, bind, conversation, role=role, prompt=prompt, meter=meter)
        except (BudgetExceeded, ContextExceeded, PromptRefused):
            if not usage:
                raise
            break  # the first answer was not valid, and there is no room for another, or it may not be read
        usage = add_usage(usage, cost)
        if no := refusal(reply):
            raise AnswerRefused(role, usage, no)
        try:
            return Decision(shape.model_validate(_content(reply, wrapped=wrapped)), usage)
        except (ValueError, RecursionError) as problem:  # a ValidationError is a ValueError
            error, filtered = _brief(problem), is_filtered(reply)
        check_said(model, reply, room, role, usage)
        speechless = is_cut(reply) and says_nothing(reply)
        said = str(reply.text) or json.dumps([call["args"] for call in reply.tool_calls])
        conversation += [AIMessage(said), HumanMessage(_AGAIN.format(error=error))]
    if filtered:
        raise AnswerRefused(role, usage)
    told = f"The model gave no valid answer for the role {role!r}: {_SPEECHLESS if speechless else error}"
    raise InvalidDecision(told, usage, speechless=speechless)


def _schema(shape: type[BaseModel]) -> JsonSchema:
    """The shape's schema under the shape's name: an API's own title is no name that providers take."""
    schema = of_keywords(shape.model_json_schema(schema_generator=_Bare))
    return {"description": shape.__name__} | schema | {"title": shape.__name__}


class _Bare(GenerateJsonSchema):
    """Schemas without the docstrings of classes, which are for programmers, and without titles that repeat names."""

    def generate(self, schema: core_schema.CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The schema of a shape and of the classes in it, by their fields and values alone."""
        made = super().generate(schema, mode)
        for one in (made, *made.get("$defs", {}).values()):
            one.pop("title", None)
            one.pop("description", None)
        return made

    def field_title_should_be_set(self, _schema: object) -> bool:
        """Never: a field has its name."""
        return False


def _wrapped(schema: JsonSchema) -> JsonSchema:
    """The schema as providers take it: alternatives stand in a property, since none may stand at the root."""
    named = {name: schema[name] for name in ("title", "description", "$defs") if name in schema}
    inner = {name: part for name, part in schema.items() if name not in named}
    return named | {
        "type": "object",
        "properties": {_WRAPPED: inner},
        "required": [_WRAPPED],
        "additionalProperties": False,
    }


def _constrained(
    model: BaseChatModel, schema: JsonSchema, method: Method, *, room: int, prompt: int
) -> Runnable[Any, AIMessage]:
    """The model, `limited`, with its output bound to the schema as firmly as the method allows."""
    bounded, limit = limited(model, room, prompt=prompt, schema=method == "json_schema")
    if method == "prompt":
        return bounded.bind(**limit)
    if method == "function_calling":
        return bounded.bind_tools([schema], tool_choice=schema["title"], **limit)
    bound = bounded.with_structured_output(schema, method="json_schema", include_raw=True, **limit)
    return bound | _raw


def _raw(result: Any) -> AIMessage:
    reply = result["raw"]
    assert isinstance(reply, AIMessage)
    return reply


def _content(reply: AIMessage, *, wrapped: bool) -> Any:
    """What the model decided, as data that is not validated yet.

    For some models LangChain asks for a tool call, whatever method was meant.
    """
    if reply.tool_calls and is_cut(reply):
        raise ValueError("the call was cut; of a stream it seems to have an end")
    said = reply.tool_calls[0]["args"] if reply.tool_calls else without_halves(_object_in(str(reply.text)))
    return said[_WRAPPED] if wrapped and isinstance(said, dict) and _WRAPPED in said else said


def _object_in(text: str) -> Any:
    """The JSON of a text: all of it, what a code block holds, or the first object where others speak around it.

    LangChain's own parser would complete an answer that was cut in the middle of a number.
    """
    text = text.strip().removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    try:
        return parse_json_markdown(text, parser=partial(json.loads, strict=False))
    except ValueError:
        begins = text.find("{")
        if begins < 0:
            raise
        found, _ = json.JSONDecoder(strict=False).raw_decode(text, begins)
        return found


def _brief(problem: Exception) -> str:
    if not isinstance(problem, ValidationError):
        return "it is not a JSON object."
    return " ".join(
        f"{'.'.join(str(part) for part in error['loc'])} {error['msg']}.".strip() for error in problem.errors()
    )
