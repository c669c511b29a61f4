"""Parameters that are credentials: no model sees or fills them, the user names where their values are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from toolquiver.catalog.openapi.arguments import Part
from toolquiver.catalog.openapi.library import Library
from toolquiver.catalog.openapi.settings import Settings
from toolquiver.catalog.operation import Credential

_BY_NAME = frozenset(  # without their `x-` and what is no letter; names that mean nothing else
    "accesskey accesstoken apikey apisecret apitoken appkey appsecret authenticationtoken authkey authorization"
    " authtoken bearertoken clientsecret developerkey devkey mashapekey oauthtoken ocpapimsubscriptionkey privatetoken"
    " rapidapikey secretkey subscriptionkey amzcredential amzsecuritytoken amzsignature".split()
)
_BY_TEXT = frozenset({"appid", "key", "token"})  # names that can mean anything: the description decides
_PAGES = ("continuation", "next", "page")  # how tokens begin that lead on; some documents hide those too
_SAID = re.compile(r"\byour (?:\w+ )?(?:api|access)[ -]?(?:key|token)\b|^authentication token\b", re.IGNORECASE)
_LOCATIONS = ("query", "header", "cookie")


class Sorted(NamedTuple):
    """The parts that are arguments, and those credentials that are not sent for the sake of the security schemes."""

    arguments: list[Part]
    keys: tuple[Credential, ...]


def without_keys(
    parts: Iterable[Part],
    asked: Sequence[tuple[Credential, ...]],
    known: Sequence[Credential],
    library: Library,
    settings: Settings,
) -> Sorted:
    """The parts of a request, those that are credentials set apart.

    `asked` are the alternatives that the operation asks for, `known` the keys that the document has schemes for.

    A credential is what has the name and the place of such a key, or goes by a name for which the settings name a
    variable, a header `Authorization`, what has the format `password`, and a few names that mean nothing else. What
    the settings call an argument is one.
    """
    arguments, keys = list[Part](), list[Credential]()
    for part in parts:
        key = _key(part, known, library, settings)
        if key is None:
            arguments.append(part)
        elif not _is_asked(key, asked):
            keys.append(key)
    return Sorted(arguments, tuple(keys))


def _key(part: Part, known: Sequence[Credential], library: Library, settings: Settings) -> Credential | None:
    if part.location not in _LOCATIONS or not part.name or part.name in settings.arguments:
        return None
    location: Any = part.location
    key = Credential(key=part.name, kind="api_key", name=part.name, location=location, required=part.required)
    for scheme in known:
        if _same(key, scheme):
            return scheme.model_copy(update={"required": part.required})
    named = part.name in settings.calling.get("credentials", {})
    return key if named or (part.location != "cookie" and _is_secret(part, library)) else None


def _is_asked(key: Credential, asked: Sequence[tuple[Credential, ...]]) -> bool:
    """Whether a security scheme asks for it; of a required one every alternative must.

    Some documents give as alternatives what they need together, and require both as parameters.
    """
    found = [any(_same(key, one) for one in alternative) for alternative in asked]
    return bool(found) and (all(found) if key.required else any(found))


def _same(key: Credential, other: Credential) -> bool:
    """Whether both would stand in one place; `Authorization` is also where a token or a password goes."""
    if key.location == "header":
        name = other.name if other.kind == "api_key" else "Authorization"
        is_header = other.kind in {"basic", "bearer", "oauth2"} or other.location == "header"
        return is_header and key.name.lower() == name.lower()
    return other.kind == "api_key" and (key.location, key.name) == (other.location, other.name)


def _is_secret(part: Part, library: Library) -> bool:
    name = re.sub(r"[^a-z0-9]", "", re.sub(r"^x[-_]", "", part.name.lower()))
    if name in _BY_NAME or (library.resolved(part.schema).get("format") == "password" and not name.startswith(_PAGES)):
        return True
    return name in _BY_TEXT and bool(_SAID.search(str(part.schema.get("description", ""))))
