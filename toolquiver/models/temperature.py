"""A temperature of 0, taken back where a model refuses it: of a deployment's name nobody knows what it takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from toolquiver.models.bare import bare
from toolquiver.models.failures import status_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from langchain_core.language_models import BaseChatModel

T = TypeVar("T")

_BAD_REQUEST = {400, 422}
_REFUSED = re.compile(r"""['"`]temperature['"`]|\btemperature\s*=""")  # as OpenAI, Anthropic and LiteLLM say it


async def at_temperature(model: BaseChatModel, ask: Callable[[], Awaitable[T]]) -> T:
    """What `ask` gives; where `model` refuses a temperature of 0, asked once more without one.

    The model keeps none from then on, unless the second try fails too. A temperature that someone has chosen stays.
    `ask` makes what it asks of the model anew.
    """
    own: Any = bare(model)
    before = getattr(own, "temperature", None)
    try:
        return await ask()
    except Exception as error:
        if before != 0 or not _refuses_it(error):
            raise
    own.temperature = None
    try:
        return await ask()
    except Exception:
        own.temperature = before
        raise


def _refuses_it(error: Exception) -> bool:
    said = str(error)
    named = getattr(error, "param", None) == "temperature" or (_REFUSED.search(said) and "schema" not in said.lower())
    return status_of(error) in _BAD_REQUEST and bool(named)
