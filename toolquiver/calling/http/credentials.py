"""The secrets that a server asks for: read when a request is built, kept out of everything that comes back."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from toolquiver.calling.http.inside import Inside
from toolquiver.calling.http.request import Header, header
from toolquiver.calling.http.source import HttpSource
from toolquiver.calling.http.styles import encoded
from toolquiver.calling.outcome import CallError
from toolquiver.catalog.operation import Credential
from toolquiver.spellings import spellings

_SHORTEST = 4  # hiding what is shorter would garble any text and hide nothing
_SCHEME = re.compile(r"([A-Za-z-]+) +")  # before a secret
_COOKIE = "!#$%&'()*+/:<=>?@[]^`{|}"  # what a cookie may hold as it is
_NAME = "!#$%&'*+^`|"
HIDDEN = "[secret]"


class Held(NamedTuple):
    """A credential with the values of its variables, in their order; nothing prints it."""

    credential: Credential
    values: tuple[str, ...]

    @property
    def needs_token(self) -> bool:
        """Whether the values are a client's, for which a token is fetched."""
        return self.credential.kind == "oauth2" and len(self.values) > 1

    def __repr__(self) -> str:
        return f"Held({self.credential.key!r})"


@dataclass(kw_only=True)
class Keys:
    """What is sent to be let in, as headers, `name=value` texts of the query, and cookies; with what must be hidden.

    Behind a scheme, such as `Bearer`, the rest of a secret is one too; of `Basic` also the password in it.
    """

    headers: list[Header] = field(default_factory=list, repr=False)
    query: list[str] = field(default_factory=list, repr=False)
    cookies: list[str] = field(default_factory=list, repr=False)
    secrets: set[str] = field(default_factory=set, repr=False)

    def hide(self, text: str) -> str:
        """`text` without the secrets, however they are written in it."""
        secrets = {part for secret in self.secrets for part in _parts(secret)}
        longest_first = sorted((one for one in secrets if len(one) >= _SHORTEST), key=len, reverse=True)
        if not longest_first:
            return text
        return re.sub("|".join(map(spellings, longest_first)), HIDDEN, text, flags=re.IGNORECASE)


def _parts(secret: str) -> Iterator[str]:
    """A secret, and what stands alone in it: whoever knows that can go in."""
    yield secret
    if behind := _SCHEME.match(secret):
        yield (rest := secret[behind.end() :])
        if behind[1].lower() == "basic":
            with suppress(ValueError):
                yield base64.b64decode(rest, validate=True).decode().partition(":")[2]


def held(alternatives: Sequence[tuple[Credential, ...]], source: HttpSource) -> list[Held]:
    """The credentials of the first alternative that can be met out of the environment, an empty one last.

    Raises:
        CallError: `unauthorized`: none can be met; the message names the variable to set.
    """
    wanted = [alternative for alternative in alternatives if alternative]
    for alternative in wanted:
        found = [Held(credential, _values(credential, source)) for credential in alternative]
        if all(one.values and one.credential.kind != "other" for one in found):
            return found
    if not wanted or len(wanted) < len(alternatives):
        return []
    raise CallError("unauthorized", _missing(wanted[0], source))


def beside(keys: Sequence[Credential], source: HttpSource) -> list[Held]:
    """Those parameters that are credentials and are set in the environment.

    Raises:
        CallError: `unauthorized`: a required one is not; the message names the variable to set.
    """
    found = [Held(key, _values(key, source)) for key in keys]
    for one in found:
        if one.credential.required and not one.values:
            raise CallError("unauthorized", _missing((one.credential,), source))
    return [one for one in found if one.values]


def in_body(found: Sequence[Held]) -> list[Inside]:
    """Those credentials that a body carries, with their values."""
    return [(one.credential, one.values[0]) for one in found if one.credential.location in {"body", "form"}]


def add(keys: Keys, credential: Credential, values: tuple[str, ...]) -> None:
    """Put a credential's values where they belong.

    Raises:
        CallError: `unauthorized`: a value cannot be sent as it is.
    """
    is_pair = credential.kind == "basic" and len(values) > 1
    keys.secrets.update(values[1:] if is_pair else values)  # the name of a user is no secret
    try:
        if credential.kind == "basic":
            user, _, password = ":".join(values).partition(":")  # a key may stand as the user, without a password
            pair = base64.b64encode(f"{user}:{password}".encode()).decode()
            keys.secrets.update({pair, password or user})
            keys.headers.append(("Authorization", f"Basic {pair}"))
        elif credential.kind in {"bearer", "oauth2"}:
            keys.headers.append(header("Authorization", f"Bearer {values[0]}"))
        elif credential.location == "header":
            keys.headers.append(header(credential.name, values[0]))
        elif credential.location in {"body", "form"}:
            return  # it is in the request
        elif credential.location == "cookie":
            keys.cookies.append(f"{encoded(credential.name, _NAME)}={encoded(values[0], _COOKIE)}")
        else:
            keys.query.append(f"{encoded(credential.name)}={encoded(values[0])}")
    except CallError:
        raise CallError(
            "unauthorized", f"The value for the credential {credential.key!r} cannot be sent: it is not one plain line."
        ) from None


def _variables(credential: Credential, source: HttpSource) -> tuple[str, ...]:
    named = source.credentials.get(credential.key, ())
    return (named,) if isinstance(named, str) else named


def _values(credential: Credential, source: HttpSource) -> tuple[str, ...]:
    """The values of the credential's variables; none when one of them is not set."""
    found = [os.environ.get(name, "").strip() for name in _variables(credential, source)]
    values = tuple(value.encode("utf-8", "replace").decode() for value in found)
    return values if all(values) else ()


def _missing(alternative: tuple[Credential, ...], source: HttpSource) -> str:
    credential = next(one for one in alternative if one.kind == "other" or not _values(one, source))
    if credential.kind == "other":
        return f"The credential {credential.key!r} is of a kind that cannot be sent. Use another API."
    names = " and ".join(_variables(credential, source))
    if names:
        return f"Set {names} in the environment: the credential {credential.key!r}."
    return (
        f"The credential {credential.key!r} is needed. Name the environment variable that holds it in the source's"
        f" settings: credentials={{{credential.key!r}: 'NAME'}}, or `--credential {credential.key}=NAME`."
    )
