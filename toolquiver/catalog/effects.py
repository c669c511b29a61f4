"""What a call of an API does: it reads, it writes, or nobody has said."""

from __future__ import annotations

from typing import cast, get_args

from toolquiver.catalog.records import Effect
from toolquiver.errors import CatalogError

_READING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_NO_METHOD = "CALL"  # what APIs have that no HTTP request calls


def of_method(method: str) -> Effect:
    """The effect of a request with this HTTP method, in any case of letters."""
    return "read" if method.upper() in _READING else "write"


def of_stored(method: str) -> Effect:
    """The effect of an API that was stored before APIs had one, by its method."""
    return "unknown" if method == _NO_METHOD else of_method(method)


def checked(given: object) -> Effect:
    """What was given as an effect.

    Raises:
        CatalogError: it is none.
    """
    if given not in get_args(Effect):
        raise CatalogError(f"The effect is {given!r}. Give one of 'read', 'write' and 'unknown'.")
    return cast("Effect", given)
