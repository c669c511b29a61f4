"""One question to a chat model under a hard limit of tokens: what every kind of question has in common."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, cast

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.messages.ai import UsageMetadata
from pydantic import ValidationError

from toolquiver.errors import BudgetExceeded, ModelError
from toolquiver.models.bare import members
from toolquiver.models.failures import name_of
from toolquiver.models.ledger import Meter, Usage, add_usage, estimated, reported
from toolquiver.models.openai_classes import of_azure, of_openai, openai_error
from toolquiver.models.temperature import at_temperature
from toolquiver.models.tokens import count_tokens
from toolquiver.surrogates import without_halves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import Runnable
    from openai import LengthFinishReasonError

LEAST_ANSWER = 48  # tokens: with less room than this no decision of ours can be written down
LEAST_THOUGHT = 1_024  # tokens: with less room than this a model that thinks first may come to no answer
_LONGEST_ANSWER = 4_096  # tokens, for models whose profile has no limit: providers refuse to be asked for more
_FIELDS = ("num_predict", "max_output_tokens", "max_tokens")  # what Ollama's, Google's and all others' classes call it
_NEWER = "max_completion_tokens"  # what OpenAI's class makes of `max_tokens`
_WHY_ENDED = ("finish_reason", "stop_reason", "done_reason", "stopReason", "status")
_FILTERED = {"content_filter", "content_filtered", "guardrail_intervened", "prohibited_content", "refusal", "safety"}
_CUT = {"length", "max_tokens", "incomplete"} | _FILTERED  # each provider says it in its own way
_MESSAGES = {"AIMessage", "AIMessageChunk"}
# Some templates open the thought in the prompt, so that the reply only closes it.
_THOUGHT = re.compile(r"\A\s*(?:<think>.*?(?:</think>\s*|\Z)|(?:(?!<think>).)*?</think>\s*)", re.DOTALL)
_MARGIN = 1.1  # our count of a prompt may be this much too low


def room_beside(prompt: int, tokens_left: int) -> int:
    """How many tokens are left for the answer to a prompt of about so many tokens."""
    return tokens_left - math.ceil(prompt * _MARGIN)


def room_for_answer(model: BaseChatModel, prompt: int, tokens_left: int, role: str) -> int:
    """The same, where that suffices for an answer of `model`, and for the thought before it.

    Raises:
        BudgetExceeded: it does not.
    """
    room = room_beside(prompt, tokens_left)
    thinks = (getattr(model, "profile", None) or {}).get("reasoning_output")
    if room < (LEAST_THOUGHT if thinks else LEAST_ANSWER):
        raise BudgetExceeded(f"The token budget does not suffice for another call of the role {role!r}.")
    return room


def limited(
    model: BaseChatModel, room: int, *, prompt: int = 0, schema: bool = False
) -> tuple[BaseChatModel, dict[str, int]]:
    """The model whose longest answer, in tokens, fits, and the arguments that it takes for that with a call.

    Most classes take `max_tokens`, but many refuse it beside a `schema`, and a limit of another name at all: then a
    copy of the model has it. A class without such a field must bound itself. Where a model's answer and its `prompt`,
    of about so many tokens, share one context, what the prompt leaves is the limit too.
    """
    field = _field(model)
    if field is None:
        return model, {}
    fields = getattr(type(model), "model_fields", {})
    longest = max(min(_longest_answer(model, field), _beside(prompt, model, room)), 1)
    with_call = field not in fields or (field == "max_tokens" and (not schema or of_openai(model)))
    return (model, {_in_call(model, field): longest}) if with_call else (model.model_copy(update={field: longest}), {})


def check_said(model: BaseChatModel, reply: AIMessage, room: int, role: str, usage: Usage) -> None:
    """See that `model` came to an answer in the room that the budget left it.

    Raises:
        BudgetExceeded: it was cut there, and had only thought; `usage` is what that cost.
    """
    field = _field(model)
    if is_cut(reply) and says_nothing(reply) and field is not None and room < _longest_answer(model, field):
        raise BudgetExceeded(f"The token budget does not suffice for what the role {role!r} thinks.", usage)


def _field(model: BaseChatModel) -> str | None:
    """What the model's class calls the limit of an answer, if it has one."""
    fields = getattr(type(model), "model_fields", {})
    inside = ["max_tokens"] if hasattr(model, "max_tokens") else []  # a model inside another, as one with tags
    return next(iter([*(name for name in _FIELDS if name in fields), *inside]), None)


def _in_call(model: BaseChatModel, field: str) -> str:
    """What a field is called with a call: Azure's class sends it as it is, and its reasoning models know one name."""
    within = members(model)
    known = {getattr(type(one).model_fields.get(field), "alias", None) for one in within} == {_NEWER}
    bound = getattr(model, "kwargs", {})  # what the user has bound under the older name would be sent beside ours
    azure = any(map(of_azure, within))
    return _NEWER if known and azure and field not in bound else field


async def asked(
    model: BaseChatModel,
    bind: Callable[[], Runnable[Any, AIMessage]],
    conversation: Sequence[BaseMessage],
    *,
    role: str,
    prompt: int,
    meter: Meter | None,
) -> tuple[AIMessage, Usage]:
    """The model's reply to a prompt of about so many tokens, and what it cost, which is added to `meter`.

    `bind` makes of the model, as it is then, what is asked.

    Raises:
        ModelError: the provider broke off and ended its reply with an error.
    """
    meter = meter or Meter()
    before = meter.spent
    meter.spent = add_usage(before, estimated(role, prompt=prompt, completion=0))
    reply = await at_temperature(model, lambda: _reply(bind(), conversation))
    cost = cost_of(role, prompt, reply)  # of what was thought aloud, too
    meter.spent = add_usage(before, cost)
    if "error" in _ended_by(reply):  # as OpenRouter and Mistral say it, and LangChain keeps no more of it
        raise ModelError(f"The provider of {name_of(model)} broke off in its answer. Try again later.")
    return _sound(reply), cost


def _in_turns(conversation: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The conversation with a user's texts that follow each other as one: the templates of some models refuse two."""
    turns: list[BaseMessage] = []
    for message in conversation:
        if turns and _is_a_users(turns[-1]) and _is_a_users(message):
            turns[-1] = HumanMessage(f"{turns[-1].text}\n\n{message.text}")
        else:
            turns.append(message)
    return turns


def _is_a_users(message: BaseMessage) -> bool:
    return isinstance(message, HumanMessage) and isinstance(message.content, str)


async def _reply(model: Runnable[Any, AIMessage], conversation: Sequence[BaseMessage]) -> AIMessage:
    """The model's reply, one that was cut at the token limit too: OpenAI's client raises those."""
    try:
        return await model.ainvoke(_in_turns(conversation))
    except openai_error("LengthFinishReasonError") as cut:
        completion = cast("LengthFinishReasonError", cut).completion
        said, spent = completion.choices[0].message.content, completion.usage
        usage = spent and UsageMetadata(
            input_tokens=spent.prompt_tokens, output_tokens=spent.completion_tokens, total_tokens=spent.total_tokens
        )
        return AIMessage(said or "", usage_metadata=usage, response_metadata={"finish_reason": "length"})
    except openai_error("ContentFilterFinishReasonError"):  # of what is left out nothing is told, nor its cost
        return AIMessage("", response_metadata={"finish_reason": "content_filter"})
    except ValidationError as wrong:
        if wrong.title not in _MESSAGES:
            raise
        return AIMessage("")  # LangChain takes no arguments that are a list or a text


def _sound(reply: AIMessage) -> AIMessage:
    """The reply without half surrogates, which neither a checkpoint nor the next request can carry.

    Nor has it what a model has thought aloud before, as some servers leave it in the text.
    """
    content = _THOUGHT.sub("", reply.content) if isinstance(reply.content, str) else reply.content
    return reply.model_copy(update={"content": without_halves(content), "tool_calls": without_halves(reply.tool_calls)})


def says_nothing(reply: AIMessage) -> bool:
    """Whether a reply has neither a text nor a call, not even a broken one."""
    return not (str(reply.text).strip() or reply.tool_calls or reply.invalid_tool_calls)


def is_cut(reply: AIMessage) -> bool:
    """Whether the provider says that the reply is not whole: it was too long, or a filter ended it."""
    return not _CUT.isdisjoint(_ended_by(reply))


def is_filtered(reply: AIMessage) -> bool:
    """Whether the provider says that a filter, or the model's own refusal, ended the reply."""
    return not _FILTERED.isdisjoint(_ended_by(reply))


def _ended_by(reply: AIMessage) -> set[str]:
    about = reply.response_metadata
    closer = about.get("incomplete_details") or {}  # of OpenAI's Responses, whose status is only "incomplete"
    said = [*(about.get(name) for name in _WHY_ENDED), closer.get("reason")]
    return {str(reason).lower() for reason in said}


def refusal(reply: AIMessage) -> str:
    """What a model says that refuses to answer; empty of others. OpenAI's Responses have it among the content."""
    among = [block.get("refusal") for block in reply.content if isinstance(block, dict)]
    return " ".join(str(said) for said in [reply.additional_kwargs.get("refusal"), *among] if said)


def cost_of(role: str, prompt: int, reply: AIMessage) -> Usage:
    """What the reply cost: as the provider says, else our count of the prompt and of what was said."""
    if (figures := reply.usage_metadata) and figures.get("total_tokens"):
        return reported(role, figures)
    said = without_halves(str(reply.text)) + "".join(json.dumps(call["args"]) for call in reply.tool_calls)
    return estimated(role, prompt=prompt, completion=count_tokens(said))


def _longest_answer(model: BaseChatModel, field: str) -> int:
    """How many tokens the model may write at once: as its user says, else its profile."""
    said = getattr(model, field) or 0  # to some servers -1 is no limit
    return said if said > 0 else (getattr(model, "profile", None) or {}).get("max_output_tokens") or _LONGEST_ANSWER


def _beside(prompt: int, model: BaseChatModel, room: int) -> int:
    """The room, or what the prompt leaves of a context that it shares with the answer, by the model's profile."""
    profile = getattr(model, "profile", None) or {}
    context, answer = profile.get("max_input_tokens") or 0, profile.get("max_output_tokens") or 0
    return min(room, room_beside(prompt, context)) if 0 < context <= answer else room
