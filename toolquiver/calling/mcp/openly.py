"""Credentials that stand openly where a server's settings are kept: in its URL's query, in its command's arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

from toolquiver.catalog.openapi.keys import may_be_secret

_IN_ADDRESSES = frozenset({"code", "sig"})  # what Azure calls its keys there
_SET = re.compile(r"([\w-]+)(?:=|: *(?:basic|bearer|token) +)[\"']?([^\s&\"']+)", re.IGNORECASE)


def blanks(url: str) -> set[str]:
    """The parameters of a URL's query that have no value."""
    return {name for name, value in _query(url) if not value}


def filled(url: str) -> list[str]:
    """The parameters of a URL's query that have a value."""
    return [name for name, value in _query(url) if value]


def is_key(parameter: str) -> bool:
    """Whether a parameter of a query is a credential by its name."""
    return parameter.lower() in _IN_ADDRESSES or may_be_secret(parameter)


def told_in(command: Sequence[str]) -> str:
    """By what name a command's words tell a credential; "" where they tell none.

    It is told as `--api-key VALUE`, and as `NAME=VALUE` wherever that stands: for a container, a shell, in a URL. What
    begins with `$` is no value yet.
    """
    words = [piece for word in command for piece in word.split()]
    flags = [(word, value) for word, value in pairwise(words) if word[:1] == "-" and value[:1] != "-"]
    values: list[tuple[str, str]] = [*flags, *(found for word in command for found in _SET.findall(word))]
    for name, value in values:
        # A flag's `auth` is how one is let in, not with what.
        if may_be_secret(name) and not name.lower().endswith("auth") and value.strip("\"'")[:1] not in {"", "$"}:
            return name
    return ""


def _query(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)
