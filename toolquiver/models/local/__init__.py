"""The model named "local": a small chat model served on this machine, for tests and for a first run.

    model = local_chat_model()          a LangChain chat model; the server starts and stops by itself
    pull()                              fetch the model's file (1.1 GB) now
    endpoint = acquire()                its OpenAI-compatible endpoint, for any other client
    serve_forever(port=8080)            the same in the foreground

The names are loaded on first use, since the chat model needs seconds to import.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolquiver.models.local.chat import local_chat_model
    from toolquiver.models.local.files import model_path, pull
    from toolquiver.models.local.serve import serve_forever
    from toolquiver.models.local.share import Endpoint, acquire

__all__ = ["Endpoint", "acquire", "local_chat_model", "model_path", "pull", "serve_forever"]

_HOMES = {
    "Endpoint": "share",
    "acquire": "share",
    "local_chat_model": "chat",
    "model_path": "files",
    "pull": "files",
    "serve_forever": "serve",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
