"""What a provider's client raises, as our errors that say what to do."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from toolquiver.errors import MissingKey, ModelError, ModelUnreachable, UnknownModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langchain_core.language_models import BaseChatModel

_DENIED = (401, 403)
_NOT_FOUND = 404


@contextmanager
def translated(model: BaseChatModel) -> Iterator[None]:
    """Turn the errors of whatever client stands behind `model` into a `ModelError`.

    Clients of different providers share no base class, so their errors are told apart by the status they carry
    and by the names of their classes.
    """
    try:
        yield
    except Exception as error:
        problem = _problem(error, _name(model))
        if problem is None:
            raise
        raise problem from error


def _problem(error: Exception, name: str) -> ModelError | None:
    status: Any = getattr(error, "status_code", None)
    if status in _DENIED:
        return MissingKey(f"The provider of {name} refused the key. Check the key in the environment.")
    if status == _NOT_FOUND:
        return UnknownModel(f"The provider does not know the model {name}. Check its name and the address.")
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & {"APITimeoutError", "TimeoutException"}:
        return ModelUnreachable(f"The model {name} did not answer in time.")
    if kinds & {"APIConnectionError", "ConnectError", "ConnectionError", "TransportError"}:
        return ModelUnreachable(
            f"Nothing answers at the address of the model {name}. Check that it runs, and OPENAI_BASE_URL."
        )
    if isinstance(status, int):
        return ModelError(f"The provider of {name} answered with status {status}: {error}")
    return None


def _name(model: BaseChatModel) -> str:
    return repr(getattr(model, "model_name", None) or getattr(model, "model", None) or type(model).__name__)
