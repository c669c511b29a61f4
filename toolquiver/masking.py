"""Secrets out of what is written down: an agent of others may repeat its key in an error."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from toolquiver.spellings import spellings

_SECRET = re.compile(r"key|token|secret|passw(or)?d|credential", re.IGNORECASE)
_MAY_BE_SECRET = re.compile(r"(^|_)((pg)?pass|pat|auth|bearer|dsn)$|_pwd$", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z]+|[~.]*/.*|\w+://[^@]*")  # a word, a path, an address without a user
_NO_SECRETS = frozenset({"SSH_AUTH_SOCK"})
_IN_URL = re.compile(r"://([^/\s:@]*):([^/\s]+)@")  # a user and a password
_OF_OTHERS = frozenset({"arguments", "trace"})  # fields in which models and tools say what things are called
_SHORTEST = 8  # a shorter value may stand in ordinary words
MASK = "[hidden]"


def masked(text: str) -> str:
    """`text` without the secrets of the environment, however they are written in it.

    They are the values of variables whose names say so, and the passwords in URLs.
    """
    return _without(_secrets(), text)


def masked_values(data: Any) -> Any:
    """JSON data whose texts are `masked`; numbers and our own fields' names stay, so that it keeps its shape."""
    return _values_without(_secrets(), data)


def _secrets() -> tuple[str, ...]:
    """The longest first: it may begin with another."""
    found = {one for name, value in os.environ.items() for one in _secrets_in(name, value) if len(one) >= _SHORTEST}
    return tuple(sorted(found, key=lambda secret: (-len(secret), secret)))


def _secrets_in(name: str, value: str) -> Iterator[str]:
    telling = _SECRET.search(name) or (_MAY_BE_SECRET.search(name) and not _PLAIN.fullmatch(value))
    if telling and name not in _NO_SECRETS:
        yield value
    for user, password in _IN_URL.findall(value):
        if password != user and not password.isalpha():  # as where a database is only tried
            yield from {password, unquote(password)}


def _without(secrets: tuple[str, ...], text: str) -> str:
    return _pattern(secrets).sub(MASK, text) if secrets else text


@lru_cache(maxsize=4)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(spellings, secrets)))


def _values_without(secrets: tuple[str, ...], data: Any, *, names: bool = False) -> Any:
    if isinstance(data, dict):
        return {
            _without(secrets, name) if names else name: _values_without(
                secrets, value, names=names or name in _OF_OTHERS
            )
            for name, value in data.items()
        }
    if isinstance(data, list):
        return [_values_without(secrets, value, names=names) for value in data]
    return _without(secrets, data) if isinstance(data, str) else data
