"""Credentials that stand openly where a source is kept: in its URL's query, in its command's arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from toolquiver.catalog.openapi.keys import may_be_secret
from toolquiver.catalog.text import spaced

_IN_ADDRESSES = frozenset({"code", "sig", "signature"})  # what clouds call their keys there
_LONG = 16  # characters: a country's code is shorter
_SET = re.compile(r"(?<![\w-])([\w-]+)(?:=|: *(?:(?:basic|bearer|token) +)?)[\"']?([^\s&;\"']+)", re.IGNORECASE)
_IN_URL = re.compile(r"://[^/\s:@]*:([^/\s@]+)@")
_ALWAYS = re.compile(
    r"pass(?:word|wd|phrase|code)|pwd|secret|authorization|(?:api|access|auth)[-_]?(?:key|token)", re.IGNORECASE
)
_ENDS = frozenset("auth credential credentials key pass pin token".split())
_FILE = re.compile(r"(?:file|path|dir|manager)$", re.IGNORECASE)
_PLACE = re.compile(r"[./~]|.*\.(?:crt|env|json|key|pem|txt|ya?ml)$")
_WORD = re.compile(r"[a-z_]+|\d{1,6}")  # what a list is sorted by, how many tokens


def blanks(url: str) -> set[str]:
    """The parameters of a URL's query that have no value."""
    return {name for name, value in _query(url) if not value}


def keys_in(url: str) -> list[str]:
    """The parameters of a URL's query that are credentials by their name, and have a value or none yet."""
    return [name for name, value in _query(url) if _is_key(name, value)]


def without_keys(url: str) -> str:
    """The URL without those parameters of its query, and without its fragment."""
    keys = keys_in(url)
    parts = urlsplit(url)
    kept = [one for one in parts.query.split("&") if not any(name in keys for name, _ in _pairs(one))]
    return urlunsplit(parts._replace(query="&".join(kept), fragment=""))


def told_in(command: Sequence[str]) -> str:
    """By what name a command's words tell a credential; "" where they tell none.

    It is told as `--api-key VALUE`, as `NAME=VALUE` and `NAME: VALUE` wherever that stands, for a container, a shell,
    in a URL, and as the password of a URL. What begins with `$` is no value yet; a file's name is not one.
    """
    words = [piece for word in command for piece in word.split()]
    flags = [(word, value) for word, value in pairwise(words) if word[:1] == "-" and value[:1] != "-"]
    values: list[tuple[str, str]] = [*flags, *(found for word in command for found in _SET.findall(word))]
    values += [("password", found) for word in command for found in _IN_URL.findall(word)]
    return next((name for name, value in values if _is_told(name, value.strip("\"'"))), "")


def _is_told(name: str, value: str) -> bool:
    # A flag's `auth` is how one is let in, not with what.
    if not _names_secret(name) or name.lower().endswith("auth") or value[:1] in {"", "$"}:
        return False
    return not (_FILE.search(name) or _PLACE.match(value)) and bool(_ALWAYS.search(name) or not _WORD.fullmatch(value))


def _is_key(parameter: str, value: str) -> bool:
    if parameter.lower().rpartition("-")[2] in _IN_ADDRESSES:
        return not value or len(value) >= _LONG
    return _names_secret(parameter)


def _names_secret(name: str) -> bool:
    """Whether a name is a credential's: a `key`, but no `monkey`."""
    ends = spaced(name).lower().split()[-1:]
    return may_be_secret(name) and bool(_ALWAYS.search(name) or _ENDS.intersection(ends))


def _query(url: str) -> list[tuple[str, str]]:
    return _pairs(urlsplit(url).query)


def _pairs(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query, keep_blank_values=True)
