"""Models by name: `local`, or `provider:model` as LangChain names them."""

from __future__ import annotations

import asyncio
import os
import weakref
from typing import TYPE_CHECKING

from langchain.chat_models import init_chat_model

from toolquiver.errors import MissingKey, UnknownModel

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

LOCAL = "local"

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
    if provider == "openai" and not os.environ.get("OPENAI_API_KEY"):
        raise MissingKey("OPENAI_API_KEY is not set. Set it, or use --model local.")
    try:
        return init_chat_model(name, temperature=0)
    except ImportError as error:
        raise UnknownModel(f"The provider {provider!r} needs another package: {error}") from error
    except ValueError as error:
        if "key" in str(error).lower():  # what the providers' own checks say when theirs is missing
            raise MissingKey(f"The key for {provider!r} is not set: {error}") from error
        raise UnknownModel(f"No model is called {name!r}: {str(error).splitlines()[0]}") from error


async def model_named(name: str) -> BaseChatModel:
    """`load_model`, off the event loop and once a loop."""
    models = _loaded.setdefault(asyncio.get_running_loop(), {})
    if name not in models:
        models[name] = await asyncio.to_thread(load_model, name)
    return models[name]
