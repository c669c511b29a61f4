"""OpenAI's classes, without importing them: a command that asks no model starts a fifth faster without.

What is one of them, or raises one, has brought its module along.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_BASE, _AZURE = "langchain_openai.chat_models.base", "langchain_openai.chat_models.azure"


def of_openai(model: BaseChatModel) -> bool:
    """Whether a model speaks OpenAI's protocol, by its class."""
    return _is(model, _BASE, "BaseChatOpenAI")


def of_azure(model: BaseChatModel) -> bool:
    """Whether it is one of Azure's."""
    return _is(model, _AZURE, "AzureChatOpenAI")


def openai_error(name: str) -> tuple[type[Exception], ...]:
    """An error of OpenAI's client, for an `except`; none while that is not imported."""
    kind = getattr(sys.modules.get("openai"), name, None)
    return () if kind is None else (kind,)


def _is(model: BaseChatModel, module: str, name: str) -> bool:
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(model, kind)
