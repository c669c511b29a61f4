"""What a provider's client raises, as our errors that say what to do."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, SecretStr

from toolquiver.errors import (
    ContextExceeded,
    MissingKey,
    ModelError,
    ModelUnreachable,
    PromptRefused,
    UnknownModel,
)
from toolquiver.models.bare import bare, members
from toolquiver.models.openai_classes import of_openai

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.language_models import BaseChatModel

_KNOWN: tuple[tuple[set[int | str], type[ModelError], str], ...] = (
    ({401}, MissingKey, "The provider of {name} refused the key. Check the key in the environment."),
    ({403}, MissingKey, "The provider of {name} refused the key, or what it may do. Check both. It says: {said}"),
    (
        {404},
        UnknownModel,
        "The provider does not know the model {name}. Check its name and the address. It says: {said}",
    ),
    (
        {429},
        ModelError,
        "The provider of {name} allows no more requests now. Wait, or check your quota. It says: {said}",
    ),
    (
        {"APITimeoutError", "TimeoutException", "TimeoutError"},
        ModelUnreachable,
        "The model {name} did not answer in time. Try again, or give it more time.",
    ),
    (
        {"APIConnectionError", "ConnectError", "ConnectionError", "TransportError"},
        ModelUnreachable,
        "Nothing answers at the address of the model {name}. Check that it runs, and OPENAI_BASE_URL.",
    ),
    (
        {"NotImplementedError"},
        ModelError,
        "The model {name} cannot be asked in this way. Set decision_method to 'prompt'.",
    ),
)
"""What to say of a status, or of a class of errors; the first that fits."""

_NO_REPLY = {"AttributeError", "IndexError", "KeyError", "JSONDecodeError", "TypeError"}
"""What LangChain and OpenAI's client stumble with over a page, an error that calls itself a success, an empty list."""

_OURS = re.compile(r"unexpected keyword argument|not JSON serializable")  # a setting or a message was wrong
_ADDRESS = "Check OPENAI_BASE_URL. It failed with:"
_FREE = (
    "Give it by its name, such as 'openai:NAME', or make an OpenAI model with"
    " http_async_client=openai.DefaultAsyncHttpxClient(headers={'Connection': 'close'})."
)
_SERVER = 500
_SHORTEST = 8  # of a key; a shorter one, as servers without keys are given, may stand in ordinary words
_FULL = re.compile(
    r"context[ _](length|size|window)|maximum model length|(prompt|input) is too long|inputs\W.{0,20}max_new_tokens"
    r"|exceeds the maximum number of tokens|reduce the length of the messages|ContextOverflowError",
    re.IGNORECASE,
)  # as OpenAI and Groq, llama.cpp, vLLM, LM Studio, SGLang, TGI, Anthropic, Gemini and LangChain say it
_FILTERED = re.compile(
    r"content[ _-]?(filter|policy|management)|usage polic|responsibleaipolicy|data_?inspection"
    r"|invalid_prompt|for safety reasons",
    re.IGNORECASE,
)  # as Azure, OpenAI, Anthropic and Alibaba say it
_OF_A_SCHEMA = re.compile(r"schema|function '|tools?\[|parameters\b", re.IGNORECASE)  # a tool may be called so
_REFUSED, _NO_ACCESS = 400, 401
_NO_KEY = re.compile(r"api key not valid", re.IGNORECASE)  # as Gemini says it, with the status of a bad request
_OF_A_LOOP = re.compile(r"event loop is closed|different (event )?loop", re.IGNORECASE)
_SETTINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"response_format|json_schema|structured output", re.IGNORECASE),
        "Set decision_method to 'function_calling' or 'prompt'.",
    ),
    (
        re.compile(r"(?<![\w-])tools?(?![\w-])|tool[ _-](choice|use|calls?)", re.IGNORECASE),
        "Set action_form to 'written' and, should that not do, decision_method to 'prompt'.",
    ),
)
"""What helps where a provider refuses a part of a request that is asked for by a setting; the first that fits."""

_SHORTER = (
    "Lower solver_context, agent_context or observation_characters, give the model a smaller max_tokens, or take"
    " another one."
)


@contextmanager
def translated(model: BaseChatModel) -> Iterator[None]:
    """Turn the errors of whatever client stands behind `model` into a `ModelError`.

    Clients of different providers share no base class, so their errors are told apart by the status they carry
    and by the names of their classes.
    """
    try:
        yield
    except Exception as error:
        problem = _problem(error, model)
        if problem is None:
            raise
        raise problem from (None if _tells_secret(error, model) else error)


def _problem(error: Exception, model: BaseChatModel) -> ModelError | None:
    name, status = name_of(model), status_of(error)
    said = _without_secrets(" ".join(str(_told(error).get("message") or error).split()), model)
    status = _NO_ACCESS if status == _REFUSED and _NO_KEY.search(said) else status
    classes = {kind.__name__ for kind in type(error).__mro__}
    signs = {status, *classes}
    if isinstance(error, RuntimeError) and _OF_A_LOOP.search(said):
        return ModelError(f"The connections of the model {name} belong to another event loop. {_FREE}")
    for known, kind, text in _KNOWN:
        if known & signs:
            return kind(text.format(name=name, said=said))
    if of_openai(bare(model)) and status is None and classes & _NO_REPLY and not _OURS.search(said):
        return ModelError(f"What answers for the model {name} does not speak OpenAI's protocol. {_ADDRESS} {said}")
    marks = " ".join([said, *(str(getattr(error, mark, "")) for mark in ("code", "type")), *classes])
    if _FULL.search(marks) and (status or 0) < _SERVER and not _OF_A_SCHEMA.search(said):
        return ContextExceeded(f"The conversation does not fit into the context of the model {name}. {_SHORTER}")
    if status == _REFUSED and _FILTERED.search(marks) and not _OF_A_SCHEMA.search(said):
        return PromptRefused(f"The provider of {name} refused a prompt for what it says. Ask in other words. {said}")
    return _of_a_provider(name, status, said, classes)


def _of_a_provider(name: str, status: int | None, said: str, classes: set[str]) -> ModelError | None:
    """The error of which no more is known than that a provider raised it; None of one that is none of a provider's."""
    if status is None and "APIError" not in classes:
        return None
    if status is None:
        return ModelError(f"The provider of {name} broke off. Try again later. {said}")
    advice = "Try again later." if status >= _SERVER else _advice(said)
    return ModelError(f"The provider of {name} answered with status {status}. {advice} It says: {said}")


def _advice(said: str) -> str:
    """What to do about a request that a provider refuses with these words."""
    return next((text for known, text in _SETTINGS if known.search(said)), "Check the model's name and settings.")


def status_of(error: BaseException) -> int | None:
    """The status that an error carries, or the one that led to it: Gemini's calls it `code`.

    Some gateways answer with a success that has an error inside: without a status of its own it is the server's fault.
    """
    for one in (error, error.__cause__):
        for name in ("status_code", "code"):
            if isinstance(found := getattr(one, name, None), int):
                return found
    told = _told(error)
    code = told.get("code")
    return code if isinstance(code, int) else _SERVER if "message" in told else None


def _told(error: BaseException) -> dict[str, Any]:
    """The error inside a success: LangChain raises it as a plain `ValueError`, or keeps what it stumbled over."""
    told = error.args[0] if type(error) is ValueError and error.args else None
    told = told.model_dump() if isinstance(told, BaseModel) else told
    if isinstance(told, dict):
        return told
    response: Any = getattr(error, "response", None)
    if not getattr(response, "is_success", False):
        return {}
    try:
        body = response.json()
    except (ValueError, RuntimeError):  # a page, or a stream that was not read
        return {}
    inside = body.get("error") if isinstance(body, dict) else None
    return inside if isinstance(inside, dict) else {"message": inside} if inside else {}


def _without_secrets(text: str, model: BaseChatModel) -> str:
    """What a provider says without the keys of the model, should it repeat them."""
    for secret in _secrets(model):
        text = text.replace(secret, "***")
    return text


def _tells_secret(error: BaseException | None, model: BaseChatModel) -> bool:
    """Whether an error, or one that led to it, has a key of the model in its text, which a traceback would show."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        if any(secret in str(error) for secret in _secrets(model)):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _secrets(model: BaseChatModel) -> list[str]:
    fields = (value for one in members(model) for value in vars(one).values())
    values = (value.get_secret_value() for value in fields if isinstance(value, SecretStr))
    return [value for value in values if isinstance(value, str) and len(value) >= _SHORTEST]


def name_of(model: BaseChatModel) -> str:
    """What an error calls the model: its name in quotes, or its class."""
    own = bare(model)
    return repr(getattr(own, "model_name", None) or getattr(own, "model", None) or type(own).__name__)
