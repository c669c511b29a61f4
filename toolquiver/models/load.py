"""Models by name: `local`, or `provider:model` as LangChain names them."""

from __future__ import annotations

import asyncio
import os
import re
import weakref
from typing import TYPE_CHECKING, Any

from langchain.chat_models import init_chat_model

from toolquiver.errors import MissingKey, UnknownModel
from toolquiver.models.openai_classes import openai_error

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

LOCAL = "local"
_ADDRESSES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")  # of other servers than OpenAI's

_ABOUT_KEYS = re.compile(r"api.?key|credentials", re.IGNORECASE)
"""What the providers' own checks say when theirs is missing."""

# A client's open connections belong to the event loop they were made in, so a loop has its own models.
_loaded: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, BaseChatModel]]
_loaded = weakref.WeakKeyDictionary()


def load_model(name: str) -> BaseChatModel:
    """The chat model of this name; temperature 0.

    `local` is fetched and started when it is not there yet. `openai:` honours OPENAI_BASE_URL.

    Raises:
        UnknownModel: the name has no provider, or one that LangChain does not know or that is not installed.
        MissingKey: the provider's key is not in the environment.
        ModelError: the local model cannot be fetched or started.
    """
    if name == LOCAL:
        from toolquiver.models.local import local_chat_model  # noqa: PLC0415 - an optional part

        return local_chat_model()
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise UnknownModel(f"No model is called {name!r}. Write 'local' or 'provider:model', such as 'openai:NAME'.")
    if provider == "openai":
        _check_key(os.environ.get("OPENAI_API_KEY", ""))
    try:
        loaded: BaseChatModel = init_chat_model(name, temperature=0, **_client(provider))
    except ImportError as error:
        raise UnknownModel(f"The provider {provider!r} needs another package: {error}") from error
    except _refusals() as error:
        if _ABOUT_KEYS.search(str(error)):
            raise MissingKey(f"The key for {provider!r} is not set: {error}") from error
        raise UnknownModel(f"No model is called {name!r}: {' '.join(str(error).split())}") from error
    if (loaded.profile or {}).get("temperature") is False and hasattr(loaded, "temperature"):
        loaded.temperature = None  # reasoning models refuse any
    return loaded


def _refusals() -> tuple[type[Exception], ...]:
    """What is raised where a model cannot be made as it is named; known when it has been tried."""
    return (ValueError, *openai_error("OpenAIError"))


def _check_key(key: str) -> None:
    """Refuse a key that cannot be sent: a client's own error would show it."""
    if not key:
        raise MissingKey("OPENAI_API_KEY is not set. Set it, or use --model local.")
    if key != key.strip() or not key.isascii() or not key.isprintable():
        raise MissingKey("OPENAI_API_KEY begins or ends with whitespace, or has a character no key has. Set it again.")


def _client(provider: str) -> dict[str, Any]:
    """A client that keeps no connection, so that it belongs to no event loop.

    LangChain's OpenAI models share one between them all, which fails in the second loop it is used from. With a client
    of one's own it no longer asks OpenAI what a stream costs, unless told to; other servers may not know the question.
    """
    if provider not in ("openai", "azure_openai"):
        return {}
    from openai import DefaultAsyncHttpxClient  # noqa: PLC0415 - as in openai_classes

    counted = {"stream_usage": True} if provider == "openai" and not any(map(os.environ.get, _ADDRESSES)) else {}
    return {"http_async_client": DefaultAsyncHttpxClient(headers={"Connection": "close"}), **counted}


async def model_named(name: str) -> BaseChatModel:
    """`load_model`, off the event loop; one model a loop, to all who ask."""
    models = _loaded.setdefault(asyncio.get_running_loop(), {})
    if name not in models:
        loaded = await asyncio.to_thread(load_model, name)
        models.setdefault(name, loaded)
    return models[name]
